"""Read a workspace's files: regular ones, inside the root, under a size limit."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final

from loopgraph.disk import floor
from loopgraph.model.errors import UnreadableError
from loopgraph.model.messages import _

CONFIG_LIMIT: Final = 1024 * 1024
"""No configuration file that a person wrote is larger."""
_KEPT: Final = 1024
"""How many texts a reader keeps: several facts look at the same few files."""


def inside(root: Path, path: str) -> str:
    """The real place of a root-relative path; a link that leads out of the root is refused."""
    top = os.path.realpath(root)
    try:
        real = os.path.realpath(os.path.join(top, path))  # noqa: PTH118
    except (OSError, ValueError):
        raise UnreadableError(_("no such file"), where=path) from None
    if real != top and not real.startswith(top.rstrip(os.sep) + os.sep):
        raise UnreadableError(_("it leads out of the workspace"), where=path)
    return real


def load(root: Path, path: str, *, limit: int = floor.LIMIT) -> str:
    """The text of a file of the workspace; a byte order mark is passed over."""
    try:
        return _decoded(floor.read(inside(root, path), limit), path)
    except UnreadableError as error:
        raise UnreadableError(error.what, where=path) from None


def named(path: str, *, limit: int = CONFIG_LIMIT) -> str:
    """The text of a file that the owner named, wherever it is; a byte order mark is passed over."""
    return _decoded(floor.read(path, limit), path)


def _decoded(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableError(
            _("not UTF-8 at byte {start}", start=error.start), where=path
        ) from None


def attempt(root: Path, path: str, *, limit: int = CONFIG_LIMIT) -> str | None:
    """The same, or None where it cannot be read: for facts that may be absent."""
    try:
        return load(root, path, limit=limit)
    except UnreadableError:
        return None


def reader(root: Path, *, limit: int = CONFIG_LIMIT) -> Callable[[str], str | None]:
    """As `attempt`, for many files: folders are resolved once, texts are kept for a while."""

    @lru_cache(maxsize=_KEPT)
    def folder(path: str) -> str | None:
        try:
            return inside(root, path)
        except UnreadableError:
            return None

    @lru_cache(maxsize=_KEPT)
    def read(path: str) -> str | None:
        above, _, name = path.rpartition("/")
        place = folder(above)
        if place is None or name in {"", ".", ".."} or os.sep in name:
            return None
        try:
            return _decoded(floor.read(f"{place}{os.sep}{name}", limit), path)
        except UnreadableError:
            return attempt(root, path, limit=limit) if _is_link(place, name) else None

    return read


def _is_link(folder: str, name: str) -> bool:
    """A link inside the root is followed, but only after its end is known."""
    return os.path.islink(os.path.join(folder, name))  # noqa: PTH114, PTH118
