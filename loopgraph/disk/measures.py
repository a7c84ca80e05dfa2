"""Measure a round: what differs between the snapshot at its start and the workspace now."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from loopgraph.disk import config_file, git, house, runs, snapshots
from loopgraph.disk.roots import FOLDER
from loopgraph.disk.snapshots import Taken
from loopgraph.disk.stores import Store
from loopgraph.edges.run import Run
from loopgraph.model.errors import UnreadableError
from loopgraph.node import measure as node
from loopgraph.node.measure import Lines, Measure

RECORD: Final = "run.yaml"
"""What a first round is held against that nobody has started."""
_NOTED: Final = 2000
"""Paths that evidence/ lists of one round."""
_BINARY: Final = 8000
"""Bytes in which a NUL says that a file holds no lines; git looks as far."""
_NOT_ENTRIES: Final = (node.FOLDER, "fires", "verify")


class Measured(NamedTuple):
    """A measure, and what is to be kept once the round is written down."""

    measure: Measure
    name: str
    taken: Taken


def start(path: Path, environ: Mapping[str, str], now: str) -> Measured | None:
    """Take the snapshot that a round begins with; None where snapshots are off."""
    return _measured(path, environ, now, starts=True)


def end(path: Path, environ: Mapping[str, str], now: str) -> Measured | None:
    """Take the snapshot that a round ends with, and measure; None where snapshots are off."""
    return _measured(path, environ, now, starts=False)


def keep(path: Path, found: Measured | None, now: str) -> None:
    """Give the snapshot its name: the round is written down."""
    if found is not None:
        snapshots.keep(path, found.name, found.taken, now)


def _measured(path: Path, environ: Mapping[str, str], now: str, *, starts: bool) -> Measured | None:
    root = runs.root_of(path)
    if not config_file.load(root).snapshots:
        return None
    run = runs.load(path)
    ledger = run.ledger()
    if ledger is None or ledger.round is None:
        return None  # the command itself says what is wrong
    if (root / FOLDER).is_dir():
        house.keep(root / FOLDER)
    number = ledger.round + 1
    name = f"R{number}.start" if starts else f"R{number}"
    earlier = (f"R{number - 1}", *([] if starts else [f"R{number}.start"]))
    taken = snapshots.take(path, run, environ, earlier)
    entries = node.entries(run, _evidence(path))
    told = {**snapshots.told(name, number, taken, now), "entries": entries}
    for one in earlier:
        with suppress(UnreadableError):  # a name that cannot be given is said where it is given
            snapshots.mend(path, snapshots.note(path, one), taken)
    left = tuple(one.path for one in taken.left_out)
    if starts:
        return Measured(Measure(number, None, None, left, note=told), name, taken)
    base = _base(path, number)
    changed = None if base is None else _changed(root, path, base, taken, environ)
    if base is None and number == 1:
        base = {"name": RECORD}
        changed = _since_record(root, run, taken, environ)
    if base is None or changed is None:
        return Measured(Measure(number, None, None, left, note=told), name, taken)
    net = node.net(run, changed) if taken.files is None else None
    before = snapshots.note(path, f"R{number - 1}")
    idle = not changed and (before or base).get("entries") == entries
    told |= {
        "base": base.get("name"),
        "changed": [one._asdict() for one in changed[:_NOTED]],
        "more": max(len(changed) - _NOTED, 0),
        "net": list(net) if net else None,
        "idle": idle,
    }
    was = before is not None and before.get("idle") is True
    measure = Measure(number, changed, net, left, idle=idle, idle_before=was, note=told)
    return Measured(measure, name, taken)


def _evidence(path: Path) -> str:
    """What lies below evidence/, by name and size; what every command writes left out."""
    found: list[str] = []
    top = path / "evidence"
    for folder, below, names in os.walk(top):
        if Path(folder) == top:
            below[:] = [name for name in below if name not in _NOT_ENTRIES]
            names = [name for name in names if not name.startswith("acts")]  # noqa: PLW2901
        for name in names:
            place = Path(folder, name)
            found.append(f"{place.relative_to(top).as_posix()} {place.lstat().st_size}")
    return "\n".join(sorted(found))


def _base(path: Path, number: int) -> Mapping[str, object] | None:
    """What a round is held against: its own start, else the end of the round before."""
    for name in (f"R{number}.start", f"R{number - 1}"):
        found = snapshots.note(path, name)
        if found is not None:
            return found
    return None


def _changed(
    root: Path,
    path: Path,
    base: Mapping[str, object],
    taken: Taken,
    environ: Mapping[str, str],
) -> tuple[Lines, ...] | None:
    """What differs from a snapshot; None where that one cannot be read any more."""
    before = _trees(base)
    found: list[Lines] = []
    for store in taken.stores:
        old = before.get(store.path)
        if old is None and store.path == ".":
            return None
        lines = lines_between(store, old or empty(store), taken.trees[store.path])
        if lines is None:  # evidence/ was written by hand, or the objects went away
            lines = _by_name(root, path, str(base.get("name")), store, taken, environ)
        if lines is None:
            return None
        found += lines
    if taken.files is not None:
        files = base.get("files")
        if not isinstance(files, dict):
            return None
        names = {*files, *taken.files}
        found += [
            Lines(name, None, None) for name in names if files.get(name) != taken.files.get(name)
        ]
    kept = (one for one in found if not f"{one.path}/".startswith(f"{FOLDER}/"))
    return tuple(sorted(kept, key=lambda one: one.path))


def _since_record(
    root: Path, run: Run, taken: Taken, environ: Mapping[str, str]
) -> tuple[Lines, ...] | None:
    """What differs from the state that run.yaml has noted: a commit, and what was dirty then."""
    known = {one.path: one for one in run.record.spec.facts.repositories} if run.record else {}
    found: list[Lines] = []
    for store in taken.stores:
        before = known.get(store.path)
        look = git.look(store.folder, environ)
        if before is None or look is None or before.dirty_count > len(before.dirty):
            return None
        below = store.folder.relative_to(store.asked.base).as_posix()
        old = f"{before.head}:{'' if below == '.' else below}" if before.head else empty(store)
        lines = lines_between(store, old, taken.trees[store.path])
        if lines is None:
            return None
        prefix = "" if store.path == "." else f"{store.path}/"
        # A commit has other bytes than lie there where line ends are turned: git knows which.
        exact = look.head == before.head and not (store.asked.base / ".gitattributes").exists()
        exact = exact and store.asked.found.get("core.autocrlf", "false") == "false"
        candidates = {f"{prefix}{one.path}" for one in look.changes}
        if look.head != before.head:
            candidates |= {one.path for one in lines}
        dirty = {f"{prefix}{one.path}": one.blob for one in before.dirty}
        found += [
            one if exact else one._replace(added=None, removed=None)
            for one in lines
            if one.path in candidates and one.path not in dirty
        ]
        found += [
            Lines(path, None, None)
            for path, blob in dirty.items()
            if git.blob(root / path, store.asked.algorithm) != blob
        ]
    kept = (one for one in found if not f"{one.path}/".startswith(f"{FOLDER}/"))
    return None if taken.files is not None else tuple(sorted(kept, key=lambda one: one.path))


def _by_name(  # noqa: PLR0913, PLR0917  what one comparison needs
    root: Path,
    path: Path,
    name: str,
    store: Store,
    taken: Taken,
    environ: Mapping[str, str],
) -> list[Lines] | None:
    for one in snapshots.listed(root, path, environ):
        if one.name == name and one.repository == store.path:
            return lines_between(store, one.tree, taken.trees[store.path])
    return None


def _trees(note: Mapping[str, object]) -> dict[str, str]:
    """Repository to tree, as evidence/ has it."""
    return {one.path: one.tree for one in snapshots.rows(note, "repositories")}


def empty(store: Store) -> str:
    """The tree that holds nothing; git knows it, whether it is kept or not."""
    return git.named(b"", store.asked.algorithm, "tree")


def lines_between(store: Store, old: str, new: str) -> list[Lines] | None:
    """The paths that differ between two trees, with their lines; None where one can't be read."""
    told = _numstat(store, old, new)
    if told is None:
        return None
    found: list[Lines] = []
    for added, removed, path in told:
        lines = (added, removed)
        if added is None:  # by its content, or by an attribute that would hide its lines
            lines = _counted(store, old, new, path)
        name = path if store.path == "." else f"{store.path}/{path}"
        found.append(Lines(name, *lines))
    return found


