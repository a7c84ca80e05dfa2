"""Snapshots: what the workspace held when a round began and when it was recorded.

A snapshot `R3` (or `R3.start`, `R5.before-restore`) is, in each repository of the workspace, a tag
object that points to a tree: `refs/loopgraph/<key>/<run>/R3`. A tag of a tree is kept by `git gc`,
bears a time, and stands in nobody's `git log --all`. The key tells worktrees of one repository
apart and says nothing about the machine. The tree has the run's own files as they were after the
command, whatever is ignored. Where `.git` cannot be written the same lies below
`.longgraph/.objects`. Beside it `evidence/snapshots/R3.json` names the trees and what was measured.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from loopgraph.disk import floor, loose, runs, snapshot_files, snapshot_notes, stores, trees, walk
from loopgraph.disk.loose import Loose
from loopgraph.disk.roots import FOLDER
from loopgraph.disk.stores import Store
from loopgraph.disk.trees import LeftOut
from loopgraph.edges.run import Run
from loopgraph.node import measure as node

CAP: Final = 24
"""Repositories of one workspace that are looked at."""
_WHO: Final = "loopgraph <loopgraph@localhost>"
_NOT_TAKEN: Final = ("fires", "verify")
"""Folders of evidence/ that are bulk."""


class Snapshot(NamedTuple):
    """One snapshot in one repository."""

    name: str
    """`R3`, `R3.start`, `R5.before-restore`."""
    round: int
    repository: str
    """Relative to the workspace; `.` for the workspace's own."""
    id: str
    """The tag object."""
    tree: str
    time: str
    """RFC 3339 with offset."""
    head: str
    """The commit that was checked out; empty on an unborn branch."""
    ref: str
    """Empty where it is kept below `.longgraph/.objects`."""
    branch: str
    """The branch that was checked out; empty where none was, or it is not known."""


class Taken(NamedTuple):
    """The workspace as it is now: written as objects, without a name yet."""

    stores: tuple[Store, ...]
    trees: Mapping[str, str]
    """Repository to its tree."""
    heads: Mapping[str, str]
    left_out: tuple[LeftOut, ...]
    files: Mapping[str, str] | None
    """Path to the digest of its content, of files that no repository holds."""
    named: frozenset[tuple[str, str]]
    """Repository and name of those earlier snapshots that were asked for and have their name."""
    folders: Mapping[str, Mapping[str, bytes]]
    """Repository to those folders of its tree that were read or made on the way."""


# Take ------------------------------------------------------------------------------------------


def take(path: Path, run: Run, environ: Mapping[str, str], earlier: tuple[str, ...] = ()) -> Taken:
    """Write the workspace of a run as objects; nothing else in it changes.

    `earlier` are names of snapshots: `mend` wants to know whether they were given.
    """
    root = runs.root_of(path)
    closed_to = node.data_globs(run)
    taken: list[Store] = []
    found: dict[str, str] = {}
    heads: dict[str, str] = {}
    folders: dict[str, Mapping[str, bytes]] = {}
    left_out: list[LeftOut] = []
    files: dict[str, str] | None = None
    named: set[tuple[str, str]] = set()
    waiting = ["."]
    while waiting and len(taken) < CAP:
        here = waiting.pop(0)
        store = _store(root, here, environ)
        if store is None:
            if here == ".":
                files, inner, more = _plain(root, path, closed_to)
                left_out += more
                waiting += inner
            continue
        always = own(root, path) if here == "." else ()
        asked = ("HEAD^{commit}", *(f"{_prefix(store, path.name)}{name}" for name in earlier))
        written = trees.write(store, closed_to, always, asked)
        taken.append(store)
        found[here] = written.tree
        head, *tags = written.named
        heads[here] = head.id if head else ""
        named |= {(here, name) for name, tag in zip(earlier, tags, strict=True) if tag}
        folders[here] = written.folders
        left_out += written.left_out
        waiting += [one if here == "." else f"{here}/{one}" for one in written.inner]
    return Taken(tuple(taken), found, heads, tuple(left_out), files, frozenset(named), folders)


def _store(root: Path, path: str, environ: Mapping[str, str]) -> Store | None:
    """The store of a repository; one that a link leads to, or that nobody fetched, is none."""
    return stores.store(root, path, environ) if _is_straight(root, path) else None


