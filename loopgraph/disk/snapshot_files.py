"""The files of a snapshot: what becomes of each, and its very bytes on their way into git.

No filter runs: an object holds the bytes as they lie there. What must not be kept is left out, and
why is said.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from loopgraph.disk import floor, git, remembered
from loopgraph.disk.loose import Loose
from loopgraph.disk.remembered import Kept, LeftOut
from loopgraph.disk.roots import FOLDER
from loopgraph.disk.stores import OBJECTS, Store
from loopgraph.model import private, secrets
from loopgraph.plain import globs

LIMIT: Final = 10 * 1024 * 1024
"""A larger file is left out."""
ROOM: Final = 512 * 1024 * 1024
"""Bytes that one snapshot may add to a repository; what comes beyond is left out."""
MODULE: Final = "160000"
"""The mode of a commit of another repository."""

_RACE: Final = 2_000_000_000
"""Nanoseconds: a file changed so shortly before may change again and keep its times."""
_LINK, _FILE, _RUNNABLE = "120000", "100644", "100755"


class Indexed(NamedTuple):
    """A path of the repository's own index."""

    mode: str
    id: str
    skipped: bool
    """A sparse checkout left it out of the working tree."""


def tracked(place: Store) -> dict[str, Indexed]:
    """The repository's own index; of a path in conflict any of its stages."""
    listed = place.asked.answer("ls-files", "-z", "--cached", "--stage", "-t") or b""
    found: dict[str, Indexed] = {}
    for record in os.fsdecode(listed).split("\0"):
        head, _tab, path = record.partition("\t")
        if path:
            found[path] = Indexed(head[2:8], head[9:-2], head[0] == "S")
    return found


class Files:
    """The files that are to be read: what becomes of each."""

    def __init__(self, place: Store, closed_to: tuple[str, ...], begun: int) -> None:
        self._place, self._closed_to = place, closed_to
        self._late = begun - _RACE
        self.indexed: Mapping[str, Indexed] = {}
        """The repository's own index, where it was read."""
        self.kept: dict[str, Kept] = {}
        self.left_out: dict[str, LeftOut] = {}
        """What is not to be in a tree (any more)."""
        self._taken = 0
        found = place.asked.found
        self._modes = found.get("core.filemode", "true").casefold() not in ("false", "no", "0")
        self._links = found.get("core.symlinks", "true").casefold() not in ("false", "no", "0")
        self._real: dict[str, bool] = {"": True}
        self._base = f"{place.folder}{os.sep}"

    def read(self, paths: Iterable[str]) -> None:
        """Read files, and write the bytes of those that are kept as objects."""
        with Loose(self._place.objects, self._place.asked.algorithm) as loose:
            for path in paths:
                self._one(path, loose)

    def _one(self, path: str, loose: Loose) -> None:
        if not self.indexed and not self._modes:
            self.indexed = tracked(self._place)  # only its index knows what may be run
        known = self.indexed.get(path)
        if known and known.mode == MODULE:
            self.kept[path] = Kept("", MODULE, known.id)
            return
        info = remembered.look(self._place, path)
        if info is None or stat.S_ISDIR(info.st_mode) or not self._is_real(path.rpartition("/")[0]):
            self._absent(path)
            return
        if f"/{path}".startswith(f"/{FOLDER}/{OBJECTS}/"):
            self.left_out[path] = LeftOut("", "")
            return
        link = stat.S_ISLNK(info.st_mode)
        data, why = self._content(path, info, link=link)
        id_ = git.named(data, self._place.asked.algorithm)
        # What a file of no bytes is called stands in an index before any such object is there.
        fresh = known is None or known.id != id_ or not data
        if not why and fresh and self._taken + len(data) > ROOM:
            why = "over 512 MiB of new files at once"
        if why:
            self.left_out[path] = LeftOut(self._stamp(info), why)
            return
        self.kept[path] = Kept(self._stamp(info), self._mode(info, known, link=link), id_)
        if fresh:
            loose.add(data)
            self._taken += len(data)

    def _stamp(self, info: os.stat_result) -> str:
        late = max(info.st_mtime_ns, info.st_ctime_ns)
        return remembered.stamp(info) if late < self._late else remembered.FRESH

    def _content(self, path: str, info: os.stat_result, *, link: bool) -> tuple[bytes, str]:
        """The bytes of a file, and why they are left out; empty where they are not."""
        if why := self._why_not(path, info):
            return b"", why
        data = _bytes(self._base + path, link=link)
        if data is None:
            return b"", "it cannot be read"
        secret = None if link else next(secrets.find(_text(data)), None)
        return data, f"it holds {secret.kind}" if secret else ""

    def _absent(self, path: str) -> None:
        """A file that is not there: gone, a folder by now, a module, or never checked out."""
        if not self.indexed:
            self.indexed = tracked(self._place)
        known = self.indexed.get(path)
        if known and (known.skipped or known.mode == MODULE):
            self.kept[path] = Kept("", known.mode, known.id)
        else:
            self.left_out[path] = LeftOut("", "")

    def _is_real(self, folder: str) -> bool:
        """Whether a folder is one, and so is every one above it: no link leads out of here."""
        known = self._real.get(folder)
        if known is None:
            known = self._is_real(folder.rpartition("/")[0])
            with suppress(OSError):
                known = known and stat.S_ISDIR(os.lstat(self._base + folder).st_mode)
            self._real[folder] = known
        return known

    def _why_not(self, path: str, info: os.stat_result) -> str:
        if not stat.S_ISREG(info.st_mode) and not stat.S_ISLNK(info.st_mode):
            return "no regular file"
        if why := why_not(self._place.below(path), self._closed_to):
            return why
        if info.st_size > LIMIT:
            return "over 10 MiB"
        if _is_gits(path) or (stat.S_ISLNK(info.st_mode) and path.endswith(".gitmodules")):
            return "git takes no such name"
        return ""

    def _mode(self, info: os.stat_result, known: Indexed | None, *, link: bool) -> str:
        if link or (not self._links and known and known.mode == _LINK):
            return _LINK
        if not self._modes and known:
            return known.mode
        return _RUNNABLE if info.st_mode & stat.S_IXUSR else _FILE


_UNSEEN: Final = {ord(char): None for char in "\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d"
                   "\u202e\u206a\u206b\u206c\u206d\u206e\u206f\ufeff"}  # fmt: skip
"""Characters that a file system of macOS drops from a name."""


def _is_gits(path: str) -> bool:
    """Whether a part of a path is `.git` to some file system: no tree may have it."""
    if path.isascii() and "git" not in path.casefold():
        return False
    parts = path.translate(_UNSEEN).casefold().replace("\\", "/").split("/")
    return any(part.partition(":")[0].rstrip(". ") in (".git", "git~1") for part in parts)


def why_not(path: str, closed_to: tuple[str, ...]) -> str:
    """Why a path of the workspace is left out by its name alone; empty where it is not."""
    if private.is_secret(path):
        return "its name is one that credentials have"
    if any(globs.matches(path, glob) for glob in closed_to):
        return "the data policy names it"
    return ""


def _bytes(full: str, *, link: bool) -> bytes | None:
    if not link:
        return floor.peek(full, LIMIT)
    try:
        return os.fsencode(os.readlink(full))  # noqa: PTH115  bytes of any name
    except OSError:
        return None


def _text(data: bytes) -> str:
    """Bytes as a text in which a secret can be found, UTF-16 as editors of Windows write it."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return data.decode("latin-1")
