"""Read a workspace's files: regular ones, inside the root, under a size limit."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from loopgraph.disk import floor
from loopgraph.model.errors import UnreadableError

CONFIG_LIMIT: Final = 1024 * 1024
"""No configuration file that a person wrote is larger."""


def inside(root: Path, path: str) -> str:
    """The real place of a root-relative path; a link that leads out of the root is refused."""
    base = os.path.realpath(root)
    try:
        real = os.path.realpath(root / path)
    except (OSError, ValueError):
        raise UnreadableError("no such file", where=path) from None
    if real != base and not real.startswith(base.rstrip(os.sep) + os.sep):
        raise UnreadableError("it leads out of the workspace", where=path)
    return real


def load(root: Path, path: str, *, limit: int = floor.LIMIT) -> str:
    """The text of a file of the workspace; a byte order mark is passed over."""
    try:
        return floor.read(inside(root, path), limit).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"not UTF-8 at byte {error.start}", where=path) from None
    except UnreadableError as error:
        raise UnreadableError(error.what, where=path) from None


def attempt(root: Path, path: str, *, limit: int = CONFIG_LIMIT) -> str | None:
    """The same, or None where it cannot be read: for facts that may be absent."""
    try:
        return load(root, path, limit=limit)
    except UnreadableError:
        return None
