"""`loopgraph milestone`."""

from __future__ import annotations

import typer

from loopgraph.cli.keeping import RunHere, RunOption, keep
from loopgraph.cli.options import As, Json, Workspace

app = typer.Typer(no_args_is_help=True, help="Milestones of the executor.")


@app.command("next")
def next_(
    where: RunHere = None,
    *,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Open the next milestone behind one that is passed."""
    from loopgraph.node import promotion

    keep(
        promotion.go_on,
        run=run or where,
        said=said,
        workspace=workspace,
        json=json,
    )
