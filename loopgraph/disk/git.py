"""Ask git what a repository holds, so that nothing the repository configured is run.

The only caller of git. A repository is data from a stranger: its configuration can name programs
(a file system monitor, hooks, filters, pagers, transports), and all of them are switched off.
Needs git 2.31; no git, no repository and a broken one are values (None), not errors.
"""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from loopgraph.disk import floor
from loopgraph.model.errors import UnreadableError
from loopgraph.model.messages import _

PATIENCE: Final = 120
"""Seconds; the status of the largest repositories takes some."""

_NOTHING: Final = "/dev/null"
"""git knows this name on Windows too."""

_OFF: Final[Mapping[str, str]] = {
    "core.fsmonitor": "false",
    "core.hooksPath": _NOTHING,
    "core.pager": "cat",
    "diff.external": "",
    "protocol.allow": "never",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "submodule.recurse": "false",
    "status.showStash": "false",
}
"""What a repository's own configuration could execute, or use to make this call do more."""

_TAKEN: Final = ("core.excludesfile", "core.autocrlf", "core.eol", "core.safecrlf")
"""What counts of the owner's own configuration: which files are ignored, how lines end."""

_READ: Final = (
    *("remote.origin.url", "extensions.objectformat", "extensions.partialclone"),
    *("core.filemode", "core.symlinks", "core.hookspath"),
    *("user.name", "user.email", "commit.gpgsign"),
)

_ENVIRONMENT: Final[Mapping[str, str]] = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
    "LANGUAGE": "C",
    "PAGER": "cat",
}
_SEALED: Final[Mapping[str, str]] = {
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": _NOTHING,
    "GIT_CONFIG_NOSYSTEM": "1",
}


class Changed(NamedTuple):
    """A path that differs from HEAD."""

    path: str
    """Relative to the folder that was asked about, forward slashes; a trailing one: a repository
    of its own that this one does not track."""
    status: str
    """Two letters as in `git status --porcelain=v2`, or `??`."""


class Look(NamedTuple):
    """What one repository holds, seen from one folder of it."""

    branch: str
    """Empty when HEAD is detached."""
    head: str
    """Commit id; empty on an unborn branch."""
    origin: str
    """The URL of the remote `origin`; empty where there is none."""
    changes: tuple[Changed, ...]
    """Sorted by path; only those below the folder."""
    tracked: tuple[str, ...]
    """Paths in the index, sorted; a submodule is one path."""
    algorithm: str
    """How this repository names blobs: `sha1` or `sha256`."""
    modules: tuple[str, ...] = ()
    """The tracked paths that are submodules, sorted."""


def top(path: Path) -> Path | None:
    """The nearest folder at or above `path` that is the top of a working tree."""
    for folder in (path, *path.parents):
        git = folder / ".git"
        if (git / "HEAD").exists() or _is_pointer(git):
            return folder
    return None


def _is_pointer(git: Path) -> bool:
    """Whether `.git` is the file that a worktree or a submodule has in its place."""
    try:
        return floor.read(str(git), 64 * 1024).startswith(b"gitdir: ")
    except UnreadableError:
        return False


def look(folder: Path, environ: Mapping[str, str] | None = None) -> Look | None:
    """Look at the repository around a folder: three processes, nothing written."""
    found = _open(folder, environ)
    if found is None:
        return None
    git, settings = found
    folder, base = git.folder, git.base
    here = () if folder == base else ("--", ".")
    status = git.start(
        settings, "status", "--porcelain=v2", "--branch", "--no-ahead-behind", "--no-renames",
        "--untracked-files=all", "--ignore-submodules=dirty", "--no-column", "-z", *here,
    )  # fmt: skip
    listing = git.start(settings, "ls-files", "--cached", "--stage", "-z", *here)
    with listing:
        try:
            seen, listed = output(status), output(listing)
        except UnreadableError:
            listing.kill()
            raise
    if seen is None or listed is None:
        return None
    head, branch, changes = parse_status(seen)
    entries = [entry.partition("\t")[::2] for entry in _paths(listed)]
    prefix = "" if folder == base else folder.relative_to(base).as_posix() + "/"
    return Look(
        branch=branch,
        head=head,
        origin=settings.origin,
        changes=tuple(
            Changed(change.path.removeprefix(prefix), change.status)
            for change in sorted(changes)
            if change.path.startswith(prefix)
        ),
        tracked=tuple(sorted({path for _, path in entries})),
        algorithm=settings.algorithm,
        modules=tuple(sorted({path for mode, path in entries if mode.startswith(_SUBMODULE)})),
    )


