"""What a machine offers to a run: programs, folders, settings; found by disk, judged by check."""

from __future__ import annotations

from typing import Literal, NamedTuple

Level = Literal["ok", "note", "todo"]


class Program(NamedTuple):
    """A program on PATH."""

    name: str
    path: str
    """Where it was found; empty where it was not."""
    shim: str = ""
    """Who put a script in its place: `pyenv`, `asdf` …; empty for the program itself."""
    version: str = ""
    """The numbers that it gives as its version; empty where it gives none."""
    problem: Literal["", "inside", "slow", "fails"] = ""
    """Why no version is known: it lies in the workspace, was too slow, or failed."""


class Folder(NamedTuple):
    """A folder of the user's that this program writes to."""

    key: Literal["configuration", "cache", "state"]
    path: str
    """Empty where nothing says where it would be."""
    writable: bool


class RunHere(NamedTuple):
    """A run of the workspace."""

    slug: str
    status: str
    """Its Run status; empty where its ledger does not say."""
    stopped: bool
    """A STOP file of its own is there."""


class Machine(NamedTuple):
    """Everything that is looked at, as it was found."""

    python: str
    python_path: str
    scripts: str
    """The folder that holds this installation's own command; empty where there is none."""
    version: str
    """Of this loopgraph."""
    path: tuple[str, ...]
    """The folders of PATH."""
    relative: tuple[str, ...]
    """Those that are no absolute path."""
    bare: bool
    """Whether `loopgraph` is found where a timer of the system looks, on a bare PATH."""
    loopgraph: Program
    git: Program
    clients: tuple[Program, ...]
    encoding: str
    """Of file names."""
    locale: str
    """The variable that decides, as `LC_ALL=C`; empty where none is set."""
    folders: tuple[Folder, ...]
    root: str
    runs: tuple[RunHere, ...]
    stopped: bool
    """A STOP file of the whole workspace is there."""


class Line(NamedTuple):
    """One thing that was looked at, and what to do about it."""

    level: Level
    topic: str
    """`clients`, `loopgraph`, `PATH`, `python`, `git`, `locale`, `folders`, `runs`."""
    says: str
    fix: str = ""
