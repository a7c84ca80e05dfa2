"""The ground of the acting half: bounded reads, whole writes, a lock. `os` only.

The Stop hook stands on it, so an error of the model is imported where one is raised.
"""

from __future__ import annotations

import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from loopgraph.model.errors import BusyError, UnreadableError

LIMIT = 8 * 1024 * 1024
"""No file of a run is larger; a larger one is refused by name."""

_LARGER = "larger than "
_LINK = "a symbolic link is not followed here"
_ODD = "no path has such a character"
_IRREGULAR = "not a regular file"
_UNKNOWN = "cannot be read"

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)


def read(path: str, limit: int = LIMIT) -> bytes:
    """The bytes of a regular file of at most `limit` bytes; links and devices are refused."""
    found = _taken(path, limit)
    if isinstance(found, str):
        raise _unreadable(found, path)
    return found


def peek(path: str, limit: int = LIMIT) -> bytes | None:
    """What `read` returns, None where it would refuse."""
    found = _taken(path, limit)
    return None if isinstance(found, str) else found


def tail(path: str, size: int) -> tuple[bytes, bool] | None:
    """The last bytes of a regular file, and whether they are all of it; None where unreadable."""
    handle = _opened(path)
    if isinstance(handle, str):
        return None
    try:
        length = os.fstat(handle).st_size
        os.lseek(handle, max(length - size, 0), os.SEEK_SET)
        return _bytes(handle, size), length <= size
    except OSError:
        return None
    finally:
        os.close(handle)


def _taken(path: str, limit: int) -> bytes | str:
    """The bytes of a file, or in a few words why there are none."""
    handle = _opened(path)
    if isinstance(handle, str):
        return handle
    try:
        if os.fstat(handle).st_size > limit:
            return f"{_LARGER}{_size(limit)}"
        found = _bytes(handle, limit + 1)
    except OSError as error:
        return _why(error)
    finally:
        os.close(handle)
    return found if len(found) <= limit else f"{_LARGER}{_size(limit)}"


def _opened(path: str) -> int | str:
    """A handle of a regular file, or why there is none; opening never waits and follows no link."""
    try:
        handle = os.open(path, os.O_RDONLY | _NO_FOLLOW | _BINARY)
    except OSError as error:
        if os.path.islink(path):
            return _LINK
        return _why(error)
    except ValueError:
        return _ODD
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    return _IRREGULAR


def _bytes(handle: int, limit: int) -> bytes:
    """What a handle gives, up to a limit."""
    parts = []
    left = limit
    while left > 0 and (part := os.read(handle, min(left, 1 << 20))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _unreadable(what: str, path: str) -> UnreadableError:
    from loopgraph.model.errors import UnreadableError  # noqa: PLC0415  see the first lines

    return UnreadableError(_told(what), where=path)


def _told(why: str) -> str:
    """A reason in the reader's language; the hook, which reads none, never comes here."""
    from loopgraph.model.messages import _  # noqa: PLC0415  see the first lines

    if why.startswith(_LARGER):
        return _("larger than {size}", size=why.removeprefix(_LARGER))
    known = (
        _("a symbolic link is not followed here"),
        _("no path has such a character"),
        _("not a regular file"),
        _("cannot be read"),
    )
    return dict(zip((_LINK, _ODD, _IRREGULAR, _UNKNOWN), known, strict=True)).get(why, why)


def write_new(path: str, data: bytes, *, mode: int = 0o644, durable: bool = True) -> None:
    """Write a file that is not there yet, and see it on the disk before returning."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(handle, view) :]
        if durable:
            os.fsync(handle)
    finally:
        os.close(handle)


def draft_of(path: str) -> str:
    """The file that `replace` writes before it renames it: what a kill may leave."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name}.draft")


