"""The newest result of each gate, found by the names of the files, so that few are read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from loopgraph.disk import floor
from loopgraph.node import results as node
from loopgraph.node.results import Result

_SIZE: Final = 1024 * 1024


def newest(run: Path, gates: Iterable[str]) -> tuple[Result, ...]:
    """The last result of each of these gates, whoever recorded it; none for one never run."""
    folder = run / "evidence" / node.FOLDER
    try:
        names = sorted((place.name for place in folder.glob("*.json")), reverse=True)
    except OSError:
        return ()
    found = (_newest(folder, names, gate) for gate in gates)
    return tuple(result for result in found if result is not None)


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
