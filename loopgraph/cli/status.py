"""`loopgraph status`."""

from __future__ import annotations

import typer

from loopgraph.cli.keeping import RunOption
from loopgraph.cli.options import Json, RunName, Workspace


def status(
    name: RunName = None,
    *,
    run: RunOption = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Show a run on one screen: what waits for the owner first; the exit code says its state."""
    from loopgraph.cli import quick

    code = quick.status(quick.Asked(run or name, workspace, json=json))
    if code:
        raise typer.Exit(code)