def _is_straight(root: Path, path: str) -> bool:
    """Whether no link is on the way to a path; Windows has its own slashes."""
    straight = os.path.normpath(os.path.join(os.path.realpath(root), path))  # noqa: PTH118
    return path == "." or os.path.realpath(root / path) == straight


def own(root: Path, path: Path) -> tuple[str, ...]:
    """The files of the run itself, relative to the workspace."""
    found: list[str] = []
    for folder, below, names in os.walk(path):
        here = Path(folder)
        if here.name == "evidence" and here.parent == path:
            below[:] = [name for name in below if name not in _NOT_TAKEN]
        below[:] = sorted(name for name in below if not name.startswith("."))
        prefix = here.relative_to(root).as_posix()
        found += [f"{prefix}/{name}" for name in sorted(names) if not name.startswith(".")]
    return tuple(found)


def _plain(
    root: Path, path: Path, closed_to: tuple[str, ...]
) -> tuple[dict[str, str], list[str], list[LeftOut]]:
    """Outside git: a digest of each file's content, and the repositories below."""
    listed, inner = walk.files(root)
    ours = f"{path.relative_to(root).parts[0]}/"
    found: dict[str, str] = {}
    left_out: list[LeftOut] = []
    for name in listed:
        if name.startswith(ours):
            continue
        if why := snapshot_files.why_not(name, closed_to):
            left_out.append(LeftOut(name, why))
            continue
        data = floor.peek(str(root / name), snapshot_files.LIMIT)
        if data is None:
            left_out.append(LeftOut(name, "over 10 MiB, or it cannot be read"))
        else:
            found[name] = sha256(data).hexdigest()[:16]
    return found, inner, left_out


# Name ------------------------------------------------------------------------------------------


def keep(path: Path, name: str, taken: Taken, now: str) -> None:
    """Give what was taken a name: from now on no clean-up of git takes it away."""
    root = runs.root_of(path)
    prefix = path.relative_to(root).as_posix()
    for store in taken.stores:
        tree = taken.trees[store.path]
        if store.path == ".":
            tree = trees.again(store, tree, prefix, own(root, path), taken.folders["."])
        left = [one for one in taken.left_out if _is_of(one.path, store.path, taken)]
        head = taken.heads.get(store.path, "")
        _name(store, path.name, name, tree, head, now, left, branch=store.branch)


def mend(path: Path, note: Mapping[str, object] | None, taken: Taken) -> None:
    """Give a snapshot its name whose command was killed before it could; `note` is of evidence/."""
    for one in rows(note, "repositories"):
        store = next((own for own in taken.stores if own.path == one.path), None)
        name = str((note or {}).get("name"))
        if store is None or _is_named(store, path.name, name, taken):
            continue
        if store.answer("cat-file", "-e", f"{one.tree}^{{tree}}") is not None:
            when = str((note or {}).get("time", ""))
            with suppress(ValueError, OverflowError, OSError):  # a time that is none
                _name(store, path.name, name, one.tree, one.head, when, ())


def _is_named(store: Store, run: str, name: str, taken: Taken) -> bool:
    beside = store.beside and (store.beside / "refs" / _ref_part(run) / name).exists()
    return bool(beside) or (store.path, name) in taken.named


def free(root: Path, run: Path, wanted: str, environ: Mapping[str, str]) -> str:
    """A name that no snapshot has: `R5.before-restore`, then with `-2` and so on."""
    taken = {one.name for one in listed(root, run, environ)}
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}-{number}"
    return name


def told(name: str, number: int, taken: Taken, now: str) -> dict[str, object]:
    """What evidence/ keeps of a snapshot."""
    found: dict[str, object] = {
        "schema": node.SCHEMA,
        "name": name,
        "round": number,
        "time": now,
        "repositories": [
            {
                "path": store.path,
                "head": taken.heads.get(store.path, ""),
                "tree": taken.trees[store.path],
                "kept": f"{FOLDER}/{stores.OBJECTS}" if store.closed else "refs",
            }
            for store in taken.stores
        ],
        "left_out": [one._asdict() for one in taken.left_out],
    }
    if taken.files is not None:
        found["files"] = dict(sorted(taken.files.items()))
    return found


