"""One local commit of what audited rounds changed, and of nothing else.

The commit is built from HEAD in an index of our own. Its bytes are those of the snapshot that was
audited, not of whatever lies there now. The owner's index keeps what the owner has staged.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from loopgraph.disk import floor, git, house, restoring, snapshots, stores, trees
from loopgraph.disk.restoring import Looked
from loopgraph.disk.roots import FOLDER
from loopgraph.disk.stores import Store
from loopgraph.edges.run import Run
from loopgraph.model.errors import BusyError, RefusedError, UnreadableError
from loopgraph.model.messages import _
from loopgraph.node import checkpoint as law
from loopgraph.node import restoring as node
from loopgraph.node.checkpoint import Left
from loopgraph.node.measure import shown

_UNDER_WAY: Final = {
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}
_CONVERTED: Final = ("text", "eol", "crlf", "working-tree-encoding", "ident", "filter")
"""Attributes by which git keeps other bytes than those that lie there."""

Entry = tuple[str, str]
"""Mode and id; both empty where there is no such file."""
_NONE: Final[Entry] = ("", "")


class Plan(NamedTuple):
    """What a commit will change."""

    store: Store
    looked: Looked
    head: str
    """The commit that it stands on; empty on an unborn branch."""
    entries: Mapping[str, Entry]
    """Path from the top of the repository to what it will be."""
    left: tuple[Left, ...]
    who: tuple[str, str]
    """Name and address."""


def repository(root: Path, environ: Mapping[str, str]) -> None:
    """Refuse a workspace that nothing can be committed of, by what it lacks."""
    if git.ask(root, environ) is not None:
        return
    if git.top(root) is None:
        raise RefusedError(
            _("there is no git repository to commit to"),
            where=str(root),
            fix=_("Go on without commits; making one (git init) is the owner's."),
        )
    raise RefusedError(
        _("git is not here, or cannot read the repository"),
        where=str(root),
        fix=_("See what `git status` says here."),
    )


def plan(path: Path, run: Run, environ: Mapping[str, str], through: int) -> Plan:
    """Decide what is committed; whatever speaks against it is refused before anything is done."""
    looked = restoring.look(path, run, environ)
    store = looked.taken.stores[0]
    if store.path != "." or store.closed:
        raise RefusedError(
            _("the repository cannot be written from here"),
            where=str(looked.root),
            fix=_("Say so in Supervisor state and go on; the owner commits."),
        )
    _is_quiet(store)
    who = _identity(store)
    dirty = node.dirty_paths(run)
    if dirty is None:
        raise RefusedError(
            _("not every path that was the owner's at the start is known"),
            where="run.yaml",
            fix=_("The owner commits by hand."),
        )
    rounds = _measured(path, through)
    changed = restoring.changed_by(path, looked, environ, rounds)
    head = looked.taken.heads.get(".", "")
    entries, left = _entries(path, looked, environ, changed, dirty, rounds[-1])
    unknown = [
        Left(f"R{number}", _("it was not measured: what it alone changed is the owner's to commit"))
        for number in range(1, through + 1)
        if number not in rounds
    ]
    return Plan(store, looked, head, entries, (*left, *unknown), who)


def _is_quiet(store: Store) -> None:
    """Refuse while git is in the middle of something."""
    for name, what in _UNDER_WAY.items():
        if (store.own / name).exists():
            raise RefusedError(
                _("a {what} is under way", what=what),
                where=str(store.asked.base),
                fix=_("End it first."),
            )
    if (store.own / "index.lock").exists():
        raise BusyError(
            _("another git holds the index"),
            where=str(store.own / "index.lock"),
            fix=_("Try again when it has ended."),
        )
    if store.asked.answer("ls-files", "-z", "--unmerged"):
        raise RefusedError(
            _("conflicts are not resolved"),
            where=str(store.asked.base),
            fix=_("Resolve them first."),
        )


def _identity(store: Store) -> tuple[str, str]:
    found = store.asked.found
    name, address = found.get("user.name", "").strip(), found.get("user.email", "").strip()
    if not name or not address:
        raise RefusedError(
            _("git does not know who commits"),
            where=str(store.asked.base),
            fix=_("The owner says it: git config user.name …, git config user.email …"),
        )
    return name, address


def _measured(path: Path, through: int) -> list[int]:
    """The audited rounds whose paths are known; refused where there is none."""
    found = [
        number
        for number in range(1, through + 1)
        if (note := snapshots.note(path, f"R{number}")) and isinstance(note.get("changed"), list)
    ]
    if not found:
        raise RefusedError(
            _("no audited round was measured, so no path is known"),
            where="evidence/snapshots",
            fix=_("The owner commits by hand; `loopgraph round start` begins to measure."),
        )
    return found


def _entries(  # noqa: PLR0913, PLR0917  what decides about each path
    path: Path,
    looked: Looked,
    environ: Mapping[str, str],
    changed: Mapping[str, int],
    dirty: Iterable[str],
    through: int,
) -> tuple[dict[str, Entry], tuple[Left, ...]]:
    store = looked.store(".")
    audited = {
        one.repository: one for one in snapshots.listed(looked.root, path, environ)
        if one.name == f"R{through}"
    }.get(".")  # fmt: skip
    if audited is None:
        raise RefusedError(
            _("the snapshot R{number} is gone", number=through),
            where=path.name,
            fix=_("The owner commits by hand."),
        )
    then = _tree(store, audited.tree)
    lies = _tree(store, looked.taken.trees["."])
    before = _commit(store, audited.head)
    now = _commit(store, looked.taken.heads.get(".", ""))
    below = _below(store)
    converted = _attributes(store, list(changed))
    found: dict[str, Entry] = {}
    left: list[Left] = []
    others: list[str] = []
    for name in sorted(changed):
        why = ""
        if node.is_owners(name, dirty):
            why = _("it was the owner's unfinished work when the run began")
        elif any(name.startswith(f"{one.path}/") for one in looked.taken.stores[1:]):
            why = _("it lies in a repository of its own")
        elif "filter" in converted.get(name, ()):
            why = _("a filter of the repository would have to run")
        if not why:
            entry = _as_git_keeps(store, name, then.get(name, _NONE), converted.get(name, ()))
            if entry == now.get(below + name, _NONE):
                continue
            if now.get(below + name, _NONE) == before.get(below + name, _NONE):
                found[below + name] = entry
                if lies.get(name, _NONE) != then.get(name, _NONE):
                    others.append(shown(name))
                continue
            why = _("somebody committed it since")
        left.append(Left(name, why))
    law.same(through, others)
    return found, tuple(left)


def _below(store: Store) -> str:
    """The workspace's path in its repository, with a slash; empty where it is its top."""
    place = store.folder.relative_to(store.asked.base).as_posix()
    return "" if place == "." else f"{place}/"


