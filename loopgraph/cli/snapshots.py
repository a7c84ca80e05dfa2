"""`loopgraph snapshots`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.keeping import RunHere, RunOption
from loopgraph.cli.options import As, Json, Workspace, environ, print_json

app = typer.Typer(no_args_is_help=True, help="Snapshots: what the workspace held, round by round.")


@app.command("list")
def list_(
    where: RunHere = None,
    *,
    run: RunOption = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """List the snapshots of a run, the oldest first."""
    from loopgraph.cli.keeping import find
    from loopgraph.disk import restoring, runs, snapshots
    from loopgraph.model.messages import _
    from loopgraph.plain.quoting import visible

    path = find(run or where, workspace)
    found = snapshots.listed(runs.root_of(path), path, environ())
    if json:
        print_json(
            {"schema": "loopgraph/snapshots/1", "snapshots": [one._asdict() for one in found]}
        )
        return
    if not found:
        why = restoring.absence(path)
        typer.echo(" ".join(filter(None, (_("No snapshot is kept."), why))))
    for one in found:
        where_ = "" if one.repository == "." else f"  {visible(one.repository)}"
        kept = "" if one.ref else "  .longgraph/.objects"
        typer.echo(f"{one.name:<20} {one.time}  {one.tree[:12]}{where_}{kept}")


@app.command()
def prune(  # noqa: PLR0913  the command's own options
    where: RunHere = None,
    *,
    before: Annotated[
        str | None,
        typer.Option("--before", metavar="Rn", help="Only those of rounds before this one."),
    ] = None,
    run: RunOption = None,
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Take the names of a run's snapshots away; git's next clean-up frees what they held."""
    from loopgraph.cli import keeping
    from loopgraph.disk import runs, snapshots
    from loopgraph.disk.apply import apply
    from loopgraph.edges.change import Change
    from loopgraph.model.errors import UsageError
    from loopgraph.model.messages import _
    from loopgraph.node import call as parts
    from loopgraph.plain import header

    path, call, act = keeping.begin(run or where, said, workspace)
    parts.owners(call, "snapshots prune", "the snapshots")
    number = header.number(before or "R0")
    if number is None:
        raise UsageError(_("no round"), where=f"--before {before}", fix=_("Write it as R12."))
    root = runs.root_of(path)
    names = {
        one.name
        for one in snapshots.listed(root, path, environ())
        if before is None or one.round < number
    }
    gone = snapshots.remove(root, path, names, environ())
    change = Change(says=(_("{count} snapshots are gone.", count=gone),))
    keeping.tell(path, apply(path, lambda _run: change, act), json=json)