def replace(  # noqa: PLR0913  what a whole write may be asked for
    path: str,
    data: bytes,
    *,
    mode: int = 0o644,
    durable: bool = True,
    like: os.stat_result | None = None,
    unless: Callable[[], bool] | None = None,
) -> bool:
    """Write a file anew as one step: whoever reads it sees the old bytes or the new ones.

    The name of the draft is always the same, so that a crash leaves one at most. Call it under a
    lock. Not `durable`: a power cut may bring the old bytes back. `like`: keep this mode and owner.
    `unless`: asked at the last moment, when all that is left is the step itself; where it says
    yes, nothing is replaced, and the answer is False.
    """
    draft = draft_of(path)
    remove(draft)
    try:
        write_new(draft, data, mode=mode, durable=durable)
        if like is not None:
            _resemble(draft, like)
        if unless is not None and unless():
            remove(draft)
            return False
        _moved(draft, path)
    except OSError:
        remove(draft)
        raise
    if durable:
        sync_folder(os.path.dirname(path) or ".")
    return True


def _resemble(path: str, like: os.stat_result) -> None:
    """Give a file the owner of another, where we may, and its mode."""
    if sys.platform != "win32" and (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
        try:  # noqa: SIM105  contextlib would cost every hook a tenth of its life
            os.chown(path, like.st_uid, like.st_gid)
        except OSError:
            pass  # it is ours then, as with any editor
    os.chmod(path, stat.S_IMODE(like.st_mode))


def _moved(source: str, target: str) -> None:
    """Rename over a file; on Windows somebody may hold it open for a moment."""
    for _ in range(20 if sys.platform == "win32" else 0):
        try:
            os.replace(source, target)
        except PermissionError:
            _sleep(0.05)
        else:
            return
    os.replace(source, target)


def remove(path: str) -> bool:
    """Remove a file; whether it was there and is gone."""
    try:
        os.unlink(path)
    except OSError:
        return False
    return True


def append(path: str, data: bytes, *, cap: int) -> None:
    """Add to a log; at `cap` bytes it becomes `<path>.1`, and what was there before goes."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | _BINARY | _NO_FOLLOW
    handle = os.open(path, flags, 0o600)
    try:
        length = os.fstat(handle).st_size
        os.write(handle, data)
    finally:
        os.close(handle)
    if length > cap:
        os.replace(path, f"{path}.1")


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

    def __init__(self, path: str, *, wait: float = 10.0, create: bool = True) -> None:
        """Take the lock within `wait` seconds, or raise BusyError.

        Without `create`, a lock file that is not there locks nothing.
        """
        self._path, self._wait, self._create = path, wait, create
        self._handle = -1

    def __enter__(self) -> Self:
        flags = _BINARY | _NO_FOLLOW
        flags |= os.O_RDWR | os.O_CREAT if self._create else os.O_RDONLY
        left = self._wait
        while True:
            try:
                self._handle = os.open(self._path, flags, 0o644)
            except FileNotFoundError:
                if self._create:
                    raise
                return self
            while not _try_lock(self._handle):
                if left <= 0:
                    os.close(self._handle)
                    self._handle = -1
                    raise _busy(self._path)
                _sleep(0.02)
                left -= 0.02
            # Who made the file in vain takes it away again: a lock on what is gone locks nothing.
            if self._is_there():
                return self
            os.close(self._handle)
            self._handle = -1

    def _is_there(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._handle), os.stat(self._path))
        except OSError:
            return False

    def __exit__(self, *_: object) -> None:
        if self._handle >= 0:
            _unlock(self._handle)
            os.close(self._handle)
            self._handle = -1


def _busy(path: str) -> BusyError:
    from loopgraph.model.errors import BusyError  # noqa: PLC0415  see the first lines
    from loopgraph.model.messages import _  # noqa: PLC0415  see the first lines

    fix = _("Try again when it has ended.")
    return BusyError(_("another loopgraph holds the lock"), where=path, fix=fix)


def _sleep(seconds: float) -> None:
    import time  # noqa: PLC0415  only who waits pays for it

    time.sleep(seconds)


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
    return (error.strerror or _UNKNOWN).lower()


def _size(limit: int) -> str:
    """A limit in the largest unit that it fills."""
    return f"{limit >> 20} MiB" if limit >= 1 << 20 else f"{limit >> 10} KiB"
