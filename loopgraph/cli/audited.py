"""`loopgraph audited`."""

from __future__ import annotations

from typing import Annotated

from loopgraph.cli.keeping import RunHere, RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace, environ


def audited(  # noqa: PLR0913  the command's own options
    where: RunHere = None,
    *,
    through: Annotated[str, text("--through", "The last audited round, as R9 or 9.")],
    tips: Annotated[
        str | None, text("--tips", "BRANCH COMMIT of each repository, if not as git says.")
    ] = None,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Note how far you have audited."""
    from loopgraph.cli.keeping import find
    from loopgraph.disk import evidence, runs
    from loopgraph.node import directives

    now = None
    if tips is None:
        path = find(run or where, workspace)
        record = runs.load(path).record
        known = record.spec.facts.repositories if record else ()
        now = evidence.tips(runs.root_of(path), (one.path for one in known), environ())
    keep(
        lambda found, call: directives.audited(
            found, call, through=directives.number(through), tips=tips, now=now
        ),
        run=run or where,
        said=said,
        workspace=workspace,
        json=json,
    )
