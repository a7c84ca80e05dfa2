"""`loopgraph stop`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loopgraph.cli.bind import home
from loopgraph.cli.options import As, Json, Workspace, environ, print_change, root, speaker

if TYPE_CHECKING:  # the names are for types alone
    from loopgraph.edges.places import Change
    from loopgraph.node.speaker import Speaker

What = Annotated[
    str | None,
    typer.Argument(metavar="[RUN|LOOP]", help="A run or a loop; the whole workspace if left out."),
]


def stop(
    what: What = None,
    *,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="A reason, for readers.")] = "",
    said: As = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Let every session go at once: the owner's brake."""
    from loopgraph.cli import clock
    from loopgraph.disk import places
    from loopgraph.node import stops
    from loopgraph.plain.places import LOCK

    place, run = target(what, workspace)
    who = _whoever(said, place)
    if what is not None and run is None:
        print_change(switch(place, who, what, active=False), json=json)
        return
    now = clock.now(None, environ()).isoformat()
    change = places.apply(
        place,
        stops.wanted(run),
        lambda files: stops.stop(files, who, run=run, why=why, now=now),
        lock=LOCK,
    )
    print_change(change, json=json)


def _whoever(said: str | None, place: Path) -> Speaker:
    """Who pulls the brake; a broken file of bindings does not hold it."""
    from loopgraph.model.errors import UnreadableError
    from loopgraph.node import speaker as node

    try:
        return speaker(said, place)
    except UnreadableError:
        return node.read(said, environ())


def target(what: str | None, workspace: str | None) -> tuple[Path, str | None]:
    """The workspace, and the run's slug; None for all of it, and for a loop."""
    from loopgraph.disk import roots, runs

    place = root(workspace)
    is_run = what is not None and (place / roots.FOLDER / what / "ledger.md").is_file()
    if what is None or (not is_run and _is_loop(place, what)):
        return place, None
    path = runs.find(what, place).resolve()
    return home(path), path.name


def _is_loop(place: Path, name: str) -> bool:
    from loopgraph.disk import places
    from loopgraph.edges.places import PROJECT
    from loopgraph.model.errors import UnreadableError
    from loopgraph.node import loops

    try:
        found = loops.read(places.load(place, loops.wanted(PROJECT)), PROJECT)
    except UnreadableError:
        return False  # a broken loop must not hold the brake of a run
    return name in [loop.task for loop in (*found.loops, *found.others)]


def switch(place: Path, who: Speaker, task: str, *, active: bool) -> Change:
    """Set or lift the owner's stop of one loop."""
    from loopgraph.cli import clock
    from loopgraph.disk import places
    from loopgraph.edges.places import PROJECT
    from loopgraph.node import loops

    call = loops.Call(PROJECT, who, clock.now(None, environ()).isoformat())
    return places.apply(
        place,
        loops.wanted(PROJECT),
        lambda files: loops.switch(files, call, task=task, active=active),
        lock=PROJECT.lock,
    )
