"""`loopgraph resume`."""

from __future__ import annotations

from loopgraph.cli.options import As, Json, Workspace, print_change, speaker
from loopgraph.cli.stop import What, switch, target


def resume(
    what: What = None, *, said: As = None, workspace: Workspace = None, json: Json = False
) -> None:
    """Lift a stop; what was cancelled or done stays so."""
    from loopgraph.disk import places
    from loopgraph.node import speaker as node
    from loopgraph.node import stops
    from loopgraph.plain.places import LOCK

    place, run = target(what, workspace)
    who = speaker(said, place)
    if what is not None and run is None:
        node.require(who, ("owner",), what="resume")
        print_change(switch(place, who, what, active=True), json=json)
        return
    change = places.apply(
        place, stops.wanted(run), lambda files: stops.resume(files, who, run=run), lock=LOCK
    )
    print_change(change, json=json)
