"""`loopgraph runs`."""

from __future__ import annotations

import typer

from loopgraph.cli.options import Json, Workspace, print_json, root


def runs(*, workspace: Workspace = None, json: Json = False) -> None:
    """List the runs of this workspace: where each stands."""
    from loopgraph.disk import beside
    from loopgraph.disk import runs as disk
    from loopgraph.views import runs as view

    found = [
        view.line(path.name, disk.load(path), stopped=beside.is_stopped(path))
        for path in disk.all_runs(root(workspace))
    ]
    if json:
        print_json(view.data(found))
    else:
        typer.echo(view.text(found), nl=False)