_SUBMODULE: Final = "160000 "
"""How the index marks a commit of another repository."""


def executable(environ: Mapping[str, str]) -> str | None:
    """The git on PATH; never one in the current folder, which may be a stranger's."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in environ.get("PATH", os.defpath).split(os.pathsep):
        path = Path(folder, name)
        with suppress(OSError):  # a folder on PATH that is closed to us
            if path.is_absolute() and path.is_file() and os.access(path, os.X_OK):
                return str(path)
    return None


class Asked(NamedTuple):
    """The repository around a folder, for whoever asks git something of their own."""

    base: Path
    """The top of its working tree."""
    algorithm: str
    """How it names blobs: `sha1` or `sha256`."""
    start: Callable[..., subprocess.Popen[bytes]]
    """Start git from words, with everything switched off; `stdin` may be a pipe, `more` holds
    variables of git's own, such as GIT_INDEX_FILE."""
    found: Mapping[str, str]
    """What of its configuration was read, by name; for values that are no program."""

    def answer(
        self, *arguments: str, stdin: bytes = b"", more: Mapping[str, str] | None = None
    ) -> bytes | None:
        """What git says to these words; None where it fails."""
        process = self.start(*arguments, stdin=subprocess.PIPE, more=more or {})
        output = _finished(process, stdin)
        return output if process.returncode == 0 else None


def ask(folder: Path, environ: Mapping[str, str] | None = None) -> Asked | None:
    """The repository around a folder; None where there is no git, or no repository."""
    found = _open(folder, environ)
    if found is None:
        return None
    git, settings = found
    return Asked(git.base, settings.algorithm, partial(git.start, settings), settings.found)


def _open(folder: Path, environ: Mapping[str, str] | None) -> tuple[_Git, _Settings] | None:
    """git, asked from this folder, and what is switched off; None where there is no repository."""
    environ = os.environ if environ is None else environ
    folder = folder.resolve()
    base = top(folder)
    program = executable(environ)
    if base is None or program is None:
        return None
    git = _Git(program, folder, base, environ)
    settings = git.settings()
    return None if settings is None else (git, settings)


class _Settings(NamedTuple):
    """What a repository's configuration says that matters here."""

    off: tuple[tuple[str, str], ...]
    """What is laid over it."""
    origin: str
    algorithm: str
    found: Mapping[str, str]


class _Git(NamedTuple):
    """git, and where it is asked."""

    program: str
    folder: Path
    base: Path
    environ: Mapping[str, str]

    def settings(self) -> _Settings | None:
        """Read the configuration (this runs nothing) and lay what is switched off over it."""
        keys = (r"filter\..*", *(key.replace(".", r"\.") for key in (*_TAKEN, *_READ)))
        wanted = f"^({'|'.join(keys)})$"
        process = self._start({}, (), "config", "-z", "--includes", "--get-regexp", wanted)
        output = _finished(process)
        if process.returncode not in (0, 1):  # 1: nothing matched
            return None
        found = dict(_entries(output))
        off = dict(_OFF)
        off.update((key, found[key]) for key in _TAKEN if key in found)
        for key in found:
            if key.startswith("filter."):
                name = key[: key.rindex(".")]
                off.update({f"{name}.{part}": "" for part in ("clean", "smudge", "process")})
                off[f"{name}.required"] = "false"
        return _Settings(
            off=tuple(off.items()),
            origin=found.get("remote.origin.url", ""),
            algorithm="sha256" if found.get("extensions.objectformat") == "sha256" else "sha1",
            found=found,
        )

    def start(
        self,
        settings: _Settings,
        *arguments: str,
        stdin: int = subprocess.DEVNULL,
        more: Mapping[str, str] | None = None,
    ) -> subprocess.Popen[bytes]:
        """Start git with everything switched off."""
        return self._start({**_SEALED, **(more or {})}, settings.off, *arguments, stdin=stdin)

    def _start(
        self,
        extra: Mapping[str, str],
        off: tuple[tuple[str, str], ...],
        *arguments: str,
        stdin: int = subprocess.DEVNULL,
    ) -> subprocess.Popen[bytes]:
        # As variables, not as `-c name=value`: a filter's name may hold an equals sign.
        numbered = {"GIT_CONFIG_COUNT": str(len(off))}
        for index, (key, value) in enumerate(off):
            numbered[f"GIT_CONFIG_KEY_{index}"] = key
            numbered[f"GIT_CONFIG_VALUE_{index}"] = value
        kept = {key: value for key, value in self.environ.items() if not key.startswith("GIT_")}
        # Named places leave nothing to core.worktree or to a search above.
        places = (f"--git-dir={self.base / '.git'}", f"--work-tree={self.base}")
        return subprocess.Popen(  # noqa: S603  a list, an absolute program, no shell
            (self.program, "--no-optional-locks", "--no-pager", *places, *arguments),
            cwd=self.folder,
            env={**kept, **_ENVIRONMENT, **extra, **numbered},
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )


