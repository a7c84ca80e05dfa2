"""Create, find and load run directories."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from loopgraph.disk import floor
from loopgraph.disk.roots import FOLDER
from loopgraph.edges import run as edge
from loopgraph.edges.record import Record
from loopgraph.edges.run import Run
from loopgraph.model.errors import RefusedError, UnreadableError, UsageError, nearest

_DRAFT: Final = ".new-"
_FOLDERS: Final = ("archive", "evidence")
_NAMED_ONLY: Final = ("archive", "evidence")

HOUSEKEEPING: Final[Mapping[str, str]] = {
    ".gitignore": (
        ".lock\n.new-*/\n.bindings.json\n.objects/\n/loops/\n/state/\n/blocked/\n"
        "*/evidence/fires/\n*/evidence/verify/\n"
    ),
    ".gitattributes": "* -text\n",
}
"""Written once beside the runs: locks, bindings and bulk stay out of commits, line ends alone."""


def create(root: Path, wanted: str, files_for: Callable[[str], Mapping[str, str]]) -> Path:
    """Write a new run directory whole or not at all, and return it.

    `files_for` gets the name that is free (`wanted`, else with `-2`, `-3` …) and returns the
    files by name. Two processes at once get two directories; an existing run is never touched.
    """
    home = root / FOLDER
    fresh = not home.exists()
    try:
        _open_home(home)
        with floor.Lock(str(home / ".lock")):
            _sweep(home)
            name = _free(home, wanted)
            files = files_for(name)
            draft = home / f"{_DRAFT}{name}"
            try:
                _fill(draft, files)
                for extra, text in HOUSEKEEPING.items():
                    write_once(home / extra, text)
                os.rename(draft, home / name)  # noqa: PTH104  says what it is: one atomic step
            except BaseException:
                shutil.rmtree(draft, ignore_errors=True)
                raise
            floor.sync_folder(str(home))
    except OSError as error:
        if fresh:
            _remove_if_ours(home)
        raise UsageError(
            f"cannot write: {(error.strerror or str(error)).lower()}",
            where=str(home),
            fix="Make the folder writable, or name another with --workspace.",
        ) from None
    except BaseException:
        if fresh:
            _remove_if_ours(home)
        raise
    return home / name


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write a run's files into a folder that does not exist yet, whole or not at all."""
    if folder.exists() or folder.is_symlink():
        raise RefusedError("it exists already", where=str(folder), fix="Name a new folder.")
    draft = folder.parent / f"{_DRAFT}{folder.name}"
    try:
        shutil.rmtree(draft, ignore_errors=True)
        _fill(draft, files)
        os.rename(draft, folder)  # noqa: PTH104
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        raise UsageError(
            f"cannot write: {(error.strerror or str(error)).lower()}", where=str(folder)
        ) from None


def _open_home(home: Path) -> None:
    if home.is_symlink():
        raise UsageError(
            "a symbolic link is not followed here", where=str(home), fix="Put a folder there."
        )
    home.mkdir(exist_ok=True)


def _sweep(home: Path) -> None:
    """Remove drafts that a killed process left; the lock says that nobody is writing one."""
    for entry in os.scandir(home):
        if entry.name.startswith(_DRAFT) and entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)


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
    draft.mkdir()
    for folder in _FOLDERS:
        (draft / folder).mkdir()
    for name, text in files.items():
        floor.write_new(str(draft / name), text.encode("utf-8"))
    floor.sync_folder(str(draft))


def write_once(path: Path, text: str) -> None:
    """Write a small file of ours unless something is there already."""
    if path.exists() or path.is_symlink():
        return
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    floor.write_new(str(draft), text.encode("utf-8"))
    os.replace(draft, path)  # noqa: PTH105


def _remove_if_ours(home: Path) -> None:
    """Take back a `.longgraph` folder that this call made and did not fill."""
    for name in (".lock", *HOUSEKEEPING):
        (home / name).unlink(missing_ok=True)
    try:
        home.rmdir()
    except OSError:
        return


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
    """The run that was named by path or by slug, else the only one there is."""
    runs = all_runs(root)
    if run is None:
        if len(runs) == 1:
            return runs[0]
        what = "no run here" if not runs else f"{len(runs)} runs here, and none was named"
        fix = "Make one with: loopgraph new" if not runs else f"Name one: {_names(runs)}"
        raise UsageError(what, where=str(root / FOLDER), fix=fix)
    by_slug = root / FOLDER / run
    if run and not Path(run).is_absolute() and "/" not in run and by_slug.is_dir():
        return by_slug
    path = Path(run)
    if path.is_dir():
        return path.resolve()
    ends = [folder for folder in runs if folder.name.endswith(f"-{run}")]
    if len(ends) == 1:
        return ends[0]
    known = nearest(run, [folder.name for folder in runs]) if runs else "There is no run here yet"
    raise UsageError("no such run", where=run, fix=known)


def _names(runs: list[Path]) -> str:
    return ", ".join(folder.name for folder in runs[-5:])


def root_of(run: Path) -> Path:
    """The workspace that a run directory lives in."""
    return run.parent.parent if run.parent.name == FOLDER else run.parent


def load(path: Path) -> Run:
    """Read a run directory; what is no readable text is named with the reason."""
    if not path.is_dir():
        raise UnreadableError("no such run directory", where=str(path))
    files: dict[str, str] = {}
    others: dict[str, str] = {}
    for entry in sorted(os.scandir(path), key=lambda entry: entry.name):
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in _NAMED_ONLY:
                others[f"{entry.name}/"] = "a folder"
            continue
        try:
            files[entry.name] = floor.read(entry.path).decode("utf-8")
        except UnreadableError as error:
            others[entry.name] = error.what
        except UnicodeDecodeError as error:
            others[entry.name] = f"not UTF-8 at byte {error.start}"
    return edge.read(files, others)


def record_of(path: Path) -> Record:
    """A run's record; a run without a readable one is refused with the reason."""
    run = load(path)
    if run.record is None:
        why = run.record_problem or run.others.get("run.yaml", "no such file")
        raise UnreadableError(why, where=str(path / "run.yaml"))
    return run.record
