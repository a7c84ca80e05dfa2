"""Where the repository of a folder is, and where in it, or beside it, what is ours lies.

A folder of our own in the git folder holds what one snapshot remembers for the next. Objects go to
git's own; where `.git` cannot be written, all of it goes below `.longgraph/.objects`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Final, NamedTuple

from loopgraph.disk import floor, git
from loopgraph.disk.roots import FOLDER
from loopgraph.model.errors import UnreadableError
from loopgraph.model.messages import _

OBJECTS: Final = ".objects"
"""Below `.longgraph/`: where everything goes while `.git` cannot be written."""

_OURS: Final = tuple(
    word
    for setting in (
        *("core.protectNTFS=false", "core.protectHFS=false", "core.logAllRefUpdates=false"),
        *("core.splitIndex=false", "core.untrackedCache=false", "index.version=2"),
        *("index.skipHash=false", "core.checkStat=default", "core.trustctime=true"),
    )
    for word in ("-c", setting)
)
"""Any name that a file has here may stand in an index that is never checked out, and the form of
that index is ours."""


_UNTOLD: Final = ".invalid"
"""The branch that HEAD names where git keeps its names in tables."""


class Object(NamedTuple):
    """What git has under a name."""

    id: str
    kind: str
    data: bytes


def is_line(name: str) -> bool:
    """Whether git can be asked for a name, one a line; it takes a return before the end away."""
    return "\n" not in name and "\r" not in name


class Store(NamedTuple):
    """Where the objects of one repository and our own index go."""

    asked: git.Asked
    folder: Path
    """The folder whose files are written: the workspace, or a repository below it."""
    path: str
    """The same relative to the workspace; `.` for itself."""
    own: Path
    """The git folder of its worktree."""
    private: Path
    """Holds our index, what we remember and the lock."""
    objects: Path
    """The folder that new objects go to."""
    key: str
    """Tells worktrees and folders of one repository apart; says nothing about the machine."""
    closed: bool
    """Whether `.git` cannot be written, so that nothing of ours is in it."""
    more: Mapping[str, str]
    """Variables that send git to the private index, and its objects where they go."""
    beside: Path | None = None
    """What was kept below `.longgraph/.objects`, by whoever found `.git` closed; None: nothing."""

    @property
    def reading(self) -> Mapping[str, str]:
        """The variables with which git also finds what lies beside the repository.

        Only to read: what is written here must not lean on objects that git does not keep.
        """
        if self.closed or self.beside is None:
            return self.more
        return {"GIT_ALTERNATE_OBJECT_DIRECTORIES": _quoted(str(self.beside / "objects"))}

    @property
    def none(self) -> str:
        """The id of nothing."""
        return "0" * (64 if self.asked.algorithm == "sha256" else 40)

    @property
    def branch(self) -> str:
        """The branch that is checked out; empty where none is, or its file does not say."""
        said = os.fsdecode(floor.peek(str(self.own / "HEAD"), 64 * 1024) or b"").rstrip("\r\n")
        head, _slash, name = said.partition("refs/heads/")
        return name if head == "ref: " and name != _UNTOLD else ""

    def below(self, path: str) -> str:
        """A path of the folder as one of the workspace."""
        return path if self.path == "." else f"{self.path}/{path}"

    def answer(
        self, *words: str, stdin: bytes = b"", index: str = "index", reading: bool = False
    ) -> bytes | None:
        """Ask git about this store; None where it fails."""
        more = self.reading if reading else self.more
        more = {**more, "GIT_INDEX_FILE": str(self.private / index)}
        return self.asked.answer(*self.ours, *words, stdin=stdin, more=more)

    @property
    def ours(self) -> tuple[str, ...]:
        """The words that come first where our index is meant: its paths begin at the folder."""
        return (f"--work-tree={self.folder}", *_OURS)

    def must(
        self, *words: str, stdin: bytes = b"", index: str = "index", reading: bool = False
    ) -> bytes:
        """The same; a failure ends the command."""
        found = self.answer(*words, stdin=stdin, index=index, reading=reading)
        if found is None:
            raise self.failed(words[0])
        return found

    def failed(self, word: str) -> UnreadableError:
        """What to say where git fails."""
        return UnreadableError(
            _("git failed at {word}", word=word),
            where=str(self.folder),
            fix=_("See what `git fsck` says here, or set snapshots to off."),
        )

    def ask(self, *, reading: bool = False) -> Popen[bytes]:
        """Start a git that knows objects: `told` says which. It finds its way in meanwhile."""
        more = self.reading if reading else self.more
        return self.asked.start("cat-file", "--batch", stdin=PIPE, more=more)

    def told(self, asking: Popen[bytes], names: Iterable[str]) -> list[Object | None]:
        """The objects of these names; None for one that is gone, never was, or is no line."""
        asked = list(names)
        lines = "".join(f"{name}\n" for name in asked if is_line(name))
        told = git.output(asking, os.fsencode(lines))
        if told is None:
            raise self.failed("cat-file")
        found: list[Object | None] = []
        at = 0
        for name in asked:
            if not is_line(name):
                found.append(None)
                continue
            end = told.index(b"\n", at)
            words = told[at:end].rsplit(b" ", 2)
            at = end + 1
            if not words[-1].isdigit():  # `<name> missing`
                found.append(None)
                continue
            start, at = at, at + int(words[2]) + 1
            found.append(Object(words[0].decode(), words[1].decode(), told[start : at - 1]))
        return found

    def objects_of(self, names: Iterable[str], *, reading: bool = False) -> list[Object | None]:
        """The same at once, by one process; none where nothing is asked."""
        asked = list(names)
        return self.told(self.ask(reading=reading), asked) if asked else []


class _Where(NamedTuple):
    """Where a folder of a workspace has its repository, and where what is ours lies or would."""

    asked: git.Asked
    folder: Path
    own: Path
    common: Path
    """The git folder that all worktrees share."""
    key: str
    inside: Path
    outside: Path
    """The same for what is kept below `.longgraph/.objects`."""


def store(root: Path, path: str, environ: Mapping[str, str]) -> Store | None:
    """The store of a folder of a workspace; None where no repository holds it."""
    where = _where(root, path, environ)
    if where is None:
        return None
    if _opens(where.inside, where.common / "objects", where.common / "refs"):
        return _open(where, path)
    objects = where.outside / "objects"
    objects.mkdir(parents=True, exist_ok=True)
    more = {
        "GIT_OBJECT_DIRECTORY": str(objects),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": _quoted(str(where.common / "objects")),
    }
    return Store(
        where.asked, where.folder, path, where.own, where.outside, objects, where.key,
        closed=True, more=more, beside=where.outside,
    )  # fmt: skip


def to_read(root: Path, path: str, environ: Mapping[str, str]) -> Store | None:
    """The same for whoever only reads: nothing is made and nothing is tried, whatever is closed."""
    where = _where(root, path, environ)
    return None if where is None else _open(where, path)


def _open(where: _Where, path: str) -> Store:
    beside = where.outside if (where.outside / "refs").is_dir() else None
    objects = where.common / "objects"
    return Store(
        where.asked, where.folder, path, where.own, where.inside, objects, where.key,
        closed=False, more={}, beside=beside,
    )  # fmt: skip


def _where(root: Path, path: str, environ: Mapping[str, str]) -> _Where | None:
    folder = root if path == "." else root / path
    asked = git.ask(folder, environ)
    if asked is None or (path != "." and asked.base != folder):
        return None
    own, common = folders(asked.base)
    if common is None or own is None:
        return None
    worktree = os.path.relpath(own, common).replace(os.sep, "/")
    below = folder.relative_to(asked.base).as_posix()
    key = hashlib.sha256(f"{worktree}\0{below}".encode("utf-8", "surrogateescape")).hexdigest()[:12]
    name = hashlib.sha256(f"{path}\0{key}".encode("utf-8", "surrogateescape")).hexdigest()[:12]
    outside = root / FOLDER / OBJECTS / name
    return _Where(asked, folder, own, common, key, own / "loopgraph" / key, outside)


def folders(base: Path) -> tuple[Path | None, Path | None]:
    """The git folder of a worktree, and the one that all worktrees of its repository share."""
    pointer = base / ".git"
    own = pointer
    if not pointer.is_dir():
        said = floor.peek(str(pointer), 64 * 1024)
        if said is None or not said.startswith(b"gitdir: "):
            return None, None
        own = base / os.fsdecode(said[len(b"gitdir: ") :].rstrip(b"\r\n"))
    shared = floor.peek(str(own / "commondir"), 64 * 1024)
    common = own / os.fsdecode(shared.rstrip(b"\r\n")) if shared else own
    try:
        return own.resolve(strict=True), common.resolve(strict=True)
    except OSError:
        return None, None


def _opens(inside: Path, objects: Path, refs: Path) -> bool:
    """Whether we may write into a repository: a folder of our own, objects, and names."""
    if not os.access(refs, os.W_OK):
        return False
    probe = objects / f"tmp_obj_loopgraph{os.getpid()}"  # the name that git itself sweeps away
    try:
        inside.mkdir(parents=True, exist_ok=True)
        for place in (inside / "probe", probe):
            place.touch()
            place.unlink()
    except OSError:
        return False
    return True


def _quoted(path: str) -> str:
    """A path as one entry of a list that colons part."""
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