def _numstat(store: Store, old: str, new: str) -> list[tuple[int | None, int | None, str]] | None:
    told = store.answer(
        "--literal-pathspecs", "diff-tree", "-r", "-z", "--numstat", "--no-renames",
        "--no-ext-diff", "--no-textconv", "--diff-algorithm=myers", "--ignore-submodules=all",
        "--end-of-options", old, new, reading=True,
    )  # fmt: skip
    if told is None:
        return None
    found: list[tuple[int | None, int | None, str]] = []
    for record in os.fsdecode(told).split("\0"):
        added, _tab, rest = record.partition("\t")
        removed, _tab, path = rest.partition("\t")
        if path:
            found.append((None, None, path) if added == "-" else (int(added), int(removed), path))
    return found


def _counted(store: Store, old: str, new: str, path: str) -> tuple[int | None, int | None]:
    """The lines of one path whatever its attributes say; none where either side is binary."""
    for tree in (old, new):
        data = store.answer("cat-file", "blob", f"{tree}:{path}", reading=True)
        if data is not None and b"\0" in data[:_BINARY]:
            return 0, 0
    told = store.answer(
        "--literal-pathspecs", "diff-tree", "-r", "-p", "-U0", "--text", "--no-renames",
        "--no-color", "--no-ext-diff", "--no-textconv", "--diff-algorithm=myers",
        "--end-of-options", old, new, "--", path, reading=True,
    )  # fmt: skip
    if told is None:
        return None, None
    heads = [line.split(b" ") for line in told.split(b"\n") if line.startswith(b"@@ -")]
    removed, added = (sum(_many(words[at]) for words in heads) for at in (1, 2))
    return added, removed


def _many(span: bytes) -> int:
    """How many lines a part of a hunk's head says: `-12,3`; one where it says no number."""
    _start, comma, count = span.partition(b",")
    return int(count) if comma else 1
