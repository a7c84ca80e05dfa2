"""Create, find and load run directories."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from loopgraph.disk import floor, house
from loopgraph.disk.roots import FOLDER
from loopgraph.edges import document, ledger
from loopgraph.edges import run as edge
from loopgraph.edges.record import Record
from loopgraph.edges.run import Run
from loopgraph.model.errors import RefusedError, UnreadableError, UsageError, nearest
from loopgraph.model.messages import _
from loopgraph.plain.places import RUN_STOP

_DRAFT: Final = ".new-"
LOCK: Final = ".lock"
_FOLDERS: Final = ("archive", "evidence")
_NAMED_ONLY: Final = ("archive", "evidence")


def create(root: Path, wanted: str, files_for: Callable[[str], Mapping[str, str]]) -> Path:
    """Write a new run directory whole or not at all, and return it.

    `files_for` gets the name that is free (`wanted`, else with `-2`, `-3` …) and returns the
    files by name. Two processes at once get two directories; an existing run is never touched.
    """
    home = root / FOLDER
    likely = free_name(root, wanted)
    files = files_for(likely)  # what is refused is refused before anything is made
    try:
        with _held(home) as fresh:
            name = _free(home, wanted)
            if name != likely:
                files = files_for(name)
            try:
                _write(home, name, files)
            except BaseException:
                if fresh:
                    _remove_if_ours(home)
                raise
    except OSError as error:
        fix = _("Make the folder writable, or name another with --workspace.")
        raise _unwritable(error, home, fix) from None
    return home / name


@contextmanager
def _held(home: Path) -> Iterator[bool]:
    """Hold the lock of the folder of runs; whether the folder was made for it."""
    fresh = _open_home(home)
    with ExitStack() as stack:
        try:
            try:
                stack.enter_context(floor.Lock(str(home / LOCK)))
            except FileNotFoundError:  # a call that made the folder in vain has taken it away
                fresh = _open_home(home)
                stack.enter_context(floor.Lock(str(home / LOCK)))
        except OSError:
            if fresh:
                _remove_if_ours(home)
            raise
        yield fresh


def _write(home: Path, name: str, files: Mapping[str, str]) -> None:
    _sweep(home)
    draft = home / f"{_DRAFT}{name}"
    try:
        draft.mkdir()
        _fill(draft, files)
        house.keep(home)
        os.rename(draft, home / name)  # noqa: PTH104  says what it is: one atomic step
    except BaseException:
        _clear(draft)
        raise
    floor.sync_folder(str(home))


def _unwritable(error: OSError, place: Path, fix: str) -> UsageError:
    where = error.filename if isinstance(error.filename, str) else str(place)
    return UsageError(
        _("cannot write: {reason}", reason=(error.strerror or str(error)).lower()),
        where=where,
        fix=fix,
    )


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write a run's files into a folder that does not exist yet, whole or not at all."""
    # A draft of its own: two calls at once don't meet, and a folder of that name is somebody's.
    draft = folder.parent / f"{_DRAFT}{os.getpid()}-{folder.name}"
    try:
        if os.path.lexists(folder):
            raise RefusedError(
                _("it exists already"), where=str(folder), fix=_("Name a new folder.")
            )
        _outside_runs(folder)
        draft.mkdir()
        try:
            _fill(draft, files)
            os.rename(draft, folder)  # noqa: PTH104
        except BaseException:
            _clear(draft)
            raise
    except OSError as error:
        raise _unwritable(error, folder, _("Name a folder below one that is there.")) from None


def _outside_runs(folder: Path) -> None:
    for above in folder.absolute().parents:
        if (above / "run.yaml").exists() and (above / "ledger.md").exists():
            raise RefusedError(
                _("it lies in a run"), where=str(folder), fix=_("Name a folder outside of it.")
            )


def _open_home(home: Path) -> bool:
    """Make the folder of runs where it is absent; whether it was."""
    if home.is_symlink():
        raise UsageError(
            _("a symbolic link is not followed here"), where=str(home), fix=_("Put a folder there.")
        )
    if home.exists() and not home.is_dir():
        raise UsageError(
            _("it is no folder"),
            where=str(home),
            fix=_("Move it away, or name another --workspace."),
        )
    try:
        home.mkdir()
    except FileExistsError:
        return False
    return True


def _sweep(home: Path) -> None:
    """Remove drafts that a killed process left; the lock says that nobody is writing one."""
    for entry in os.scandir(home):
        if not entry.name.startswith(_DRAFT):
            continue
        if entry.is_dir(follow_symlinks=False):
            _clear(Path(entry.path))
        else:
            floor.remove(entry.path)


def _clear(folder: Path) -> None:
    """Remove a folder with all that is in it."""
    from shutil import rmtree  # noqa: PLC0415  it loads four compressors, and reading needs none

    rmtree(folder, ignore_errors=True)


