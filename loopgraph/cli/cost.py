"""`loopgraph cost`."""

from __future__ import annotations

import typer

from loopgraph.cli.keeping import RunOption
from loopgraph.cli.options import Json, RunName, Workspace, print_json, run


def cost(
    name: RunName = None,
    *,
    named: RunOption = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Print what each fire reads, and a day of fires, in lines, bytes and estimated tokens."""
    from loopgraph.disk import runs
    from loopgraph.views import cost as view

    path = run(named or name, workspace)
    measured = view.measure(runs.load(path).files, runs.record_of(path).spec.graph())
    if json:
        print_json(view.data(measured))
    else:
        typer.echo(view.text(measured), nl=False)
