"""`loopgraph audited`."""

from __future__ import annotations

from typing import Annotated

from loopgraph.cli.keeping import RunHere, RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace


def audited(  # noqa: PLR0913  the command's own options
    where: RunHere = None,
    *,
    through: Annotated[str, text("--through", "The last audited round, as R9 or 9.")],
    tips: Annotated[str | None, text("--tips", "BRANCH COMMIT of each repository.")] = None,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Note how far you have audited."""
    from loopgraph.node import directives

    keep(
        lambda found, call: directives.audited(
            found, call, through=directives.number(through), tips=tips
        ),
        run=run or where,
        said=said,
        workspace=workspace,
        json=json,
    )
