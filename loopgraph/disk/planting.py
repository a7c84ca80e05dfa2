"""One tree from another: some paths are gone, others are put in, all the rest stays.

Only the folders on the way to a path are read and written anew. Values in, values out: whoever
calls reads the old folders, and writes the new ones.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from loopgraph.disk import git

TREE: Final = "40000"


class Entry(NamedTuple):
    """A path of a tree."""

    mode: str
    id: str


class Planted(NamedTuple):
    """A tree, and what has to be written for it."""

    tree: str
    made: Mapping[str, bytes]
    """Id to the bytes of each folder that is not as it was."""
    folders: Mapping[str, bytes]
    """Those on the way to a path, as they are now."""


def folders(paths: Iterable[str]) -> set[str]:
    """The folders on the way to paths; the root is empty."""
    found = {""}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found


def plant(
    changes: Mapping[str, Entry | None], old: Mapping[str, bytes], algorithm: str
) -> Planted | None:
    """The tree with these changes; None for a path that is gone.

    `old` has the bytes of each of its `folders` that the old tree has. None is returned where one
    is missing: somebody took it away.
    """
    here: dict[str, dict[str, Entry | None]] = {folder: {} for folder in folders(changes)}
    below: dict[str, dict[str, str]] = {folder: {} for folder in here}
    for path, entry in changes.items():
        folder, _slash, name = path.rpartition("/")
        here[folder][name] = entry
    made: dict[str, bytes] = {}
    now: dict[str, bytes] = {}
    width = 32 if algorithm == "sha256" else 20
    for folder in sorted(here, key=depth, reverse=True):
        was = old.get(folder, b"")
        rows = parse(was, width)
        inner = (name for name in below[folder] if name in rows and rows[name].mode == TREE)
        if any((f"{folder}/{name}" if folder else name) not in old for name in inner):
            return None
        _change(rows, below[folder], here[folder])
        data = now[folder] = written(rows)
        id_ = git.named(data, algorithm, "tree")
        if data != was or folder not in old:
            made[id_] = data
        above, _slash, name = folder.rpartition("/")
        if folder:
            below[above][name] = id_ if rows else ""
    return Planted(id_, made, now)


def depth(folder: str) -> int:
    """How many folders it is in, itself among them; none for the root."""
    return folder.count("/") + bool(folder)


def _change(
    rows: dict[str, Entry], below: Mapping[str, str], here: Mapping[str, Entry | None]
) -> None:
    """Bring a folder up to date; what is in it first, since a file may take a folder's place."""
    for name, id_ in below.items():
        if id_:
            rows[name] = Entry(TREE, id_)
        elif name in rows and rows[name].mode == TREE:
            del rows[name]
    for name, entry in here.items():
        if entry is not None:
            rows[name] = entry
        elif name in rows and rows[name].mode != TREE:
            del rows[name]


def parse(data: bytes, width: int) -> dict[str, Entry]:
    """The entries of a tree object; an id has `width` bytes."""
    found: dict[str, Entry] = {}
    at = 0
    while at < len(data):
        end = data.index(b"\0", at)
        mode, _blank, name = data[at:end].partition(b" ")
        at = end + 1 + width
        found[os.fsdecode(name)] = Entry(mode.decode(), data[end + 1 : at].hex())
    return found


def written(rows: Mapping[str, Entry]) -> bytes:
    """A tree object of entries, in git's order: a folder stands as if its name ended in a slash."""
    named = sorted(
        (os.fsencode(name) + (b"/" if entry.mode == TREE else b""), entry)
        for name, entry in rows.items()
    )
    return b"".join(
        b"%b %b\0%b" % (entry.mode.encode(), name.removesuffix(b"/"), bytes.fromhex(entry.id))
        for name, entry in named
    )
