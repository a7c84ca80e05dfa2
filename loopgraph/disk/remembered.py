"""What one snapshot remembers for the next, so that only what changed is read.

Two files of ours. `index` is in git's form, with the size, times and inode of each file as git
would note them: git itself says which files are no longer so. `known` says what came since: it is
small, and an index of many files need not be written for a few that changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from loopgraph.disk import floor
from loopgraph.disk.stores import Store

FEW: Final = 200
"""Paths that `known` holds at most; beyond, they go into the index."""
FRESH: Final = "?"
"""The stamp of a file that was changed a moment before it was read: it may change again and keep
its times, so it is read again."""
_SIZE: Final = 1 << 28


class Kept(NamedTuple):
    """A path that is not as our index has it."""

    stamp: str
    """Of the file that was read; empty where there is none."""
    mode: str
    """Empty: the path is gone."""
    id: str


class LeftOut(NamedTuple):
    """A path that is to be in no tree."""

    stamp: str
    why: str
    """Empty, as the stamp, for a tracked file that is not there."""


class Known(NamedTuple):
    """What the last snapshot knew."""

    rules: str
    """What decided that a file is left out."""
    tree: str
    """What came of it; empty for nothing."""
    ours: str
    """The checksum of our index; empty where there is none."""
    theirs: str
    """The checksum of git's own index; empty for unknown."""
    tracked: str
    """Digest of the paths in git's own index."""
    modules: Mapping[str, str]
    """Its submodules, each with the commit."""
    others: frozenset[str]
    """Paths that are not in it, and were written all the same."""
    always: frozenset[str]
    """Paths that were written whatever is ignored."""
    left_out: Mapping[str, LeftOut]
    since: Mapping[str, Kept]
    """What is not as our index has it."""


def nothing(rules: str) -> Known:
    """What is known where there was no snapshot."""
    return Known(rules, "", "", "", "", {}, frozenset(), frozenset(), {}, {})


def recall(place: Store, rules: str) -> Known:
    """What the last snapshot knew; nothing where one of our files is not as it left them."""
    data = floor.peek(str(place.private / "known"), _SIZE)
    try:
        found = json.loads(data or b"{}")
        known = Known(
            str(found["rules"]),
            str(found["tree"]),
            str(found["ours"]),
            str(found["theirs"]),
            str(found["tracked"]),
            {path: str(id_) for path, id_ in found["modules"].items()},
            frozenset(found["others"]),
            frozenset(found["always"]),
            {path: LeftOut(*map(str, said)) for path, said in found["left_out"].items()},
            {path: Kept(*map(str, said)) for path, said in found["since"].items()},
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return nothing(rules)
    same = known.rules == rules and known.ours == checksum(place, place.private / "index")
    return known if same else nothing(rules)


def note(place: Store, known: Known) -> None:
    """Write down what the next snapshot may rely on."""
    data = known._asdict()
    data |= {"others": sorted(known.others), "always": sorted(known.always)}
    floor.replace(str(place.private / "known"), json.dumps(data).encode(), durable=False)


def forget(place: Store) -> None:
    """Have everything read again."""
    for name in ("index", "known"):
        floor.remove(str(place.private / name))


def checksum(place: Store, index: os.PathLike[str]) -> str:
    """What an index ends in: a checksum of all that stands in it; empty where there is none."""
    found = floor.tail(os.fspath(index), _width(place))
    return found[0].hex() if found and any(found[0]) else ""


def stamp(info: os.stat_result) -> str:
    """Whether a file is as it was."""
    return f"{info.st_mode:o} {info.st_size} {info.st_mtime_ns} {info.st_ctime_ns} {info.st_ino}"


def look(place: Store, path: str) -> os.stat_result | None:
    """What lies at a path; None for nothing."""
    try:
        return os.lstat(f"{place.folder}{os.sep}{path}")
    except (OSError, ValueError):
        return None


def stamp_of(place: Store, path: str) -> str:
    """The stamp of what lies at a path; empty for nothing."""
    info = look(place, path)
    return stamp(info) if info else ""


# The index -------------------------------------------------------------------------------------


def names(place: Store, known: Known) -> frozenset[str]:
    """The paths that are known, in a tree or left out."""
    listed = place.answer("ls-files", "-z", "--cached") if known.ours else b""
    indexed = {path for path in os.fsdecode(listed or b"").split("\0") if path}
    gone = {path for path, kept in known.since.items() if not kept.mode}
    return frozenset((indexed | known.since.keys()) - gone | known.left_out.keys())


def fold(place: Store, known: Known) -> Known:
    """Put what came since into the index."""
    gone = [*known.left_out, *(path for path, kept in known.since.items() if not kept.mode)]
    said = "".join(f"0 {place.none}\t{path}\0" for path in gone)
    there = {path: kept for path, kept in known.since.items() if kept.mode}
    said += "".join(f"{kept.mode} {kept.id}\t{path}\0" for path, kept in there.items())
    place.must("update-index", "-z", "--index-info", stdin=os.fsencode(said))
    looked = ((path, kept.stamp, look(place, path)) for path, kept in there.items())
    _stamp(place, {path: info for path, was, info in looked if info and stamp(info) == was})
    return known._replace(ours=checksum(place, place.private / "index"), since={})


_FIXED: Final = 40
"""Bytes of an entry before its id: ten numbers, the seventh its mode."""


def _width(place: Store) -> int:
    return 32 if place.asked.algorithm == "sha256" else 20


def _stamp(place: Store, stats: Mapping[str, os.stat_result]) -> None:
    """Write sizes, times and inodes into our index, as git would had it added the files.

    An entry that is not found is only read again the next time.
    """
    index, width = place.private / "index", _width(place)
    data = bytearray(index.read_bytes())
    if data[:8] != b"DIRC\0\0\0\2":
        return
    wanted = {os.fsencode(path): info for path, info in stats.items()}
    for at, name in _places(data, wanted, width):
        info = wanted[name]
        struct.pack_into(">6I", data, at, *_times(info))
        struct.pack_into(">3I", data, at + 28, *_rest(info))
    algorithm = place.asked.algorithm
    data[-width:] = hashlib.new(algorithm, data[:-width], usedforsecurity=False).digest()
    floor.replace(str(index), bytes(data), durable=False)


def _places(data: bytearray, wanted: Iterable[bytes], width: int) -> Iterator[tuple[int, bytes]]:
    """Where the entries of paths begin."""
    head = _FIXED + width + 2
    at = 12
    for _number in range(int.from_bytes(data[8:12], "big")):
        end = data.index(0, at + head)
        name = bytes(data[at + head : end])
        if name in wanted:
            yield at, name
        at += (head + len(name) + 8) & ~7


def _times(info: os.stat_result) -> tuple[int, ...]:
    ids = (info.st_dev, info.st_ino) if sys.platform != "win32" else (0, 0)
    moments = (info.st_ctime_ns, info.st_mtime_ns)
    parts = [part for moment in moments for part in divmod(moment, 1_000_000_000)]
    return tuple(part & 0xFFFFFFFF for part in (*parts, *ids))


def _rest(info: os.stat_result) -> tuple[int, ...]:
    who = (info.st_uid, info.st_gid) if sys.platform != "win32" else (0, 0)
    return tuple(part & 0xFFFFFFFF for part in (*who, info.st_size))
