"""Write what a folder holds as a tree of git objects, and touch nothing that git itself uses.

git says which files there are and which are not as the last snapshot saw them (`remembered`); those
are read (`snapshot_files`) and put into the tree that came of it (`planting`).
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Final, NamedTuple

from loopgraph.disk import floor, git, planting, remembered, stores
from loopgraph.disk.loose import Loose
from loopgraph.disk.planting import TREE, Entry, Planted
from loopgraph.disk.remembered import Kept, Known
from loopgraph.disk.snapshot_files import MODULE, Files, tracked
from loopgraph.disk.stores import Object, Store
from loopgraph.model.errors import UnreadableError
from loopgraph.model.messages import _

_VERSION: Final = "loopgraph trees 2"
"""Of what decides that a file is left out; another one reads everything again."""
_SOME: Final = 20
"""So many new folders are written without asking whether git has them packed already."""
_TRIES: Final = 4
"""So often git is asked while somebody writes its index; the next snapshot sees the rest."""
_GONE: Final = Kept("", "", "")
_NONE: Final[Mapping[str, bytes]] = {}


class LeftOut(NamedTuple):
    """A file that is not in a snapshot."""

    path: str
    """Relative to the workspace."""
    why: str
    """In a few words."""


class Written(NamedTuple):
    """One folder as git objects."""

    tree: str
    left_out: tuple[LeftOut, ...]
    inner: tuple[str, ...]
    """Repositories below it, relative to it: each has a snapshot of its own."""
    folders: Mapping[str, bytes]
    """Those of the tree that were read or made on the way, as they are in it."""
    named: tuple[Object | None, ...]
    """What git has under each name that was asked for."""


def write(
    place: Store,
    closed_to: tuple[str, ...] = (),
    always: Iterable[str] = (),
    names: tuple[str, ...] = (),
) -> Written:
    """Write what the folder holds: tracked and untracked files, never ignored ones.

    `closed_to` are globs of what the data policy keeps out, `always` paths that are written
    whatever is ignored. `names` are asked for in passing: they cost no process.
    """
    rules = _rules(place, closed_to)
    with floor.Lock(str(place.private / "lock"), wait=60):
        floor.remove(str(place.private / "index.lock"))
        known = remembered.recall(place, rules)
        asked = _Asked(closed_to, tuple(always), names)
        found = _look(place, known, asked)
        if found is None:  # objects went away: somebody pruned, so everything is written again
            found = _look(place, remembered.nothing(rules), asked)
        if found is None:
            raise place.failed("cat-file")
        remembered.note(place, found.known)
    named = tuple(
        LeftOut(place.below(path), one.why)
        for path, one in sorted(found.known.left_out.items())
        if one.why
    )
    return Written(found.known.tree, named, found.inner, found.folders, found.named)


def _rules(place: Store, closed_to: tuple[str, ...]) -> str:
    said = "\0".join((_VERSION, place.asked.algorithm, sys.platform, *closed_to))
    return hashlib.sha256(said.encode("utf-8", "surrogateescape")).hexdigest()


class _Asked(NamedTuple):
    """What a snapshot is to hold, and what else is asked."""

    closed_to: tuple[str, ...]
    always: tuple[str, ...]
    names: tuple[str, ...]


class _Look(NamedTuple):
    """What this snapshot knows, and what came of it."""

    known: Known
    inner: tuple[str, ...]
    folders: Mapping[str, bytes]
    named: tuple[Object | None, ...]


def _look(place: Store, known: Known, asked: _Asked) -> _Look | None:
    """Bring what is known up to what lies there; None where objects of it went away."""
    files = Files(place, asked.closed_to, time.time_ns())
    if not known.tree:
        remembered.forget(place)
    with place.ask() as asking:  # it finds its way into the repository meanwhile
        told = _listed(place, known)
        if told is not None:
            gone = _read(place, known, told, asked, files)
            changes: dict[str, Entry | None] = dict.fromkeys((*gone, *files.left_out))
            changes.update({path: Entry(one.mode, one.id) for path, one in files.kept.items()})
            folders = _folders(known.tree, changes)
            objects = place.told(asking, (*asked.names, *folders.values()))
    if told is None:  # our index is broken: everything is read again
        return _look(place, remembered.nothing(known.rules), asked)
    old = _odd(place, folders, _trees(folders, objects[len(asked.names) :]))
    planted = _plant(place, known.tree, changes, old)
    if planted is None:
        return None
    note = _noted(known, told, asked, files, gone)._replace(tree=planted.tree)
    if len(note.since) > remembered.FEW:
        note = remembered.fold(place, note)
    inner = {path.rstrip("/") for path in told.others if path.endswith("/")}
    inner.update(told.modules)
    return _Look(note, tuple(sorted(inner)), planted.folders, tuple(objects[: len(asked.names)]))


def _read(place: Store, known: Known, told: _Told, asked: _Asked, files: Files) -> frozenset[str]:
    """Read what is new or changed; the paths that are to be in no tree any more."""
    wanted = {*told.files, *known.always, *asked.always}
    if told.tracked == known.tracked:
        new = frozenset(wanted - known.others - known.always)
        gone = frozenset(known.others - wanted)
    else:
        files.indexed = tracked(place)
        wanted.update(files.indexed)
        ours = remembered.names(place, known)
        new, gone = frozenset(wanted - ours), ours - wanted
    files.read(sorted({*new, *_changed(place, known, told)} - gone))
    return gone


def _noted(known: Known, told: _Told, asked: _Asked, files: Files, gone: frozenset[str]) -> Known:
    """What the next snapshot may rely on."""
    past = gone | files.kept.keys() | files.left_out.keys()
    left = {path: one for path, one in known.left_out.items() if path not in past}
    since = {path: one for path, one in known.since.items() if path not in files.left_out}
    always = known.always | frozenset(asked.always)
    return known._replace(
        theirs=told.theirs,
        tracked=told.tracked,
        modules=told.modules,
        others=frozenset(told.files),
        always=frozenset(path for path in always if path not in files.left_out),
        left_out={**left, **files.left_out},
        since={**since, **dict.fromkeys(gone, _GONE), **files.kept},
    )


def _changed(place: Store, known: Known, told: _Told) -> Iterable[str]:
    """The known paths that are to be read again."""
    yield from (
        path for path in told.changed if path not in known.since and path not in known.left_out
    )
    for path, kept in known.since.items():
        if not kept.mode or kept.mode == MODULE:
            continue
        # What is not checked out has no stamp: its commit may be another once the index is.
        if remembered.stamp_of(place, path) != kept.stamp or (
            not kept.stamp and told.theirs != known.theirs
        ):
            yield path
    for path, one in known.left_out.items():
        if remembered.stamp_of(place, path) != one.stamp:
            yield path
    yield from (path for path, id_ in told.modules.items() if known.modules.get(path) != id_)


class _Told(NamedTuple):
    """What git says of the folder."""

    theirs: str
    """The checksum of its index; empty where it is none that can be relied on."""
    tracked: str
    """Digest of its own index: a tag and a path each."""
    others: list[str]
    """What is untracked: files, and with a slash at the end a repository of its own."""
    changed: list[str]
    """Paths of our index that are not as they were, or are gone."""
    modules: Mapping[str, str]

    @property
    def files(self) -> list[str]:
        """The files that are untracked."""
        return [path for path in self.others if not path.endswith("/")]


def _listed(place: Store, known: Known) -> _Told | None:
    """What git says; None where our index broke.

    A file that is staged between two answers may be in neither, so they are asked for again.
    """
    for _try in range(_TRIES):
        told, is_steady = _answers(place, known)
        if is_steady:
            break
    return told


def _answers(place: Store, known: Known) -> tuple[_Told | None, bool]:
    """Up to three at once: two of git's own index, one of ours; and whether its own held still."""
    start, git_index = place.asked.start, place.own / "index"
    theirs = remembered.checksum(place, git_index)
    same = bool(theirs) and theirs == known.theirs
    others = start("ls-files", "-z", "--others", "--exclude-standard")
    listing = None if same else start("ls-files", "-z", "--cached", "-t")
    differing = start(
        *place.ours, "diff-files", "-z", "--name-only", "--ignore-submodules=all", "--no-renames",
        more={**place.more, "GIT_INDEX_FILE": str(place.private / "index")},
    ) if known.ours else None  # fmt: skip
    found = git.output(others)
    paths = git.output(listing) if listing else b""
    changed = git.output(differing) if differing else b""
    if found is None or paths is None:
        raise UnreadableError(
            _("git cannot list its files"),
            where=str(place.folder),
            fix=_("See what `git status` says here."),
        )
    if changed is None:
        return None, True
    if same:
        digest, modules = known.tracked, known.modules
    else:
        digest, modules = hashlib.sha256(paths).hexdigest(), _modules(place)
    is_steady = theirs == remembered.checksum(place, git_index)
    known_as = theirs if is_steady else ""  # somebody wrote it meanwhile
    return _Told(known_as, digest, _names(found), _names(changed), modules), is_steady


