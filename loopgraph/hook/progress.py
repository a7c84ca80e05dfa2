"""What has moved since the last block: rows, ledgers, commits, and the files of the tree.

Files are told apart by size and time alone: looking is cheap, and a hook reads no code.
"""

from __future__ import annotations

import os

from loopgraph.disk import floor
from loopgraph.hook import world as worlds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from loopgraph.hook.world import World

PATHS = 2000
"""So many paths are looked at: first those of git's index, then others of the workspace."""
_INDEX_LIMIT = 16 * 1024 * 1024
_OURS = (".longgraph/", ".omo/", ".omx/", ".claude/", ".codex/")
"""What changes by being continued is no progress."""
_BULK = (
    "node_modules", "__pycache__", "build", "coverage", "dist", "htmlcov", "target", "venv",
)  # fmt: skip
_LOG = ".log"
"""What is made, not written; so is whatever begins with a dot. What git tracks counts anyway."""


def marks(paths: list[str], git: str) -> str:
    """The state of ledgers and evidence, and of HEAD, as one number in text."""
    folder = worlds.git_folder(git)
    heads = [f"{folder}/HEAD", f"{folder}/logs/HEAD"] if folder else []
    return _number([*paths, *heads])


def tree(world: World, write_set: list[str] | None, own: list[str]) -> str:
    """The state of the tree: of what git tracks and the folders it is in, and of the write set.

    Where git tracks little or nothing yet, what else lies in the workspace counts as well: new code
    is seen before its first commit. `own` are files that do not count.
    """
    paths = [os.path.join(world.root, path) for path in write_set or ()]
    names: list[str] = []
    if world.git:
        top = os.path.dirname(world.git)
        data = floor.peek(f"{worlds.git_folder(world.git)}/index", _INDEX_LIMIT)
        names = [] if data is None else tracked(data, PATHS)
        names = [name for name in names if not name.startswith(_OURS)]
        folders = {name.rpartition("/")[0] for name in names}
        paths += [f"{top}/{name}" for name in [*names, *sorted(folders)]]
    paths += _below(world.root, PATHS - len(names))
    return _number(_without(paths, own))


def _without(paths: list[str], own: list[str]) -> list[str]:
    """Paths but some, however both are written."""
    out = [os.path.normcase(os.path.normpath(path)) for path in own]
    ends = tuple(os.path.basename(path) for path in own)
    return [
        path
        for path in paths
        if not (path.endswith(ends) and os.path.normcase(os.path.normpath(path)) in out)
    ]


def _below(root: str, room: int) -> list[str]:
    """The first paths below a folder, the nearest first; no link is followed."""
    found: list[str] = []
    waiting = [root]
    for folder in waiting:
        if len(found) >= room:
            break
        try:
            with os.scandir(folder) as entries:
                some = [entry for entry, _turn in zip(entries, range(room), strict=False)]
        except OSError:
            continue
        for entry in sorted(some, key=_name):
            if entry.name.startswith(".") or entry.name in _BULK or entry.name.endswith(_LOG):
                continue
            found.append(entry.path)
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
    return found[: max(room, 0)]


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _number(paths: list[str]) -> str:
    """Names, sizes and times of many files in one number; it stays while nothing moves."""
    found = len(paths)
    for path in paths:
        # Python hashes a text in each process anew, and a number always alike.
        found = hash((found, int.from_bytes(os.fsencode(path), "big")))
        try:
            info = os.stat(path, follow_symlinks=False)
        except (OSError, ValueError):
            found = hash((found, -1))
        else:
            found = hash((found, info.st_size, info.st_mtime_ns))
    return str(found)


_HEADER = 12
_STATS = 40
"""Bytes of an entry before its object id."""
_EXTENDED = 0x4000
_LENGTH = 0xFFF
_COMPRESSED = 4
"""The version in which a name is told by its difference from the one before."""


def tracked(index: bytes, limit: int) -> list[str]:
    """The first paths of a git index of version 2, 3 or 4; none of anything else."""
    version = int.from_bytes(index[4:8], "big")
    if index[:4] != b"DIRC" or version not in (2, 3, _COMPRESSED):
        return []
    count = min(int.from_bytes(index[8:_HEADER], "big"), limit)
    best: list[str] = []
    # An index does not say how long its ids are: SHA-1's are 20 bytes, SHA-256's 32.
    for wide in (20, 32):
        names = _names(index, count, wide, compressed=version == _COMPRESSED)
        if len(names) == count:
            return names
        best = max(best, names, key=len)
    return best


def _names(index: bytes, count: int, wide: int, *, compressed: bool) -> list[str]:
    """Paths, up to the first entry that is none."""
    names: list[str] = []
    at, before = _HEADER, b""
    while len(names) < count and at + _STATS + wide + 2 < len(index):
        start = at + _STATS + wide + 2
        flags = int.from_bytes(index[start - 2 : start], "big")
        start += 2 if flags & _EXTENDED else 0
        kept = b""
        if compressed:
            drop, start = _offset(index, start)
            kept = before[: max(len(before) - drop, 0)]
        end = index.find(b"\0", start)
        name = kept + index[start:end]
        if end < 0 or min(len(name), _LENGTH) != flags & _LENGTH:
            break
        names.append(os.fsdecode(name))
        before = name
        at = end + 1 if compressed else at + ((end - at) // 8 + 1) * 8
    return names


def _offset(index: bytes, at: int) -> tuple[int, int]:
    """A number of git's varying length, and where it ends."""
    value = index[at] & 0x7F
    while index[at] & 0x80 and at + 1 < len(index):
        at += 1
        value = (value + 1) << 7 | (index[at] & 0x7F)
    return value, at + 1