def _tree(store: Store, tree: str) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    told = store.must("ls-tree", "-r", "-z", "--full-tree", tree, reading=True)
    for record in os.fsdecode(told).split("\0"):
        head, _tab, name = record.partition("\t")
        if name:
            mode, _kind, id_ = head.split(" ")
            found[name] = (mode, id_)
    return found


def _commit(store: Store, commit: str) -> dict[str, Entry]:
    return _tree(store, f"{commit}^{{tree}}") if commit else {}


def _attributes(store: Store, names: list[str]) -> dict[str, set[str]]:
    """Which attributes make git keep other bytes of a path; `text` also stands for autocrlf."""
    said = os.fsencode("".join(f"{name}\0" for name in names))
    told = store.asked.answer("check-attr", "-z", "--stdin", *_CONVERTED, stdin=said) or b""
    words = os.fsdecode(told).split("\0")[:-1]
    always = {"text"} if store.asked.found.get("core.autocrlf", "false") != "false" else set()
    found = {name: set(always) for name in names}
    for name, attribute, value in zip(words[::3], words[1::3], words[2::3], strict=True):
        if value not in ("unspecified", "unset"):
            found[name].add(attribute)
    return found


def _as_git_keeps(store: Store, name: str, entry: Entry, attributes: Iterable[str]) -> Entry:
    """What a commit has of a file: line ends as the repository wants them; no program runs."""
    mode, id_ = entry
    converted = mode != "120000" and bool(set(attributes))
    if not id_ or not (converted or _is_beside(store, entry)):
        return entry
    data = store.must("cat-file", "blob", id_, reading=True)
    if not converted:
        store.must("hash-object", "-w", "--no-filters", "--stdin", stdin=data)
        return entry
    told = store.asked.answer("hash-object", "-w", "--stdin", f"--path={name}", stdin=data)
    if told is None:
        raise UnreadableError(_("git cannot take it as its attributes say"), where=name)
    return mode, told.decode().strip()


def _is_beside(store: Store, entry: Entry) -> bool:
    """Whether the bytes were kept beside the repository, while that was closed."""
    mode, id_ = entry
    if store.beside is None or mode == "160000":
        return False
    words = ("cat-file", "-e", id_)
    return store.answer(*words) is None and store.answer(*words, reading=True) is not None


# Commit ----------------------------------------------------------------------------------------


class Committed(NamedTuple):
    """The commit; empty where there was nothing to commit."""

    id: str
    paths: int


def waits(path: Path, made: Plan) -> bool:
    """Whether there is anything to commit, before the checkpoint itself is a line of the run."""
    old = _commit(made.store, made.head)
    return bool(_other(old, made.entries) or _other(old, _run_files(path, made)))


def beside(made: Plan) -> tuple[str, ...]:
    """The paths that lie there otherwise than they will be committed, runs apart."""
    below = _below(made.store)
    look = git.look(made.looked.root)
    return tuple(
        one.path
        for one in (look.changes if look else ())
        if below + one.path not in made.entries and not one.path.startswith(f"{FOLDER}/")
    )


def _other(old: Mapping[str, Entry], entries: Mapping[str, Entry]) -> dict[str, Entry]:
    return {name: entry for name, entry in entries.items() if old.get(name, _NONE) != entry}


