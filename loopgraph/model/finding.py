"""Finding: one thing that check, audit or verify has to say about a file."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Level = Literal["error", "warning"]

LEVELS: Final[tuple[Level, ...]] = ("error", "warning")


class Finding(NamedTuple):
    """A broken rule at a place."""

    rule: str
    file: str
    """Relative to the run directory, with forward slashes."""
    line: int
    """From 1; 0 where the finding is about the whole file."""
    message: str
    fix: str = ""
    """What to do, as one sentence."""
    column: int = 1
    level: Level = "error"
