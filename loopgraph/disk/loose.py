"""Write git objects as loose files, each under the name that git itself would give it.

An object is there whole and durable, or not at all. It is what `git hash-object` writes, without a
process for it; whether the name is right, git says whenever it reads one.
"""

from __future__ import annotations

import os
import stat
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from loopgraph.disk import floor, git

_MANY: Final = 200
"""So many new objects are made durable at once, not one by one: that would take minutes."""
_DRAFT: Final = "tmp_obj_"
"""How a file begins that git's own clean-up takes away when a kill left it."""


class Loose:
    """Objects on their way into a folder of objects; durable when it ends."""

    def __init__(self, folder: Path, algorithm: str) -> None:
        self._folder, self._algorithm = str(folder), algorithm
        self._rights = stat.S_IMODE(os.stat(folder).st_mode)  # noqa: PTH116
        self._count = 0
        self._touched: set[str] = set()
        """Folders with a new entry: an object is durable when its name there is, too."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._count > _MANY and hasattr(os, "sync"):
            os.sync()
            return
        for folder in sorted(self._touched):
            with suppress(FileNotFoundError):  # git packed what was in it, and took it away
                floor.sync_folder(folder)

    def add(self, data: bytes, kind: str = "blob") -> str:
        """Write an object unless it is there as such a file; its id."""
        id_ = git.named(data, self._algorithm, kind)
        place = f"{self._folder}{os.sep}{id_[:2]}{os.sep}{id_[2:]}"
        if not _freshen(place):
            self._write(place, b"%b %d\0" % (kind.encode(), len(data)), data)
        return id_

    def _write(self, place: str, head: bytes, data: bytes) -> None:
        self._count += 1
        one_by_one = self._count <= _MANY or not hasattr(os, "sync")
        packing = zlib.compressobj(1)
        packed = packing.compress(head) + packing.compress(data) + packing.flush()
        folder = os.path.dirname(place)  # noqa: PTH120
        self._make(folder)
        draft = f"{folder}{os.sep}{_DRAFT}{os.urandom(6).hex()}"
        try:
            floor.write_new(draft, packed, mode=0o444, durable=one_by_one)
            if self._is_shared:
                os.chmod(draft, self._rights & 0o444)  # noqa: PTH101
            os.replace(draft, place)  # noqa: PTH105
            self._touched.add(folder)
        except OSError:
            remove(draft)
            if not os.path.exists(place):  # noqa: PTH110  on Windows nothing goes over what is read-only
                raise

    def _make(self, folder: str) -> None:
        with suppress(FileExistsError):
            os.mkdir(folder)  # noqa: PTH102
            self._touched.add(self._folder)
            if self._is_shared:
                os.chmod(folder, self._rights)  # noqa: PTH101

    @property
    def _is_shared(self) -> bool:
        """Whether others may write here, too: then what comes new has the rights of what is."""
        return bool(self._rights & (stat.S_IWGRP | stat.S_IWOTH))


def remove(place: str) -> None:
    """Remove an object or its draft: nobody may write it, and Windows keeps such a file."""
    if floor.remove(place) or os.path.islink(place):  # noqa: PTH114  what it leads to is not ours
        return
    with suppress(OSError):
        os.chmod(place, 0o600)  # noqa: PTH101
    floor.remove(place)


def _freshen(place: str) -> bool:
    """Whether such a file is there; it counts as new then, so that no clean-up takes it away."""
    try:
        if not os.stat(place).st_size:  # noqa: PTH116  a power cut may leave one that is empty
            remove(place)
            return False
        os.utime(place)
    except OSError:
        return False
    return True
