"""`loopgraph graph`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunOption
from loopgraph.cli.options import RunName, Workspace, print_json, run
from loopgraph.model.messages import _


def graph(
    name: RunName = None,
    *,
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="text, mermaid, dot or json.")
    ] = "text",
    named: RunOption = None,
    workspace: Workspace = None,
) -> None:
    """Show a run's nodes and edges: who writes, who reads, who fires when."""
    from loopgraph.disk import runs
    from loopgraph.model.errors import UsageError, nearest
    from loopgraph.views import graph as view

    known = (*view.FORMATS, "json")
    if form not in known:
        raise UsageError(_("no such format"), where=form, fix=nearest(form, known))
    drawn = runs.record_of(run(named or name, workspace)).spec.graph()
    if form == "json":
        print_json(view.data(drawn))
    else:
        typer.echo(view.FORMATS[form](drawn), nl=False)
