"""Look back: what differs between two snapshots, and bring the bytes of one back."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from loopgraph.disk import config_file, floor, measures, runs, snapshots, stores
from loopgraph.disk.roots import FOLDER
from loopgraph.disk.snapshots import Taken
from loopgraph.disk.stores import Store
from loopgraph.edges.run import Run
from loopgraph.model.errors import (
    LoopgraphError,
    RefusedError,
    UnreadableError,
    UsageError,
    nearest,
)
from loopgraph.model.messages import _
from loopgraph.node import restoring as node
from loopgraph.node.measure import Lines

_DRAFTS: Final = ".new-restore-"
"""Below `.longgraph/`, where git ignores it."""
_LOCK: Final = "restore.lock"
"""Below `.longgraph/.objects/`, which git ignores, too."""
_PATIENCE: Final = 60.0
"""Seconds that one restore waits for another."""
NOW: Final = "now"
"""The name of the workspace as it is."""
_LINK, _RUNNABLE, _MODULE = "120000", "100755", "160000"


class Side(NamedTuple):
    """One side of a comparison."""

    name: str
    trees: Mapping[str, str]
    """Repository to its tree."""
    left_out: frozenset[str]


class Difference(NamedTuple):
    """What differs between two sides."""

    lines: tuple[Lines, ...]
    text: str
    """As git shows it: how much of each file, then the patch."""


class Looked(NamedTuple):
    """The workspace as it is, and how to ask git about it."""

    root: Path
    taken: Taken

    def store(self, repository: str) -> Store:
        """The store of a repository."""
        return next(one for one in self.taken.stores if one.path == repository)


def look(path: Path, run: Run, environ: Mapping[str, str]) -> Looked:
    """Take the workspace as it is; outside git there is nothing to look back at."""
    taken = snapshots.take(path, run, environ)
    if not taken.stores:
        raise RefusedError(
            _("no repository holds this workspace, so no snapshot holds its bytes"),
            where=str(runs.root_of(path)),
            fix=_("evidence/snapshots names which files changed."),
        )
    return Looked(runs.root_of(path), taken)


def side(path: Path, looked: Looked, name: str, environ: Mapping[str, str]) -> Side:
    """A snapshot by its name; `now` is the workspace as it is."""
    if name == NOW:
        left = frozenset(one.path for one in looked.taken.left_out)
        return Side(NOW, looked.taken.trees, left)
    kept = snapshots.listed(looked.root, path, environ)
    found = {one.repository: one.tree for one in kept if one.name == name}
    if not found:
        known = [*dict.fromkeys(one.name for one in kept), NOW]
        why = absence(path, name)
        raise UsageError(_("no such snapshot"), where=name, fix=why or nearest(name, known))
    return Side(name, found, frozenset(_left_out(path, name)))


def absence(path: Path, name: str | None = None) -> str:
    """Why this snapshot, or any, is not there; empty where nothing tells."""
    noted = [one for one in snapshots.notes(path) if name in (None, one["name"])]
    if noted and runs.status(path) == "closed":
        return _("The end of the run took it away: finish closed --keep-snapshots leaves them.")
    if noted and any(snapshots.rows(one, "repositories") for one in noted):
        return _("It was taken, and is gone: loopgraph snapshots prune takes them away.")
    if not config_file.load(runs.root_of(path)).snapshots:
        return _('This workspace says snapshots = "off": no round takes one.')
    return ""


def _left_out(path: Path, name: str) -> Iterable[str]:
    return (one.path for one in snapshots.rows(snapshots.note(path, name), "left_out"))


def difference(looked: Looked, old: Side, new: Side, paths: tuple[str, ...]) -> Difference:
    """What differs between two sides, in these paths or in all but the run's own files."""
    lines: list[Lines] = []
    text = ""
    wanted = [node.inside(path) for path in paths]
    for store in looked.taken.stores:
        here = [measures.empty(store) if one is None else one for one in (
            old.trees.get(store.path), new.trees.get(store.path))]  # fmt: skip
        words = _pathspecs(store, wanted)
        if words is None:
            continue
        below = "" if store.path == "." else f"{store.path}/"
        told = store.answer(
            "diff-tree", "-r", "-M", "--stat=100", "-p", "--no-color", "--no-ext-diff",
            "--no-textconv", "--ignore-submodules=all", f"--src-prefix=a/{below}",
            f"--dst-prefix=b/{below}", "--end-of-options", *here, "--", *words, reading=True,
        )  # fmt: skip
        found = measures.lines_between(store, here[0], here[1])
        if told is None or found is None:
            raise UnreadableError(
                _("git cannot read one of these snapshots any more"),
                where=f"{old.name} {new.name}",
                fix=_("See which are whole: loopgraph snapshots list"),
            )
        text += told.decode("utf-8", "backslashreplace")
        lines += [one for one in found if _is_wanted(one.path, wanted)]
    return Difference(tuple(sorted(lines)), text)


