"""`loopgraph resume`."""

from __future__ import annotations

from typing import Annotated

import typer

from loopgraph.cli.options import As, Json, Workspace, print_change, speaker
from loopgraph.cli.stop import What, switch, target


def resume(
    what: What = None,
    *,
    why: Annotated[
        str, typer.Option("--why", metavar="TEXT", help="Take a stalled run up again, and why.")
    ] = "",
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Lift a stop, or take a stalled run up again; what was cancelled or done stays so."""
    from loopgraph.cli import keeping
    from loopgraph.disk import places
    from loopgraph.node import speaker as node
    from loopgraph.node import stops
    from loopgraph.plain.places import LOCK

    place, run = target(what, workspace)
    if why:
        from loopgraph.node import finish

        keeping.keep(
            lambda found, call: finish.resume(found, call, why=why),
            run=run,
            said=said,
            workspace=workspace,
            json=json,
        )
        return
    who = speaker(said, place)
    if what is not None and run is None:
        node.require(who, ("owner",), what="resume")
        print_change(switch(place, who, what, active=True), json=json)
        return
    change = places.apply(
        place, stops.wanted(run), lambda files: stops.resume(files, who, run=run), lock=LOCK
    )
    print_change(change, json=json)
