"""Read and change the small state files of a workspace: locked, each whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from loopgraph.disk import floor, house, read
from loopgraph.disk.roots import FOLDER
from loopgraph.edges.places import Change, Files
from loopgraph.model.errors import UnreadableError, UsageError
from loopgraph.model.messages import _

_MOST: Final = 2000
"""How many files of one folder are looked at."""

Command = Callable[[Files], Change]
"""Decides; it may be asked more than once."""


def load(base: Path, wanted: Iterable[str]) -> dict[str, str]:
    """The wanted files that are there, by path; `folder/*.md` is every such file of a folder.

    Links, devices and large files are refused by name. Markdown may hold any bytes, which come
    back as they are; JSON that is no UTF-8 is refused.
    """
    return {
        path: _text(base, path) for path in _found(base, wanted) if os.path.lexists(base / path)
    }


def _found(base: Path, wanted: Iterable[str]) -> Iterator[str]:
    for path in wanted:
        folder, star, ending = path.partition("/*")
        if not star:
            yield path
            continue
        place = read.inside(base, folder)
        if not os.path.isdir(place):  # noqa: PTH112
            continue
        names = sorted(entry.name for entry in os.scandir(place) if entry.name.endswith(ending))
        yield from (f"{folder}/{name}" for name in names[:_MOST] if name[0] != ".")


def _text(base: Path, path: str) -> str:
    try:
        data = floor.read(_place(base, path))
    except UnreadableError as error:
        raise UnreadableError(error.what, where=path) from None
    if not path.endswith(".json"):
        return data.decode("utf-8", "surrogateescape")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableError(
            _("not UTF-8 at byte {start}", start=error.start), where=path
        ) from None


def _place(base: Path, path: str) -> str:
    """Where a file really is; a folder that leads out of the base is refused."""
    folder, _, name = path.rpartition("/")
    return f"{read.inside(base, folder)}{os.sep}{name}"


def apply(base: Path, wanted: Iterable[str], command: Command, *, lock: str) -> Change:
    """Ask a command what is to change, and change it; what it refuses leaves no trace."""
    paths = tuple(wanted)
    if not os.path.lexists(base / lock):
        command(load(base, paths))
    try:
        _make_folder(base, lock.rpartition("/")[0])
        with floor.Lock(_place(base, lock)):
            if lock.startswith(f"{FOLDER}/"):
                house.keep(base / FOLDER)
            files = load(base, paths)
            change = command(files)
            _carry_out(base, files, change)
    except OSError as error:
        raise UsageError(
            _("cannot write: {reason}", reason=(error.strerror or str(error)).lower()),
            where=str(base),
            fix=_("Make the folder writable, or name another with --workspace."),
        ) from None
    return change


def _carry_out(base: Path, files: Files, change: Change) -> None:
    for path, text in change.files.items():
        if text is not None and text != files.get(path):
            _make_folder(base, path.rpartition("/")[0])
            floor.replace(_place(base, path), text.encode("utf-8", "surrogateescape"))
    for path, text in change.files.items():
        gone = text is not None or not os.path.lexists(base / path)
        if not gone and not floor.remove(_place(base, path)):
            raise UsageError(_("cannot remove it"), where=path, fix=_("Make its folder writable."))


def _make_folder(base: Path, folder: str) -> None:
    path = base / folder
    if not path.is_dir():
        path.mkdir(parents=True, exist_ok=True)
    read.inside(base, folder)
