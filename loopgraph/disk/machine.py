"""Look at this machine: programs on PATH and their versions, folders, locale, the runs here."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from loopgraph import __version__
from loopgraph.disk import config, git, process, registered, roots, runs
from loopgraph.hosts import clients
from loopgraph.model.machine import Folder, Machine, Program, RunHere
from loopgraph.plain import places

PATIENCE: Final = 10.0
"""Seconds that a program has to say its version."""
BARE: Final = ("/usr/bin", "/bin")
"""Where a timer of the system looks for programs."""

_SHIMS: Final = ("pyenv", "asdf", "mise", "rbenv", "nodenv", "volta")
_NUMBERS: Final = re.compile(r"\d+(?:\.\d+)+")
_HEAD: Final = 512
_KEPT: Final = 4096


def look(root: Path, environ: Mapping[str, str]) -> Machine:
    """Everything; it changes nothing and asks no network, and starts nothing of the workspace."""
    listed = environ.get("PATH", os.defpath).split(os.pathsep)
    folders = [folder for folder in listed if Path(folder).is_absolute()]
    # A workspace that holds the whole home is the user's own, and so are the programs in it.
    around = roots.home(environ).resolve().is_relative_to(root.resolve())
    others = None if around else root
    return Machine(
        python=".".join(str(part) for part in sys.version_info[:3]),
        python_path=sys.executable,
        scripts=_scripts(),
        version=__version__,
        path=tuple(dict.fromkeys(folders)),
        relative=tuple(folder for folder in listed if not Path(folder).is_absolute()),
        bare=bool(_find(("loopgraph",), BARE)),
        loopgraph=_asked(("loopgraph",), folders, others),
        git=_asked(("git",), folders, others),
        clients=tuple(_asked(client.names, folders, others) for client in clients.CLIENTS),
        encoding=sys.getfilesystemencoding(),
        locale=_locale(environ),
        folders=_folders(environ),
        root=str(root),
        runs=tuple(_run(path) for path in runs.all_runs(root)),
        hooks=registered.look(root, environ, lambda name: _startable(name, folders, others), _shim),
        repository=git.top(root.absolute()) is not None,
    )


def _startable(name: str, folders: Iterable[str], others: Path | None) -> str:
    """A program that may be started: it is on PATH, and nobody decides it in the workspace."""
    path = _find((name,), folders)
    return "" if path and others and _inside(Path(path), others) else path


def _scripts() -> str:
    """Where this installation has its own command."""
    near = Path(sysconfig.get_path("scripts"))
    return str(near) if _find(("loopgraph",), [str(near)]) else ""


def _find(names: Iterable[str], folders: Iterable[str]) -> str:
    """The first of these programs in these folders; empty for none."""
    endings = os.environ.get("PATHEXT", ".EXE").split(";") if sys.platform == "win32" else [""]
    for name in names:
        for folder in folders:
            for ending in endings:
                place = Path(folder, name + ending)
                if place.is_file() and os.access(place, os.X_OK):
                    return str(place)
    return ""


def _asked(names: tuple[str, ...], folders: Iterable[str], others: Path | None) -> Program:
    """A program with its version, asked for far from the workspace."""
    path = _find(names, folders)
    name = next((one for one in names if Path(path).stem == one), names[0]) if path else names[0]
    if not path:
        return Program(name, "")
    found = Program(name, path, _shim(Path(path)))
    if others and _inside(Path(path), others):
        return found._replace(problem="inside")
    ended = process.run((path, "--version"), Path(Path(path).anchor), limit=PATIENCE, kept=_KEPT)
    if not ended.started:
        return found._replace(problem="fails")
    if ended.code is None:
        return found._replace(problem="slow")
    numbers = _NUMBERS.search(ended.output)
    if ended.code or numbers is None:
        return found._replace(problem="fails")
    return found._replace(version=numbers[0])


def _inside(path: Path, root: Path) -> bool:
    """Whether whoever writes in the workspace decides what this program is."""
    here = root.resolve()
    return any(place.is_relative_to(here) for place in (path.absolute(), path.resolve()))


def _shim(path: Path) -> str:
    """Who stands in the place of a program: told by its folder, else by its first lines."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD).decode("utf-8", "replace")
    except OSError:
        head = ""
    script = head if head.startswith("#!") else ""
    for tool in _SHIMS:
        if path.parent.name == "shims" and (f".{tool}" in path.parts or tool in path.parts):
            return tool
        if f"{tool} exec" in script or f'{tool}" exec' in script:
            return tool
    return ""


def _locale(environ: Mapping[str, str]) -> str:
    found = (name for name in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(name))
    name = next(found, "")
    return f"{name}={environ[name]}" if name else ""


def _folders(environ: Mapping[str, str]) -> tuple[Folder, ...]:
    state = places.state_folder(environ, sys.platform) or ""
    named: tuple[Folder, ...] = (
        Folder("configuration", str(config.folder(environ)), writable=False),
        Folder("cache", str(config.cache_folder(environ)), writable=False),
        Folder("state", state, writable=False),
    )
    return tuple(one._replace(writable=_writable(one.path)) for one in named)


def _writable(path: str) -> bool:
    """Whether a folder could be written, or made: judged by the nearest one that is there."""
    place = Path(path)
    if not path or not place.is_absolute():
        return False
    while not os.path.lexists(place) and place != place.parent:
        place = place.parent
    return place.is_dir() and os.access(place, os.W_OK | os.X_OK)


def _run(path: Path) -> RunHere:
    ledger = runs.load(path).ledger()
    status = ledger.status if ledger else None
    return RunHere(path.name, status or "", (path / places.RUN_STOP).exists())