def free_name(root: Path, wanted: str) -> str:
    """The name that `create` would take now; nothing is written."""
    home = root / FOLDER
    return _free(home, wanted) if home.is_dir() else wanted


def _free(home: Path, wanted: str) -> str:
    # Case-insensitive file systems hold twins that differ only in case.
    taken = {entry.name.casefold() for entry in os.scandir(home)}
    name, number = wanted, 1
    while name.casefold() in taken:
        number += 1
        name = f"{wanted}-{number}"
    return name


def _fill(draft: Path, files: Mapping[str, str]) -> None:
    for folder in _FOLDERS:
        (draft / folder).mkdir()
    for name, text in files.items():
        floor.write_new(str(draft / name), text.encode("utf-8"))
    floor.sync_folder(str(draft))


def _remove_if_ours(home: Path) -> None:
    """Take back a `.longgraph` folder that this call made, unless somebody has filled it."""
    ours = (LOCK, *house.FILES)
    if any(entry.name not in ours for entry in os.scandir(home)):
        return
    for name in ours:
        floor.remove(str(home / name))
    with suppress(OSError):
        home.rmdir()


def all_runs(root: Path) -> list[Path]:
    """Every run of a workspace, in the order of their names, that is of their dates."""
    home = root / FOLDER
    if not home.is_dir():
        return []
    return sorted(
        folder
        for folder in home.iterdir()
        if not folder.name.startswith(".")
        and folder.is_dir()
        and any((folder / name).exists() for name in ("run.yaml", "ledger.md", "executor.md"))
    )


def find(run: str | None, root: Path) -> Path:
    """The run that was named by path or by slug, else the one that is meant."""
    runs = all_runs(root)
    if run is None:
        return _meant(runs, str(root / FOLDER))
    by_slug = root / FOLDER / run
    if run and not Path(run).is_absolute() and "/" not in run and by_slug.is_dir():
        return by_slug
    path = Path(run)
    if path.is_dir():
        return path.resolve()
    parts = [folder for folder in runs if f"-{run}-" in f"{folder.name}-"]
    ends = [folder for folder in parts if folder.name.endswith(f"-{run}")]
    if len(ends or parts) == 1:
        return (ends or parts)[0]
    if parts:
        raise UsageError(
            _("{count} runs have this in their name", count=len(parts)),
            where=run,
            fix=_("Name one: {names}", names=_names(parts)),
        )
    known = (
        nearest(run, [folder.name for folder in runs]) if runs else _("There is no run here yet")
    )
    raise UsageError(_("no such run"), where=run, fix=known)


def _meant(runs: list[Path], where: str) -> Path:
    """The run that a call means which names none; where it could be several, none is guessed.

    What is closed is out of the question. Of several others a STOP of its own holds one back, and
    at last an active one goes before what stands still.
    """
    if not runs:
        raise UsageError(_("no run here"), where=where, fix=_("Make one with: loopgraph new"))
    said = {path: status(path) for path in runs} if len(runs) > 1 else {}
    likely = [path for path in runs if said.get(path) != "closed"] or runs
    free = [path for path in likely if not (path / RUN_STOP).exists()] or likely
    active = [path for path in free if said.get(path) == "active"]
    for meant in (likely, free, active):
        if len(meant) == 1:
            return meant[0]
    raise UsageError(
        _("{count} runs here could be meant, and none was named", count=len(likely)),
        where=where,
        fix=_("Name one, as in loopgraph status NAME: {names}", names=_names(likely)),
    )


def status(path: Path) -> str | None:
    """What a run's ledger says of its status; nothing else of the run is read."""
    data = floor.peek(str(path / "ledger.md"))
    if data is None:
        return None
    return ledger.read(document.parse(data.decode("utf-8", "replace"))).status


def _names(runs: list[Path]) -> str:
    return ", ".join(folder.name for folder in runs[-5:])


def root_of(run: Path) -> Path:
    """The workspace that a run directory lives in."""
    return run.parent.parent if run.parent.name == FOLDER else run.parent


def load(path: Path) -> Run:
    """Read a run directory; what is no readable text is named with the reason."""
    if not path.is_dir():
        raise UnreadableError(_("no such run directory"), where=str(path))
    files: dict[str, str] = {}
    others: dict[str, str] = {}
    for entry in sorted(os.scandir(path), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in _NAMED_ONLY:
                others[f"{entry.name}/"] = _("a folder")
            continue
        try:
            files[entry.name] = floor.read(entry.path).decode("utf-8")
        except UnreadableError as error:
            others[entry.name] = error.what
        except UnicodeDecodeError as error:
            others[entry.name] = _("not UTF-8 at byte {start}", start=error.start)
    return edge.read(files, others)


def record_of(path: Path) -> Record:
    """A run's record; a run without a readable one is refused with the reason."""
    run = load(path)
    if run.record is None:
        why = run.record_problem or run.others.get("run.yaml", _("no such file"))
        raise UnreadableError(why, where=str(path / "run.yaml"))
    return run.record
