"""`loopgraph resume`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from loopgraph.cli.options import As, Json, Workspace, print_change, speaker
from loopgraph.cli.stop import What, switch, target

if TYPE_CHECKING:  # the name is for types alone
    from pathlib import Path


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
    from loopgraph.model.errors import UsageError
    from loopgraph.model.messages import _
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
    stalled = _stalled(place, run)
    try:
        change = places.apply(
            place, stops.wanted(run), lambda files: stops.resume(files, who, run=run), lock=LOCK
        )
    except UsageError:
        if not stalled:
            raise
        raise UsageError(
            _("it is stalled"),
            where=", ".join(stalled),
            fix=f"loopgraph resume {stalled[-1]} --why WHY",
        ) from None
    if stalled:
        left = _("it is stalled: loopgraph resume {run} --why WHY", run=stalled[-1])
        change = change._replace(says=(*change.says, left))
    print_change(change, json=json)


def _stalled(place: Path, run: str | None) -> list[str]:
    """The runs that are meant and stalled: this one, else any of the workspace."""
    from loopgraph.disk import roots, runs

    meant = [place / roots.FOLDER / run] if run else runs.all_runs(place)
    return [path.name for path in meant if runs.status(path) == "stalled"]
