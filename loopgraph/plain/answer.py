"""What an agent's answer may tell the Stop hook: it is blocked outside, or it is done."""

from __future__ import annotations

BLOCKED = "loopgraph-blocked"
MARKERS = (BLOCKED, "ulw-execute-blocked-external")
"""What an answer says in its first line when only somebody outside can help."""
_GREETING = "ULTRAWORK MODE ENABLED!"
"""May stand before the marker, where a mode of that name is on."""

COMPLETE = "ORCHESTRATION COMPLETE"
"""Begins the answer that ends a plan."""


def blocked_outside(message: str) -> bool:
    """Whether an answer begins with the marker, and says something below it."""
    lines = [line.strip() for line in message.split("\n")]
    if lines and lines[0] == _GREETING:
        del lines[0]
    if not lines or not _marks(lines[0]):
        return False
    return any(line and not _marks(line) for line in lines[1:])


def _marks(line: str) -> bool:
    bare = line[1:-1] if line[:1] == "<" and line[-1:] == ">" else line
    return bare in MARKERS


def promised(message: str, promise: str | None) -> bool:
    """Whether a message says the promise: `<promise>…</promise>` alone on its line, or ending it.

    Ending it means ending the last line that is not blank. Tags in code count for nothing, and of
    several tags the last decides. The text between is trimmed at its ends; the rest is exact.
    """
    if promise is None:
        return False
    said: str | None = None
    lines = message.split("\n")
    last = max((at for at, line in enumerate(lines) if line.strip()), default=-1)
    fence = ""
    for at, line in enumerate(lines):
        kept = line.strip()
        if fence:
            if kept.startswith(fence) and not kept.strip(fence[0]):
                fence = ""
            continue
        if kept.startswith(("```", "~~~")) and not (kept[0] == "`" and "`" in kept.lstrip("`")):
            fence = kept[: len(kept) - len(kept.lstrip(kept[0]))]
            continue
        if line.startswith(("    ", "\t")) and kept.startswith("<"):
            continue
        found = _tag(kept, ends_only=at == last)
        said = said if found is None else found
    return said is not None and said.strip() == promise.strip()


def _tag(line: str, *, ends_only: bool) -> str | None:
    """The text of the tag that is this line, or that ends it; None for neither."""
    opening, closing = "<promise>", "</promise>"
    if not line.endswith(closing):
        return None
    start = line.rfind(opening)
    if start < 0 or (start > 0 and not ends_only):
        return None
    inside = line[start + len(opening) : -len(closing)]
    if line[:start].count("`") % 2 or closing in inside:
        return None
    return inside
