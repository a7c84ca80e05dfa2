"""The ground of the acting half: bounded reads, whole writes, a lock. `os` only."""

from __future__ import annotations

import os
import stat
import sys

from loopgraph.model.errors import BusyError, UnreadableError

LIMIT = 8 * 1024 * 1024
"""No file of a run is larger; a larger one is refused by name."""

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)


def read(path: str, limit: int = LIMIT) -> bytes:
    """The bytes of a regular file of at most `limit` bytes; links and devices are refused."""
    try:
        handle = os.open(path, os.O_RDONLY | _NO_FOLLOW | _BINARY)
    except OSError as error:
        if os.path.islink(path):  # noqa: PTH114  this floor knows `os` only
            raise UnreadableError("a symbolic link is not followed here", where=path) from None
        raise UnreadableError(_why(error), where=path) from None
    try:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            raise UnreadableError("not a regular file", where=path)
        if info.st_size > limit:
            raise UnreadableError(f"larger than {_size(limit)}", where=path)
        parts = []
        left = limit + 1
        while left > 0 and (part := os.read(handle, min(left, 1 << 20))):
            parts.append(part)
            left -= len(part)
    except OSError as error:
        raise UnreadableError(_why(error), where=path) from None
    finally:
        os.close(handle)
    if left <= 0:
        raise UnreadableError(f"larger than {_size(limit)}", where=path)
    return b"".join(parts)


def write_new(path: str, data: bytes) -> None:
    """Write a file that is not there yet, and see it on the disk before returning."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o644)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(handle, view) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(path: str) -> None:
    """Make a folder's entries durable, where the system can."""
    if sys.platform == "win32":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:
        pass  # some file systems refuse; the rename itself is still atomic
    finally:
        os.close(handle)


class Lock:
    """A lock between processes on a file of its own; the system frees it when a holder dies."""

    def __init__(self, path: str, *, wait: float = 10.0) -> None:
        """Take the lock within `wait` seconds, or raise BusyError."""
        self._path, self._wait = path, wait
        self._handle = -1

    def __enter__(self) -> Lock:
        import time  # noqa: PLC0415  only who waits pays for it

        flags = os.O_RDWR | os.O_CREAT | _BINARY | getattr(os, "O_NOFOLLOW", 0)
        self._handle = os.open(self._path, flags, 0o644)
        end = time.monotonic() + self._wait
        while not _try_lock(self._handle):
            if time.monotonic() >= end:
                os.close(self._handle)
                raise BusyError(
                    "another loopgraph holds the lock",
                    where=self._path,
                    fix="Try again when it has ended.",
                )
            time.sleep(0.02)
        return self

    def __exit__(self, *_: object) -> None:
        _unlock(self._handle)
        os.close(self._handle)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(handle: int) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


def _why(error: OSError) -> str:
    """An OSError in a few plain words."""
    return (error.strerror or "cannot be read").lower()


def _size(limit: int) -> str:
    """A limit in the largest unit that it fills."""
    return f"{limit >> 20} MiB" if limit >= 1 << 20 else f"{limit >> 10} KiB"