def left_out(old: Side, new: Side, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Which of these paths stand in neither side, since no snapshot may hold them."""
    wanted = [node.inside(path) for path in paths]
    return tuple(one for one in sorted(old.left_out | new.left_out) if _is_wanted(one, wanted))


def _is_wanted(path: str, wanted: list[str]) -> bool:
    if not wanted:
        return not path.startswith(f"{FOLDER}/")
    return any(one in (".", path) or path.startswith(f"{one}/") for one in wanted)


def _pathspecs(store: Store, wanted: list[str]) -> list[str] | None:
    """What to hand to git for one repository; None where no path is in it."""
    if not wanted:
        return [f":(top,exclude,literal){FOLDER}"]
    if store.path == ".":
        return [":(top)" if one == "." else f":(top,literal){one}" for one in wanted]
    found: list[str] = []
    for one in wanted:
        if one == "." or f"{store.path}/".startswith(f"{one}/"):
            return [":(top)"]
        if one.startswith(f"{store.path}/"):
            found.append(f":(top,literal){one[len(store.path) + 1 :]}")
    return found or None


# Restore ---------------------------------------------------------------------------------------


class Step(NamedTuple):
    """One path that is to be as it was."""

    path: str
    """Relative to the workspace."""
    store: Store
    mode: str
    """Empty: there was none, so it goes."""
    id: str


def steps(looked: Looked, then: Side, now: Side, paths: tuple[str, ...]) -> list[Step]:
    """What must be done so that paths are as a snapshot has them; refused where bytes would go."""
    found: list[Step] = []
    for path in paths:
        wanted = node.inside(path)
        if wanted == "." or f"{wanted}/".startswith(f"{FOLDER}/"):
            raise RefusedError(
                _("the run's own files are kept by its commands"),
                where=path,
                fix=_("Name files of the product."),
            )
        mine = _steps_of(looked, then, now, wanted)
        if mine is None:
            raise UsageError(
                _("neither {name} nor the workspace has such a path", name=then.name), where=path
            )
        found += mine
    for step in found:
        _may_write(looked.root, step)
    return found


def _steps_of(looked: Looked, then: Side, now: Side, wanted: str) -> list[Step] | None:
    holders = [one for one in looked.taken.stores if _holds(one.path, wanted)]
    if not holders:  # only a folder below is a repository
        raise RefusedError(
            _("no repository holds {path}", path=wanted),
            where=wanted,
            fix=_(
                "Name what lies in {repositories}; no snapshot has the bytes of anything else.",
                repositories=", ".join(one.path for one in looked.taken.stores),
            ),
        )
    store = max(holders, key=lambda one: len(one.path) if one.path != "." else 0)
    inner = wanted if store.path == "." else wanted[len(store.path) + 1 :] or "."
    old = _entries(store, then.trees.get(store.path), inner)
    new = _entries(store, now.trees.get(store.path), inner)
    kept_out = [
        one
        for one in sorted(then.left_out | now.left_out)
        if one == wanted or one.startswith(f"{wanted}/")
    ]
    if kept_out:
        raise RefusedError(
            _("no snapshot holds {path}", path=kept_out[0]),
            where=wanted,
            fix=_("Name the other files one by one."),
        )
    if not old and not new:
        if os.path.lexists(looked.root / wanted):
            raise RefusedError(_("git ignores it, so no snapshot holds its bytes"), where=wanted)
        return None
    below = "" if store.path == "." else f"{store.path}/"
    return [
        Step(f"{below}{path}", store, *old.get(path, ("", "")))
        for path in sorted({*old, *new})
        if old.get(path) != new.get(path)
    ]


def _holds(repository: str, path: str) -> bool:
    return repository == "." or f"{path}/".startswith(f"{repository}/")


def _entries(store: Store, tree: str | None, path: str) -> dict[str, tuple[str, str]]:
    """Mode and id of every file of a tree at or below a path."""
    if tree is None:
        return {}
    words = () if path == "." else (path,)
    asked = ("--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", tree, *words)
    told = store.must(*asked, reading=True)
    found: dict[str, tuple[str, str]] = {}
    for record in os.fsdecode(told).split("\0"):
        head, _tab, name = record.partition("\t")
        if name:
            mode, _kind, id_ = head.split(" ")
            found[name] = (mode, id_)
    return found


def _may_write(root: Path, step: Step) -> None:
    """Refuse what would leave the workspace, or go through a link, or take a folder away."""
    if step.mode == _MODULE:
        raise RefusedError(_("it is a repository of its own"), where=step.path)
    place = root
    for part in step.path.split("/")[:-1]:
        place /= part
        if os.path.lexists(place) and (place.is_symlink() or not place.is_dir()):
            raise RefusedError(
                _("{place} is no folder", place=place.relative_to(root).as_posix()),
                where=step.path,
                fix=_("Move it away, and run the command again."),
            )
    if (root / step.path).is_dir() and not (root / step.path).is_symlink():
        raise RefusedError(
            _("a folder is in its place"), where=step.path, fix=_("Move it away first.")
        )


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold every other restore of the workspace off: from the look on until all is written.

    Two at once would give one name to both looks, and each would take the other's drafts away.
    """
    place = runs.root_of(path) / FOLDER / stores.OBJECTS
    with ExitStack() as stack:
        try:
            place.mkdir(exist_ok=True)
            stack.enter_context(floor.Lock(str(place / _LOCK), wait=_PATIENCE))
        except OSError as error:
            raise UsageError(_cannot_write(error), where=str(place)) from None
        yield


@contextmanager
def saying(before: str) -> Iterator[None]:
    """Whoever must stop half-way says which snapshot has what was there; empty: none."""
    fix = _("What was there before is in {name}.", name=before) if before else ""
    try:
        yield
    except OSError as error:
        where = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
        raise UsageError(_cannot_write(error), where=where, fix=fix) from None
    except LoopgraphError as error:
        error.fix = f"{error.fix} {fix}".strip()
        raise


def _cannot_write(error: OSError) -> str:
    return _("cannot write: {why}", why=(error.strerror or str(error)).lower())


def carry_out(root: Path, found: Iterable[Step]) -> None:
    """Write the bytes back, each file in one step; a kill leaves nothing beside them.

    Call it within `alone`.
    """
    for left in (root / FOLDER).glob(f"{_DRAFTS}*"):
        shutil.rmtree(left, ignore_errors=True)
    drafts = root / FOLDER / f"{_DRAFTS}{os.getpid()}"
    drafts.mkdir()
    try:
        for step in found:
            _carry_out(root, step, drafts / "file")
    finally:
        shutil.rmtree(drafts, ignore_errors=True)


def _carry_out(root: Path, step: Step, draft: Path) -> None:
    place = root / step.path
    if not step.mode:
        place.unlink(missing_ok=True)
        _prune(root, place.parent)
        return
    data = step.store.must("cat-file", "blob", step.id, reading=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    if os.stat(draft.parent).st_dev != os.stat(place.parent).st_dev:  # noqa: PTH116
        draft = place.with_name(f".loopgraph-{os.getpid()}.draft")
    if step.mode == _LINK:
        draft.symlink_to(os.fsdecode(data))
    else:
        _write(draft, data, _mode(place, runnable=step.mode == _RUNNABLE))
    os.replace(draft, place)  # noqa: PTH105


def _write(draft: Path, data: bytes, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(draft, flags, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(handle)
    draft.chmod(mode)


def _mode(place: Path, *, runnable: bool) -> int:
    """The rights of a file that is there, else the usual ones; what runs may be run."""
    usual = 0o644
    with suppress(OSError):
        info = place.lstat()
        if stat.S_ISREG(info.st_mode):
            usual = stat.S_IMODE(info.st_mode)
    return usual | (usual & 0o444) >> 2 if runnable else usual & ~0o111


def _prune(root: Path, folder: Path) -> None:
    """Take away folders that hold nothing any more."""
    while folder != root:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


def changed_by(
    path: Path, looked: Looked, environ: Mapping[str, str], rounds: Iterable[int]
) -> dict[str, int]:
    """The paths that rounds really changed, each with the last of them, from the snapshots."""
    kept = {
        (one.name, one.repository): one.tree for one in snapshots.listed(looked.root, path, environ)
    }
    first = snapshots.note(path, "R1")
    since = first is not None and first.get("base") == measures.RECORD
    found = {one.path: 1 for one in snapshots.rows(first, "changed")} if since else {}
    for number in rounds:
        for store in looked.taken.stores:
            new = kept.get((f"R{number}", store.path))
            old = kept.get((f"R{number}.start", store.path)) or kept.get(
                (f"R{number - 1}", store.path)
            )
            if new is None or (old is None and store.path == "."):
                continue
            for one in measures.lines_between(store, old or measures.empty(store), new) or ():
                if not one.path.startswith(f"{FOLDER}/"):
                    found[one.path] = number
    return found
