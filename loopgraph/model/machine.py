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


Trust = Literal["", "trusted", "untrusted", "modified", "project", "unknown"]


class HookHere(NamedTuple):
    """Our Stop hook in one client, as it was found."""

    client: str
    """The name that `install` takes."""
    title: str
    here: bool
    """The client itself is on PATH."""
    files: tuple[str, ...] = ()
    """Where the hook is registered; empty for nowhere."""
    undo: str = ""
    """The command that takes it out of the first of them; empty where a person has to."""
    broken: tuple[str, ...] = ()
    """Files that the client cannot read, each with the reason."""
    command: str = ""
    """What it runs; empty where a plugin or another kind of file says that."""
    python: str = ""
    """The interpreter that it starts; empty where its form is not ours."""
    gone: bool = False
    """That interpreter is not there any more."""
    shim: str = ""
    """Who put a script in its place."""
    answers: str | None = None
    """Empty: run once, it did as it should. A text: why not. None: it was not run."""
    off: str = ""
    """The file that switches every hook of this client off."""
    trust: Trust = ""
    """Empty where the client asks for none, or nobody can be asked."""
    unverified: str = ""
    """The month of the documentation, where no real client was held against it."""
    rivals: tuple[tuple[str, str], ...] = ()
    """Other tools' hooks for the same records: the tool, and the file that names it."""


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
    hooks: tuple[HookHere, ...] = ()
    repository: bool = True
    """Whether the workspace lies in a repository of git."""


class Line(NamedTuple):
    """One thing that was looked at, and what to do about it."""

    level: Level
    topic: str
    """`stops`, `hooks`, `clients`, `loopgraph`, `PATH`, `python`, `git`, `locale`, `folders`,
    `runs`."""
    says: str
    fix: str = ""