def _names(listed: bytes) -> list[str]:
    return [path for path in os.fsdecode(listed).split("\0") if path]


def _modules(place: Store) -> dict[str, str]:
    """The submodules, each with the commit that is staged."""
    if not (place.asked.base / ".gitmodules").exists():
        return {}
    return {path: one.id for path, one in tracked(place).items() if one.mode == MODULE}


# Trees -----------------------------------------------------------------------------------------


def _folders(tree: str, changes: Iterable[str]) -> dict[str, str]:
    """The folders of a tree that are to be read, and how git calls each.

    The root is among them even where nothing changed: it must still be there.
    """
    return {folder: f"{tree}:{folder}" for folder in planting.folders(changes)} if tree else {}


def _trees(folders: Iterable[str], found: Iterable[Object | None]) -> dict[str, bytes]:
    """The folders that are one."""
    return {
        folder: one.data
        for folder, one in zip(folders, found, strict=True)
        if one and one.kind == "tree"
    }


def _odd(place: Store, folders: Iterable[str], found: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """The same with those whose names are no line: each by its id, which the one above it has."""
    odd = [folder for folder in folders if folder not in found and not stores.is_line(folder)]
    known = dict(found)
    for _depth, level in groupby(sorted(odd, key=planting.depth), key=planting.depth):
        ids = {folder: id_ for folder in level if (id_ := _id(place, folder, known))}
        known.update(_trees(ids, place.objects_of(ids.values())))
    return known


def _id(place: Store, folder: str, known: Mapping[str, bytes]) -> str:
    """The id of a folder, as the one above it says; empty for none."""
    above, _slash, name = folder.rpartition("/")
    rows = planting.parse(known.get(above, b""), len(place.none) // 2)
    return rows[name].id if name in rows and rows[name].mode == TREE else ""


def _plant(
    place: Store, tree: str, changes: Mapping[str, Entry | None], old: Mapping[str, bytes]
) -> Planted | None:
    """Write a tree with changes; None where objects of the old one went away."""
    if tree and "" not in old:
        return None
    planted = planting.plant(changes, old, place.asked.algorithm)
    if planted is None:
        return None
    made = planted.made
    if len(made) > _SOME:
        there = _there(place, made)
        made = {id_: data for id_, data in made.items() if id_ not in there}
    with Loose(place.objects, place.asked.algorithm) as loose:
        for data in made.values():
            loose.add(data, "tree")
    return planted


def _there(place: Store, ids: Iterable[str]) -> frozenset[str]:
    """Which objects git has already."""
    said = "".join(f"{id_}\n" for id_ in ids).encode()
    told = place.must("cat-file", "--batch-check=%(objectname)", stdin=said)
    return frozenset(line for line in told.decode().split("\n") if " " not in line)


def again(
    place: Store, tree: str, prefix: str, paths: Iterable[str], known: Mapping[str, bytes] = _NONE
) -> str:
    """A tree once more, with what lies below a folder as it is now.

    `known` are folders of the tree that need not be read.
    """
    files = Files(place, (), time.time_ns())
    files.read(paths)
    start = len(prefix) + 1
    below = {path[start:]: Entry(one.mode, one.id) for path, one in files.kept.items()}
    folder = _plant(place, "", below, {})
    assert folder is not None  # noqa: S101  it leans on nothing
    changes = {prefix: Entry(TREE, folder.tree)}
    wanted = _folders(tree, changes)
    old = {path: known[path] for path in wanted if path in known}
    if len(old) < len(wanted):
        old = dict(_odd(place, wanted, _trees(wanted, place.objects_of(wanted.values()))))
    made = _plant(place, tree, changes, old)
    if made is None:
        raise place.failed("cat-file")
    return made.tree
