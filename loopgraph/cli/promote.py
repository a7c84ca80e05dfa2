"""`loopgraph promote`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunOption, keep, text
from loopgraph.cli.options import As, Json, Workspace

app = typer.Typer(no_args_is_help=True, help="Promotion of milestones.")


@app.command()
def request(  # noqa: PLR0913  the command's own options
    id_: Annotated[str, typer.Argument(metavar="M-n", help="The current milestone.")],
    *,
    surface: Annotated[str, text("--surface", "Exact paths and gates to audit.")],
    evidence: Annotated[str, text("--evidence", "What shows its exit checks.")],
    context: Annotated[str | None, text("--context", "Ids of ops.md.")] = None,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Ask for a milestone's audit."""
    from loopgraph.cli.keeping import find
    from loopgraph.disk import evidence as disk
    from loopgraph.disk import runs
    from loopgraph.node import promotion

    root = runs.root_of(find(run, workspace))
    there = disk.there(root, promotion.named(surface))
    keep(
        lambda found, call: promotion.request(
            found,
            call,
            id_,
            surface=surface,
            evidence=evidence,
            context=context or "none",
            there=there,
        ),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )


@app.command()
def accept(
    id_: Annotated[str, typer.Argument(metavar="M-n", help="The milestone that waits.")],
    *,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Accept a milestone by your own gate results, fresh and on this tree."""
    from loopgraph.cli.keeping import find
    from loopgraph.disk import evidence, runs
    from loopgraph.node import promotion

    path = find(run, workspace)
    gathered, tree = evidence.results(path), evidence.tree(runs.root_of(path))
    keep(
        lambda found, call: promotion.accept(found, call, id_, gathered, tree=tree),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )


@app.command()
def redo(  # noqa: PLR0913  the command's own options
    id_: Annotated[str, typer.Argument(metavar="M-n", help="The milestone that waits.")],
    *,
    missing: Annotated[str, text("--missing", "What is to be reached.")],
    verify: Annotated[str, text("--verify", "One command or observation.")],
    context: Annotated[str | None, text("--context", "Ids of ops.md, places, rounds.")] = None,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Send a milestone back."""
    from loopgraph.cli.keeping import find
    from loopgraph.disk import evidence
    from loopgraph.node import promotion

    gathered = evidence.results(find(run, workspace))
    keep(
        lambda found, call: promotion.redo(
            found, call, id_, missing=missing, verify=verify, context=context, gathered=gathered
        ),
        run=run,
        said=said,
        workspace=workspace,
        json=json,
    )
