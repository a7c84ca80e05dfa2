"""`loopgraph doctor`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from loopgraph.cli.options import Json, Workspace, environ, print_json, root

if TYPE_CHECKING:  # the name is for types alone
    from loopgraph.model.machine import Line


def doctor(*, workspace: Workspace = None, json: Json = False) -> None:
    """Say what this machine lacks for a run: hooks, clients, PATH, git, locale, folders."""
    from loopgraph.check import machine as check
    from loopgraph.cli import installing
    from loopgraph.disk import machine as disk
    from loopgraph.views import doctor as view

    place = root(workspace)
    installing.note_rivals(environ())
    found = disk.look(place, environ())
    lines = (*_stops(place, [run.slug for run in found.runs if run.stopped]), *check.lines(found))
    if json:
        print_json(view.data(lines))
    else:
        typer.echo(view.text(lines), nl=False)
    if not view.well(lines):
        raise typer.Exit(1)


def _stops(place: Path, runs: Iterable[str]) -> Iterator[Line]:
    """What holds everything else: the owner's stops, before all."""
    from loopgraph.disk import places
    from loopgraph.model.errors import UnreadableError
    from loopgraph.model.machine import Line
    from loopgraph.node import stops

    for run in (None, *runs):
        try:
            files = places.load(place, stops.wanted(run)[:2])
        except UnreadableError:
            continue
        own = {path: text for path, text in files.items() if path == stops.wanted(run)[0]}
        for said in stops.note(own, run):
            yield Line("note", "stops", said)
