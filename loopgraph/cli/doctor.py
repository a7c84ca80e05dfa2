"""`loopgraph doctor`."""

from __future__ import annotations

import typer

from loopgraph.cli.options import Json, Workspace, environ, print_json, root


def doctor(*, workspace: Workspace = None, json: Json = False) -> None:
    """Say what this machine lacks for a run: clients, PATH, git, locale, folders."""
    from loopgraph.check import machine as check
    from loopgraph.disk import machine as disk
    from loopgraph.views import doctor as view

    lines = check.lines(disk.look(root(workspace), environ()))
    if json:
        print_json(view.data(lines))
    else:
        typer.echo(view.text(lines), nl=False)
    if not view.well(lines):
        raise typer.Exit(1)
