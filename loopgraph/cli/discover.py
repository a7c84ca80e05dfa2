"""`loopgraph discover`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.options import Json, Workspace, environ, print_json, root


def discover(
    *,
    workspace: Workspace = None,
    scope: Annotated[
        str, typer.Option(metavar="DIR", help="The folder whose gates and sources are wanted.")
    ] = ".",
    as_json: Json = False,
) -> None:
    """Show what can be known about this workspace, and where each fact was found."""
    from loopgraph import discover as facts
    from loopgraph.discover import host
    from loopgraph.views import facts as view

    env = environ()
    found = facts.workspace(root(workspace), scope=scope, environ=env)
    if as_json:
        print_json(view.data(found, host.here(env)))
        return
    typer.echo(view.text(found, host.here(env)), nl=False)
