"""`loopgraph trust`."""

from __future__ import annotations

import typer

from loopgraph.cli.keeping import RunOption
from loopgraph.cli.options import Json, RunName, Workspace, environ, print_json
from loopgraph.model.messages import _


def trust(
    run: RunName = None,
    *,
    named: RunOption = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Approve the gates of a run: from now on `gate run` may start these commands."""
    from loopgraph.cli.keeping import find, speaker
    from loopgraph.disk import runs
    from loopgraph.disk import trust as disk
    from loopgraph.node import gate_runs
    from loopgraph.node import speaker as who
    from loopgraph.plain.quoting import visible

    path = find(named or run, workspace)
    who.require(speaker(None, path), ("owner",), what="`trust`")
    commands = gate_runs.commands(runs.load(path))
    disk.approve(runs.root_of(path), commands, environ())
    if json:
        print_json({"schema": "loopgraph/trust/1", "commands": list(commands)})
        return
    for command in commands:
        typer.echo(_("approved: {command}", command=visible(command)))
    if not commands:
        typer.echo(_("No gate of this run is a command."))
