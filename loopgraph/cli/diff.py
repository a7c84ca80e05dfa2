"""`loopgraph diff`."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from loopgraph.cli.keeping import RunOption
from loopgraph.cli.options import Json, Workspace, environ, print_json

_NAME = re.compile(r"R\d+(\.[a-z][a-z0-9-]*)?|now")


def diff(
    snapshots: Annotated[
        list[str],
        typer.Argument(
            metavar="R3 [R5] [-- PATHS]",
            help="One snapshot against the workspace as it is, or two; then paths.",
        ),
    ],
    *,
    run: RunOption = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Show what differs between two snapshots: how much of each file, then the patch."""
    from loopgraph.cli.keeping import find
    from loopgraph.disk import restoring, runs
    from loopgraph.model.messages import _
    from loopgraph.node.measure import shown
    from loopgraph.plain.quoting import visible

    path = find(run, workspace)
    first, *rest = snapshots
    second = rest.pop(0) if rest and _NAME.fullmatch(rest[0]) else restoring.NOW
    looked = restoring.look(path, runs.load(path), environ())
    old, new = (restoring.side(path, looked, name, environ()) for name in (first, second))
    found = restoring.difference(looked, old, new, tuple(rest))
    unseen = restoring.left_out(old, new, tuple(rest))
    if json:
        changed = [one._replace(path=visible(one.path))._asdict() for one in found.lines]
        text = visible(found.text, keep="\n\t")
        print_json(
            {
                "schema": "loopgraph/diff/1",
                "from": old.name,
                "to": new.name,
                "changed": changed,
                "text": text,
                "left_out": [visible(path) for path in unseen],
            }
        )
        return
    typer.echo(visible(found.text, keep="\n\t"), nl=False)
    if unseen:
        says = _(
            "no snapshot holds {path} ({count} such paths): whether it differs is not told",
            path=shown(unseen[0]),
            count=len(unseen),
        )
        typer.echo(f"loopgraph: {says}", err=True)
