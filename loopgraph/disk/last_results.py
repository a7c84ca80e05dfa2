"""The newest result of each gate, found by the names of the files, so that few are read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from loopgraph.disk import floor
from loopgraph.node import results as node
from loopgraph.node.results import Result

_SIZE: Final = 1024 * 1024
_SECOND: Final = len("2026-01-02T03-04-05")


def newest(run: Path, gates: Iterable[str]) -> tuple[Result, ...]:
    """The last result of each of these gates, whoever recorded it; none for one never run."""
    folder = run / "evidence" / node.FOLDER
    try:
        places = sorted(folder.glob("*.json"), key=age, reverse=True)
        names = [place.name for place in places]
    except OSError:
        return ()
    found = (_newest(folder, names, gate) for gate in gates)
    return tuple(result for result in found if result is not None)


def age(place: Path) -> tuple[str, int, str]:
    """By what results are put in order: of one second, `….json` is older than `…-2.json`."""
    name = place.name
    return name[:_SECOND], len(name), name


def _newest(folder: Path, names: list[str], gate: str) -> Result | None:
    """A name begins with its time and ends with gate and node."""
    for name in names:
        if f"-{gate}-" not in name:
            continue
        data = floor.peek(str(folder / name), _SIZE)
        result = node.read(data.decode("utf-8", "replace")) if data is not None else None
        if result is not None and result.check == gate:
            return result
    return None