def _entries(output: bytes) -> Iterator[tuple[str, str]]:
    for entry in output.decode("utf-8", "surrogateescape").split("\0"):
        key, _, value = entry.partition("\n")
        if key:
            yield key, value


def _finished(process: subprocess.Popen[bytes], said: bytes | None = None) -> bytes:
    """What git said; a pipe in the place of one of its files would keep it waiting for ever."""
    try:
        return process.communicate(said, timeout=PATIENCE)[0]
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise UnreadableError(
            _("git gave no answer in {patience} seconds", patience=PATIENCE),
            where="git",
            fix=_("See what `git status` says here."),
        ) from None


def output(process: subprocess.Popen[bytes], said: bytes | None = None) -> bytes | None:
    """What a started git says to its end, and to what is said to it; None where it fails."""
    found = _finished(process, said)
    return found if process.returncode == 0 else None


def _paths(output: bytes) -> list[str]:
    return [part for part in os.fsdecode(output).split("\0") if part]


class Status(NamedTuple):
    """What `git status --porcelain=v2 --branch -z` said."""

    head: str
    branch: str
    changes: tuple[Changed, ...]


_FIELDS: Final[Mapping[str, int]] = {"1": 8, "2": 9, "u": 10}
"""Kind of record to the number of fields before its path."""


def parse_status(output: bytes) -> Status:
    """Read porcelain v2; a rename counts as its new path and, deleted, its old one."""
    head = branch = ""
    changes: list[Changed] = []
    records = iter(os.fsdecode(output).split("\0"))
    for record in records:
        kind, _, rest = record.partition(" ")
        if kind == "#":
            name, _, value = rest.partition(" ")
            if name == "branch.oid" and value != "(initial)":
                head = value
            elif name == "branch.head" and value != "(detached)":
                branch = value
        elif kind == "?":
            changes.append(Changed(rest, "??"))
        elif kind in _FIELDS:
            fields = record.split(" ", _FIELDS[kind])
            changes.append(Changed(fields[-1], fields[1]))
            if kind == "2":
                old = next(records, "")
                if fields[1].startswith("R") or fields[1].endswith("R"):
                    changes.append(Changed(old, "D."))
    return Status(head, branch, tuple(changes))


BLOB_LIMIT: Final = floor.LIMIT
"""A larger file gets no blob id: hashing it would cost more than the id is worth."""


def blob(path: Path, algorithm: str = "sha1") -> str:
    """The blob id of a path's content as it lies there, no filter; empty where it has none."""
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            data = os.fsencode(path.readlink())
        elif stat.S_ISREG(mode):
            data = floor.read(str(path), BLOB_LIMIT)
        else:
            return ""
    except (OSError, UnreadableError):
        return ""
    return named(data, algorithm)


def named(data: bytes, algorithm: str = "sha1", kind: str = "blob") -> str:
    """The id of an object with these bytes."""
    head = b"%b %d\0" % (kind.encode(), len(data))
    digest = hashlib.new(algorithm, head, usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()