def said(name: str, number: int, taken: Taken, now: str) -> str:
    """The same as a file."""
    return json.dumps(told(name, number, taken, now), indent=2, ensure_ascii=True) + "\n"


def _is_of(path: str, repository: str, taken: Taken) -> bool:
    holders = [one for one in taken.trees if one == "." or path.startswith(f"{one}/")]
    return max(holders, key=len, default=".") == repository


def _name(  # noqa: PLR0913, PLR0917  what a tag says
    store: Store, run: str, name: str, tree: str, head: str, now: str, left: Iterable[LeftOut],
    *, branch: str = "",
) -> None:  # fmt: skip
    moment = datetime.fromisoformat(now)
    stamp = f"{int(moment.timestamp())} {moment.strftime('%z')[:5] or '+0000'}"
    lines = [f"object {tree}", "type tree", f"tag {name}", f"tagger {_WHO} {stamp}", ""]
    lines += [f"{name} of {run}", "", f"head: {head or 'unborn'}"]
    lines += [f"branch: {branch}"] if branch else []
    lines += [f"left out: {json.dumps(one.path)} ({one.why})" for one in left]
    said = ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")
    with Loose(store.objects, store.asked.algorithm) as objects:
        id_ = objects.add(said, "tag")
    if store.closed:
        place = store.private / "refs" / _ref_part(run)
        place.mkdir(parents=True, exist_ok=True)
        floor.replace(str(place / name), f"{id_}\n".encode())
    else:
        store.must("update-ref", f"{_prefix(store, run)}{name}", id_)


def _prefix(store: Store, run: str) -> str:
    return f"refs/loopgraph/{store.key}/{_ref_part(run)}/"


def _ref_part(run: str) -> str:
    """A run's name as a part of a ref: letters, digits and hyphens stay, the rest is escaped."""
    said = "".join(
        char if char.isascii() and (char.isalnum() or char in "-_") else f"%{ord(char):x}"
        for char in run
    )
    return said if len(said) <= 120 else said[:100] + sha256(run.encode()).hexdigest()[:12]  # noqa: PLR2004


# Read ------------------------------------------------------------------------------------------


def listed(root: Path, run: Path, environ: Mapping[str, str] | None = None) -> tuple[Snapshot, ...]:
    """Every snapshot of a run, in the order of their rounds: start, then the end, then others."""
    environ = os.environ if environ is None else environ
    found: list[Snapshot] = []
    for repository in (".", *_repositories(run)):
        straight = _is_straight(root, repository)
        store = stores.to_read(root, repository, environ) if straight else None
        if store is not None:
            found += _of(store, run.name)
    return tuple(sorted(found, key=_order))


def _order(one: Snapshot) -> tuple[int, int, str, str]:
    _round, _dot, kind = one.name.partition(".")
    return one.round, {"start": 0, "": 1}.get(kind, 2), one.name, one.repository


def _repositories(run: Path) -> list[str]:
    """The repositories below the workspace that a snapshot was taken of."""
    said: set[str] = set()
    for data in snapshot_notes.every(run):
        said |= {one.path for one in rows(data, "repositories")}
    return sorted(one for one in said if one != "." and not os.path.isabs(one) and ".." not in one)  # noqa: PTH117


notes, note = snapshot_notes.every, snapshot_notes.newest


class Row(NamedTuple):
    """A line of a list in a note: a path, and what else is said of it."""

    path: str
    tree: str
    """An id; zeros where none is said."""
    head: str


def rows(note: Mapping[str, object] | None, key: str) -> Iterator[Row]:
    """What a note lists below a key; what a hand wrote there in another form is passed over."""
    told = (note or {}).get(key)
    for one in told if isinstance(told, list) else ():
        path = one.get("path") if isinstance(one, dict) else None
        if isinstance(path, str) and _is_path(path):
            tree, head = str(one.get("tree", "")), str(one.get("head", ""))
            yield Row(path, tree if _is_id(tree) else "0" * 40, head)


def _is_path(said: str) -> bool:
    """Whether the system could have such a path at all."""
    try:
        return bool(said) and b"\0" not in os.fsencode(said)
    except UnicodeEncodeError:
        return False


