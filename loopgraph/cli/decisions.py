"""`loopgraph decisions`."""

from __future__ import annotations

import typer

from loopgraph.cli.keeping import RunOption
from loopgraph.cli.options import Json, RunName, Workspace, print_json


def decisions(
    name: RunName = None,
    *,
    run: RunOption = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """List what was asked, who answered it, and what stands; archives included."""
    from loopgraph.cli.meant import find, tell_problems
    from loopgraph.disk import archive
    from loopgraph.edges import history
    from loopgraph.views import history as view

    path = find(run or name, workspace)
    texts = archive.texts(
        path, live=("ledger.md", "directives.md"), archived=("decisions", "standing")
    )
    found = view.decided(history.decisions(texts), texts.problems)
    if json:
        print_json(view.decisions_data(found))
        return
    typer.echo(view.decisions(found), nl=False)
    tell_problems(texts.problems)
