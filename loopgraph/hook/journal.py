"""The hook's log in the user's state folder: a line of JSON a decision, and a line for people."""

from __future__ import annotations

import os

from loopgraph.disk import floor
from loopgraph.plain import jsontext

LOG = "hook.log"
CAP = 512 * 1024
"""At so many bytes the log begins anew; the one before is kept."""
SHOWN = 20
_READ = 256 * 1024
_LONG = 500


def write(folder: str | None, entry: dict[str, object]) -> None:
    """Add a decision; where that can't be, it is not logged."""
    if not folder:
        return
    try:
        line = jsontext.dumps(entry).encode() + b"\n"
        try:
            floor.append(f"{folder}/{LOG}", line, cap=CAP)
        except FileNotFoundError:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            floor.append(f"{folder}/{LOG}", line, cap=CAP)
    except (OSError, ValueError):
        return


def read(folder: str | None, count: int = SHOWN) -> list[dict[str, object]]:
    """The last decisions, the newest last."""
    found: list[dict[str, object]] = []
    for name in (f"{LOG}.1", LOG):
        data = floor.tail(f"{folder}/{name}", _READ) if folder else None
        for line in data[0].split(b"\n") if data else []:
            entry = jsontext.attempt(line.decode("utf-8", "replace"))
            if isinstance(entry, dict):
                found.append(entry)
    return found[-count:]


def shown(entry: dict[str, object]) -> str:
    """A decision as a line for people."""
    names = ("at", "host", "session", "answer", "why", "said")
    parts = [str(entry.get(name) or "-") for name in names]
    parts[2] = parts[2][:8]
    line = "  ".join(parts)
    return "".join(char if char.isprintable() else " " for char in line)[:_LONG]