def _of(store: Store, run: str) -> Iterator[Snapshot]:
    found: list[tuple[str, str, str]] = []
    if store.beside:
        place = store.beside / "refs" / _ref_part(run)
        for one in place.iterdir() if place.is_dir() else ():
            id_ = (floor.peek(str(one), 200) or b"").decode("ascii", "replace").strip()
            if _is_id(id_) and not one.name.endswith(".draft"):
                found.append((one.name, id_, ""))
    # A repository that is closed now may have been open before.
    told = store.answer("for-each-ref", "--format=%(objectname) %(refname)", _prefix(store, run))
    for line in (told or b"").decode("utf-8", "replace").splitlines():
        id_, _blank, ref = line.partition(" ")
        found.append((ref.rpartition("/")[2], id_, ref))
    for (name, id_, ref), said in zip(
        found, _tags(store, [id_ for _, id_, _ in found]), strict=True
    ):
        if said is not None:
            yield _tag(store, name, id_, ref, said)


def _is_id(said: str) -> bool:
    return len(said) in (40, 64) and not said.strip("0123456789abcdef")


def _tags(store: Store, ids: list[str]) -> Iterator[str | None]:
    """The texts of tag objects, by one process; None for one that is none or is gone."""
    for found in store.objects_of(ids, reading=True):
        is_tag = found is not None and found.kind == "tag"
        yield found.data.decode("utf-8", "surrogateescape") if found and is_tag else None


def _tag(store: Store, name: str, id_: str, ref: str, said: str) -> Snapshot:
    head, _blank, body = said.partition("\n\n")
    fields = dict(line.partition(" ")[::2] for line in head.split("\n"))
    words = fields.get("tagger", "").split(" ")
    time = _moment(words[-2], words[-1]) if len(words) > 2 else ""  # noqa: PLR2004
    lines = body.split("\n")
    commit = next((line[6:] for line in lines if line.startswith("head: ")), "")
    branch = next((line[8:] for line in lines if line.startswith("branch: ")), "")
    number = name[1:].partition(".")[0]
    return Snapshot(
        name,
        int(number) if number.isdecimal() and number.isascii() else 0,
        store.path,
        id_,
        fields.get("object", ""),
        time,
        "" if commit == "unborn" else commit,
        ref,
        branch,
    )


def _moment(seconds: str, offset: str) -> str:
    with suppress(ValueError, OverflowError, OSError):
        zone = datetime.strptime(offset, "%z").tzinfo
        return datetime.fromtimestamp(int(seconds), zone).isoformat()
    return ""


# Remove ----------------------------------------------------------------------------------------


def remove(root: Path, run: Path, names: Iterable[str], environ: Mapping[str, str]) -> int:
    """Take names away; how many. What they held goes with git's next clean-up."""
    wanted = frozenset(names)
    gone = 0
    for repository in (".", *_repositories(run)):
        store = _store(root, repository, environ)
        if store is None:
            continue
        for one in _of(store, run.name):
            if one.name not in wanted:
                continue
            if one.ref:
                store.must("update-ref", "-d", one.ref, one.id)
            elif store.beside:
                floor.remove(str(store.beside / "refs" / _ref_part(run.name) / one.name))
            gone += 1
        if store.beside:
            _sweep(store, store.beside)
    return gone


def remove_all(run: Path, environ: Mapping[str, str]) -> int:
    """Take every name of a run away; how many."""
    root = runs.root_of(run)
    return remove(root, run, {one.name for one in listed(root, run, environ)}, environ)


def _sweep(store: Store, beside: Path) -> None:
    """Below `.longgraph/.objects` nobody cleans up but we: keep what a name still reaches."""
    ids = [
        (floor.peek(str(place), 200) or b"").decode("ascii", "replace").strip()
        for place in (beside / "refs").glob("*/*")
        if not place.name.endswith(".draft")
    ]
    told = b""
    if ids:
        said = "\n".join(ids).encode() + b"\n"
        words = ("rev-list", "--objects", "--no-object-names", "--stdin")
        told = store.must(*words, stdin=said, reading=True)
    kept = frozenset(told.decode().split()) | frozenset(ids)
    for folder in (beside / "objects").glob("??"):
        for place in folder.iterdir():
            if folder.name + place.name not in kept:
                loose.remove(str(place))
    for name in ("index", "known"):
        floor.remove(str(beside / name))
