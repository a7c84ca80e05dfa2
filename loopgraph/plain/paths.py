"""Paths as text: is this one relative, clean, and inside the root on every system?"""

from __future__ import annotations

_RESERVED = ("con", "prn", "aux", "nul", *(f"{n}{d}" for n in ("com", "lpt") for d in "123456789"))


def name(path: str) -> str:
    """The last part of a path of any system."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def is_absolute(path: str) -> bool:
    """Whether it begins at a root, a home, a drive or a share."""
    drive = len(path) > 1 and path[1] == ":" and path[0].isascii() and path[0].isalpha()
    return path[:1] in ("/", "\\", "~") or drive


def inside(path: str) -> str | None:
    """The path in its plain form (`a/b`, `.`), or None where it would leave the root.

    Refused as well: names that Windows reserves, control characters, a colon.
    """
    if is_absolute(path):
        return None
    parts: list[str] = []
    for part in path.replace("\\", "/").split("/"):
        if part in ("", "."):
            continue
        if part == ".." or part.split(".")[0].casefold() in _RESERVED:
            return None
        if not part.isprintable() or ":" in part:
            return None
        parts.append(part)
    return "/".join(parts) or "."
