"""Read what evidence/ keeps of snapshots: one note for each, found by its name alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from loopgraph.disk import floor
from loopgraph.node import measure as node
from loopgraph.plain import jsontext

_SIZE: Final = 16 * 1024 * 1024


def every(run: Path) -> Iterator[Mapping[str, object]]:
    """The notes, file by file."""
    folder = run / "evidence" / node.FOLDER
    for place in sorted(folder.glob("R*.json")) if folder.is_dir() else ():
        found = _read(place)
        if found is not None:
            yield found


def newest(run: Path, name: str) -> Mapping[str, object] | None:
    """The note of one snapshot, the newest of that name; None where there is none.

    A command that was killed may have left `R3.json`; the one that was done wrote `R3-2.json`.
    """
    folder = run / "evidence" / node.FOLDER
    last, number, place = None, 1, folder / f"{name}.json"
    while place.exists():
        found = _read(place)
        last = found if found is not None and found["name"] == name else last
        number += 1
        place = folder / f"{name}-{number}.json"
    return last


def _read(place: Path) -> Mapping[str, object] | None:
    data = floor.peek(str(place), _SIZE)
    with suppress(ValueError):
        found = jsontext.loads((data or b"").decode("utf-8"))
        if isinstance(found, dict) and isinstance(found.get("name"), str):
            return found
    return None
