"""`loopgraph unbind`."""

from __future__ import annotations

from loopgraph.cli.keeping import RunOption
from loopgraph.cli.options import Json, RunName, SessionId, Workspace, print_change, root, speaker
from loopgraph.cli.options import run as run_of


def unbind(
    run: RunName = None,
    *,
    session: SessionId = None,
    named: RunOption = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Let a session go, or every session of a run."""
    from loopgraph.disk import places
    from loopgraph.node import bind as node
    from loopgraph.node import speaker as who
    from loopgraph.plain.places import LOCK

    place = root(workspace)
    slug = run_of(named or run, workspace).resolve().name if named or run else None
    speaking = speaker(None, place)
    chosen = who.session(session, speaking, where="unbind")
    change = places.apply(
        place,
        node.wanted(),
        lambda files: node.unbind(files, speaking, session=chosen, run=slug),
        lock=LOCK,
    )
    print_change(change, json=json)