def commit(path: Path, made: Plan, text: str, now: str) -> Committed:
    """Make the commit, and move the branch and the owner's index along."""
    store = made.store
    old = _commit(store, made.head)
    entries = _other(old, {**made.entries, **_run_files(path, made)})
    if not entries:
        return Committed("", 0)
    index = f"index-{os.getpid()}"
    try:
        words = (made.head,) if made.head else ("--empty",)
        store.must("read-tree", *words, index=index)
        store.must("update-index", "-z", "--index-info", stdin=_lines(store, entries), index=index)
        tree = store.must("write-tree", "--missing-ok", index=index).decode().strip()
    finally:
        for name in (index, f"{index}.lock"):
            (store.private / name).unlink(missing_ok=True)
    parent = ("-p", made.head) if made.head else ()
    told = store.asked.answer(
        "commit-tree", tree, *parent, "-F", "-", stdin=text.encode(), more=_signed(made.who, now)
    )
    if told is None:
        raise UnreadableError(_("git makes no commit here"), where=str(store.asked.base))
    id_ = told.decode().strip()
    # The index first: a kill in between leaves these paths staged, which nobody is harmed by.
    _stage(store, entries, old)
    subject = text.partition("\n")[0]
    moved = store.asked.answer(
        "update-ref", "-m", f"loopgraph: {subject}", "HEAD", id_, made.head or store.none,
        more=_signed(made.who, now),
    )  # fmt: skip
    if moved is None:
        raise BusyError(
            _("somebody moved the branch meanwhile"),
            where=str(store.asked.base),
            fix=_("The paths are staged; look, and run the command again."),
        )
    return Committed(id_, len(entries))


def _signed(who: tuple[str, str], now: str) -> dict[str, str]:
    name, address = who
    return {
        f"GIT_{role}_{what}": value
        for role in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", name), ("EMAIL", address), ("DATE", now))
    }


def _run_files(path: Path, made: Plan) -> dict[str, Entry]:
    """The run directory as it is now, and what stands beside it for every run; nothing ignored."""
    store = made.store
    prefix = path.relative_to(made.looked.root).as_posix()
    own = snapshots.own(made.looked.root, path)
    tree = trees.again(store, made.looked.taken.trees["."], prefix, own)
    found = {n: entry for n, entry in _tree(store, tree).items() if n.startswith(f"{prefix}/")}
    found |= _house(store, made.looked.root)
    said = os.fsencode("".join(f"{name}\0" for name in found))
    told = store.asked.answer("check-ignore", "-z", "--stdin", stdin=said) or b""
    ignored = set(os.fsdecode(told).split("\0"))
    below = _below(store)
    now = {f"{below}{name}": entry for name, entry in found.items() if name not in ignored}
    gone = {
        name: _NONE
        for name in _commit(store, made.head)
        if name.startswith(f"{below}{prefix}/") and name not in now
    }
    return {**now, **gone}


def _house(store: Store, root: Path) -> dict[str, Entry]:
    """The two files that keep bulk out of commits and line ends alone, as they were written once.

    A clone without them would have its line ends turned, and its frozen parts with them.
    """
    found: dict[str, Entry] = {}
    for name, text in house.FILES.items():
        data = text.encode()
        if floor.peek(str(root / FOLDER / name), 2 * len(data)) == data:  # else it is the owner's
            told = store.must("hash-object", "-w", "--no-filters", "--stdin", stdin=data)
            found[f"{FOLDER}/{name}"] = ("100644", told.decode().strip())
    return found


def _lines(store: Store, entries: Mapping[str, Entry]) -> bytes:
    gone = "".join(f"0 {store.none}\t{name}\0" for name, (mode, _id) in entries.items() if not mode)
    there = "".join(f"{mode} {id_}\t{name}\0" for name, (mode, id_) in entries.items() if mode)
    return os.fsencode(gone + there)


def _stage(store: Store, entries: Mapping[str, Entry], old: Mapping[str, Entry]) -> None:
    """Bring the owner's index along where it says what HEAD said; what was staged stays staged."""
    told = store.asked.answer("ls-files", "-z", "--cached", "--stage", "--full-name", ":(top)")
    staged: dict[str, Entry] = {}
    for record in os.fsdecode(told or b"").split("\0"):
        head, _tab, name = record.partition("\t")
        if name:
            mode, id_, _stage_number = head.split(" ")
            staged[name] = (mode, id_)
    wanted = {
        name: entry
        for name, entry in entries.items()
        if staged.get(name, _NONE) == old.get(name, _NONE)
    }
    if not wanted:
        return
    told = store.asked.answer("update-index", "-z", "--index-info", stdin=_lines(store, wanted))
    if told is None:
        raise BusyError(
            _("the index cannot be written"),
            where=str(store.asked.base),
            fix=_("Nothing was committed: try again when no other git runs."),
        )


def hooks(store: Store) -> bool:
    """Whether the repository has hooks that a commit would have run."""
    _own, common = stores.folders(store.asked.base)
    said = store.asked.found.get("core.hookspath", "")
    folder = store.asked.base / Path(said).expanduser() if said else common and common / "hooks"
    names = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit")
    return bool(folder and any((folder / name).exists() for name in names))
