"""Write what a folder holds as a tree of git objects, and touch nothing that git itself uses.

The index is one of our own, beside git's. It holds the size, times and inode of each file as git's
would, so that git itself says which files are to be read again. No filter runs: an object holds
the bytes as they lie there. What must not be kept is left out and named.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import struct
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, Self

from loopgraph.disk import floor, git
from loopgraph.disk.roots import FOLDER
from loopgraph.model import private, secrets
from loopgraph.model.errors import UnreadableError
from loopgraph.model.messages import _
from loopgraph.plain import globs

LIMIT: Final = 10 * 1024 * 1024
"""A larger file is left out."""
ROOM: Final = 512 * 1024 * 1024
"""Bytes that one snapshot may add to a repository; what comes beyond is left out."""
OBJECTS: Final = ".objects"
"""Below `.longgraph/`: where everything goes while `.git` cannot be written."""

_VERSION: Final = "loopgraph trees 1"
"""Of what decides that a file is left out; another one reads everything again."""
_SPOOL: Final = 32 * 1024 * 1024
"""Bytes that wait to be handed to git at most."""
_MANY: Final = 200
"""So many new objects are made durable at once, not one by one."""
_RACE: Final = 2_000_000_000
"""Nanoseconds: a file changed so shortly before may change again and keep its times."""
_LINK, _FILE, _RUNNABLE, _MODULE = "120000", "100644", "100755", "160000"
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


class LeftOut(NamedTuple):
    """A file that is not in a snapshot."""

    path: str
    """Relative to the workspace."""
    why: str
    """In a few words."""


class Written(NamedTuple):
    """One folder as git objects."""

    tree: str
    left_out: tuple[LeftOut, ...]
    inner: tuple[str, ...]
    """Repositories below it, relative to it: each has a snapshot of its own."""


class Store(NamedTuple):
    """Where the objects of one repository and our own index go."""

    asked: git.Asked
    folder: Path
    """The folder whose files are written: the workspace, or a repository below it."""
    path: str
    """The same relative to the workspace; `.` for itself."""
    private: Path
    """Holds our index, the cache and the lock."""
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


# Where -----------------------------------------------------------------------------------------


class _Where(NamedTuple):
    """Where a folder of a workspace has its repository, and where what is ours lies or would."""

    asked: git.Asked
    folder: Path
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
        where.asked, where.folder, path, where.outside, where.key,
        closed=True, more=more, beside=where.outside,
    )  # fmt: skip


def to_read(root: Path, path: str, environ: Mapping[str, str]) -> Store | None:
    """The same for whoever only reads: nothing is made and nothing is tried, whatever is closed."""
    where = _where(root, path, environ)
    return None if where is None else _open(where, path)


def _open(where: _Where, path: str) -> Store:
    beside = where.outside if (where.outside / "refs").is_dir() else None
    return Store(
        where.asked, where.folder, path, where.inside, where.key,
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
    return _Where(asked, folder, common, key, own / "loopgraph" / key, outside)


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


# Write -----------------------------------------------------------------------------------------


def write(place: Store, closed_to: tuple[str, ...] = (), always: Iterable[str] = ()) -> Written:
    """Write what the folder holds: tracked and untracked files, never ignored ones.

    `closed_to` are globs of what the data policy keeps out, `always` paths that are written
    whatever is ignored.
    """
    with floor.Lock(str(place.private / "lock"), wait=60):
        for left in place.private.glob("spool-*"):
            shutil.rmtree(left, ignore_errors=True)
        floor.remove(str(place.private / "index.lock"))
        found = _look(place, closed_to, tuple(always))
        tree = place.answer("write-tree")
        if tree is None:  # objects went away: somebody pruned, so everything is written again
            _forget(place)
            found = _look(place, closed_to, tuple(always))
            # What a partial clone never fetched is no reason to have no snapshot.
            tree = place.must("write-tree", "--missing-ok")
        _note(place, found)
    named = tuple(
        LeftOut(_below(place, path), why)
        for path, (_was, why) in sorted(found.left_out.items())
        if why
    )
    return Written(tree.decode().strip(), named, found.inner)


def _forget(place: Store) -> None:
    for name in ("index", "known"):
        floor.remove(str(place.private / name))


def _below(place: Store, path: str) -> str:
    return path if place.path == "." else f"{place.path}/{path}"


def _names(listed: bytes) -> list[str]:
    return [path for path in os.fsdecode(listed).split("\0") if path]


class _Known(NamedTuple):
    """What the last snapshot knew beside our index."""

    rules: str
    """What decided that a file is left out."""
    tracked: str
    """Digest of the paths in the repository's own index; empty for unknown."""
    others: frozenset[str]
    """Paths that are not in it, and were written all the same."""
    always: frozenset[str]
    """Paths that were written whatever is ignored."""
    left_out: Mapping[str, tuple[str, str]]
    """Path to its stamp and the reason; both are empty for a tracked file that is not there."""


_NOTHING: Final = _Known("", "", frozenset(), frozenset(), {})


class _Look(NamedTuple):
    """What this snapshot knows: the same, and what came of it."""

    known: _Known
    left_out: Mapping[str, tuple[str, str]]
    inner: tuple[str, ...]
    stats: Mapping[str, os.stat_result]
    """Of the files that were read, as they were before."""
    begun: int


def _look(place: Store, closed_to: tuple[str, ...], always: tuple[str, ...]) -> _Look:
    """Bring our index up to what lies there."""
    begun = time.time_ns()
    rules = _rules(place, closed_to)
    known = _recall(place)
    if known.rules != rules or not (place.private / "index").exists():
        _forget(place)
        known = _NOTHING
    told = _listed(place)
    inner = {path.rstrip("/") for path in told.others if path.endswith("/")}
    others = frozenset(path for path in told.others if not path.endswith("/"))
    kept = known.always | frozenset(always)
    digest = hashlib.sha256(told.tracked).hexdigest()
    files = _Files(place, closed_to)
    if digest == known.tracked:
        new = (others | kept) - known.others - known.always
        gone = known.others - others - kept
    else:
        tracked = _tracked(place)
        files.indexed = tracked
        ours = frozenset(_names(place.answer("ls-files", "-z", "--cached") or b""))
        ours |= frozenset(known.left_out)
        wanted = frozenset(tracked) | others | kept
        new, gone = wanted - ours, ours - wanted
    left = [path for path, (stamp, _) in known.left_out.items() if _stamp(place, path) != stamp]
    files.read(sorted({*told.changed, *new, *left} - gone))
    # A path that is in neither list any more may still be one of those that git saw change.
    _update(place, sorted({*gone, *files.gone}), files.entries)
    left_out = {
        path: why
        for path, why in known.left_out.items()
        if path not in gone and path not in files.seen
    }
    left_out.update(files.left_out)
    inner |= {path for path in told.modules if path}
    note = _Known(rules, digest, others, kept - frozenset(files.gone), left_out)
    return _Look(note, left_out, tuple(sorted(inner)), files.stats, begun)


class _Told(NamedTuple):
    """What git says of the folder."""

    tracked: bytes
    """The repository's own index: a tag and a path each."""
    others: list[str]
    """Untracked files; with a slash at the end, a repository of its own."""
    changed: list[str]
    """Paths of our index that are not as they were, or are gone."""
    modules: list[str]


def _listed(place: Store, *, anew: bool = True) -> _Told:
    """Three questions at once: two of git's own index, one of ours; once more where ours broke."""
    start = place.asked.start
    ours = {**place.more, "GIT_INDEX_FILE": str(place.private / "index")}
    asked = (
        start("ls-files", "-z", "--others", "--exclude-standard"),
        start("ls-files", "-z", "--cached", "-t"),
        start(
            *place.ours, "diff-files", "-z", "--name-only", "--ignore-submodules=all",
            "--no-renames", more=ours,
        ),
    )  # fmt: skip
    others, tracked, changed = (git.output(process) for process in asked)
    for process in asked:
        process.communicate()
    if changed is None and anew:  # our index is broken: everything is read again
        _forget(place)
        return _listed(place, anew=False)._replace(tracked=b"")
    if changed is None:
        raise place.failed("diff-files")
    if others is None or tracked is None:
        raise UnreadableError(
            _("git cannot list its files"),
            where=str(place.folder),
            fix=_("See what `git status` says here."),
        )
    modules = _modules(place) if (place.asked.base / ".gitmodules").exists() else []
    return _Told(tracked, _names(others), _names(changed), modules)


def _modules(place: Store) -> list[str]:
    found = place.asked.answer("ls-files", "-z", "--cached", "--stage") or b""
    return [one.partition("\t")[2] for one in _names(found) if one.startswith(_MODULE)]


class _Entry(NamedTuple):
    """A path of a tree."""

    mode: str
    id: str


class _Indexed(NamedTuple):
    """A path of the repository's own index."""

    mode: str
    id: str
    skipped: bool
    """A sparse checkout left it out of the working tree."""


def _tracked(place: Store) -> dict[str, _Indexed]:
    """The repository's own index; of a path in conflict any of its stages."""
    listed = place.asked.answer("ls-files", "-z", "--cached", "--stage", "-t") or b""
    found: dict[str, _Indexed] = {}
    for record in _names(listed):
        head, _tab, path = record.partition("\t")
        found[path] = _Indexed(head[2:8], head[9:-2], head[0] == "S")
    return found


def _stamp(place: Store, path: str) -> str:
    """Whether a file is as it was; empty where it is gone."""
    try:
        info = os.lstat(f"{place.folder}{os.sep}{path}")
    except (OSError, ValueError):
        return ""
    return f"{info.st_mode:o} {info.st_size} {info.st_mtime_ns} {info.st_ctime_ns} {info.st_ino}"


class _Files:
    """The files that are to be read: what becomes of each."""

    def __init__(self, place: Store, closed_to: tuple[str, ...]) -> None:
        self._place, self._closed_to = place, closed_to
        self.indexed: Mapping[str, _Indexed] = {}
        """The repository's own index, where it was read."""
        self.entries: dict[str, _Entry] = {}
        self.left_out: dict[str, tuple[str, str]] = {}
        self.gone: list[str] = []
        """What is not to be in a tree (any more)."""
        self.seen: set[str] = set()
        self.stats: dict[str, os.stat_result] = {}
        found = place.asked.found
        self._modes = found.get("core.filemode", "true").casefold() not in ("false", "no", "0")
        self._links = found.get("core.symlinks", "true").casefold() not in ("false", "no", "0")
        self._real: dict[str, bool] = {"": True}
        self._base = f"{place.folder}{os.sep}"

    def read(self, paths: Iterable[str]) -> None:
        """Read files, and hand the bytes of those that are kept to git."""
        with _Spool(self._place) as spool:
            for path in paths:
                self.seen.add(path)
                self._one(path, spool)

    def _one(self, path: str, spool: _Spool) -> None:
        if not self.indexed and not self._modes:
            self.indexed = _tracked(self._place)  # only its index knows what may be run
        known = self.indexed.get(path)
        if known and known.mode == _MODULE:
            self.entries[path] = _Entry(_MODULE, known.id)
            return
        full = self._base + path
        try:
            info = os.lstat(full)
        except (OSError, ValueError):
            info = None
        if info is None or stat.S_ISDIR(info.st_mode) or not self._is_real(path.rpartition("/")[0]):
            self._absent(path)
            return
        if f"/{path}".startswith(f"/{FOLDER}/{OBJECTS}/"):
            self.gone.append(path)
            return
        link = stat.S_ISLNK(info.st_mode)
        data, why = self._content(path, info, link=link)
        id_ = _id(data, self._place.asked.algorithm)
        fresh = known is None or known.id != id_
        if not why and fresh and spool.taken + len(data) > ROOM:
            why = "over 512 MiB of new files at once"
        if why:
            self.left_out[path] = (_stamp(self._place, path), why)
            self.gone.append(path)
            return
        self.entries[path] = _Entry(self._mode(info, known, link=link), id_)
        self.stats[path] = info
        if fresh:
            spool.add(data)

    def _content(self, path: str, info: os.stat_result, *, link: bool) -> tuple[bytes, str]:
        """The bytes of a file, and why they are left out; empty where they are not."""
        if why := self._why_not(path, info):
            return b"", why
        data = _bytes(self._base + path, link=link)
        if data is None:
            return b"", "it cannot be read"
        secret = None if link else next(secrets.find(_text(data)), None)
        return data, f"it holds {secret.kind}" if secret else ""

    def _absent(self, path: str) -> None:
        """A file that is not there: gone, a folder by now, or never checked out."""
        if not self.indexed:
            self.indexed = _tracked(self._place)
        known = self.indexed.get(path)
        if known and known.skipped:
            self.entries[path] = _Entry(known.mode, known.id)
        else:
            self.gone.append(path)
            self.left_out[path] = ("", "")

    def _is_real(self, folder: str) -> bool:
        """Whether a folder is one, and so is every one above it: no link leads out of here."""
        known = self._real.get(folder)
        if known is None:
            known = self._is_real(folder.rpartition("/")[0])
            with suppress(OSError):
                known = known and stat.S_ISDIR(os.lstat(self._base + folder).st_mode)
            self._real[folder] = known
        return known

    def _why_not(self, path: str, info: os.stat_result) -> str:
        if not stat.S_ISREG(info.st_mode) and not stat.S_ISLNK(info.st_mode):
            return "no regular file"
        if why := why_not(_below(self._place, path), self._closed_to):
            return why
        if info.st_size > LIMIT:
            return "over 10 MiB"
        if _is_gits(path) or (stat.S_ISLNK(info.st_mode) and path.endswith(".gitmodules")):
            return "git takes no such name"
        return ""

    def _mode(self, info: os.stat_result, known: _Indexed | None, *, link: bool) -> str:
        if link or (not self._links and known and known.mode == _LINK):
            return _LINK
        if not self._modes and known:
            return known.mode
        return _RUNNABLE if info.st_mode & stat.S_IXUSR else _FILE


_UNSEEN: Final = {ord(char): None for char in "\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d"
                   "\u202e\u206a\u206b\u206c\u206d\u206e\u206f\ufeff"}  # fmt: skip
"""Characters that a file system of macOS drops from a name."""


def _is_gits(path: str) -> bool:
    """Whether a part of a path is `.git` to some file system: no tree may have it."""
    if path.isascii() and "git" not in path.casefold():
        return False
    parts = path.translate(_UNSEEN).casefold().replace("\\", "/").split("/")
    return any(part.partition(":")[0].rstrip(". ") in (".git", "git~1") for part in parts)


def why_not(path: str, closed_to: tuple[str, ...]) -> str:
    """Why a path of the workspace is left out by its name alone; empty where it is not."""
    if private.is_secret(path):
        return "its name is one that credentials have"
    if any(globs.matches(path, glob) for glob in closed_to):
        return "the data policy names it"
    return ""


def _bytes(full: str, *, link: bool) -> bytes | None:
    if not link:
        return floor.peek(full, LIMIT)
    try:
        return os.fsencode(os.readlink(full))  # noqa: PTH115  bytes of any name
    except OSError:
        return None


def _text(data: bytes) -> str:
    """Bytes as a text in which a secret can be found, UTF-16 as editors of Windows write it."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return data.decode("latin-1")


def _id(data: bytes, algorithm: str) -> str:
    named = hashlib.new(algorithm, b"blob %d\0" % len(data), usedforsecurity=False)
    named.update(data)
    return named.hexdigest()


class _Spool:
    """Bytes on their way into the object store: the very bytes that were looked at."""

    def __init__(self, place: Store) -> None:
        self._place = place
        self._folder = place.private / f"spool-{os.getpid()}"
        self._count = self._size = self._all = 0
        self.taken = 0
        """Bytes so far."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_others: object) -> None:
        if kind is None:
            self._flush()
        shutil.rmtree(self._folder, ignore_errors=True)
        if self._all > _MANY and hasattr(os, "sync"):
            os.sync()

    def add(self, data: bytes) -> None:
        """Take a blob."""
        if not self._count:
            self._folder.mkdir(exist_ok=True)
        (self._folder / str(self._count)).write_bytes(data)
        self._count += 1
        self._size += len(data)
        self.taken += len(data)
        if self._size > _SPOOL:
            self._flush()

    def _flush(self) -> None:
        if not self._count:
            return
        paths = "".join(f"{_line(self._folder / str(at))}\n" for at in range(self._count))
        # So many calls of fsync would take minutes; one of sync comes at the end.
        at_once = self._all + self._count > _MANY and hasattr(os, "sync")
        quick = ("-c", "core.fsync=none") if at_once else ()
        words = (*quick, "hash-object", "-w", "--no-filters", "--stdin-paths")
        self._place.must(*words, stdin=os.fsencode(paths))
        for at in range(self._count):
            (self._folder / str(at)).unlink()
        self._all += self._count
        self._count = self._size = 0


def _line(path: Path) -> str:
    """A path as git reads one from a line: quoted, whatever stands in it."""
    said = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{said}"'.replace("\n", "\\n").replace("\r", "\\r")


# Our index -------------------------------------------------------------------------------------


def _update(place: Store, gone: Iterable[str], entries: Mapping[str, _Entry]) -> None:
    """Take paths out of our index and put others in."""
    said = "".join(f"0 {place.none}\t{path}\0" for path in gone)
    said += "".join(f"{entry.mode} {entry.id}\t{path}\0" for path, entry in entries.items())
    if said:
        place.must("update-index", "-z", "--index-info", stdin=os.fsencode(said))


def _note(place: Store, found: _Look) -> None:
    """Write down what the next snapshot may rely on."""
    late = found.begun - _RACE  # what changed just now may change again and keep its times
    stats = {
        path: info
        for path, info in found.stats.items()
        if info.st_mtime_ns < late and info.st_ctime_ns < late
    }
    if stats:
        _stamp_index(place.private / "index", place.asked.algorithm, stats)
    known = found.known
    data = {
        "rules": known.rules,
        "tracked": known.tracked,
        "others": sorted(known.others),
        "always": sorted(known.always),
        "left_out": {path: list(said) for path, said in known.left_out.items()},
    }
    floor.replace(str(place.private / "known"), json.dumps(data).encode(), durable=False)


def _recall(place: Store) -> _Known:
    data = floor.peek(str(place.private / "known"), 1 << 28)
    try:
        found = json.loads(data or b"{}")
        return _Known(
            str(found["rules"]),
            str(found["tracked"]),
            frozenset(found["others"]),
            frozenset(found["always"]),
            {path: (str(said[0]), str(said[1])) for path, said in found["left_out"].items()},
        )
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        return _NOTHING


def _rules(place: Store, closed_to: tuple[str, ...]) -> str:
    said = "\0".join((_VERSION, place.asked.algorithm, sys.platform, *closed_to))
    return hashlib.sha256(said.encode("utf-8", "surrogateescape")).hexdigest()


_FEW: Final = 100
_FIXED: Final = 40
"""Bytes of an entry before its id: ten numbers, the seventh its mode."""


def _stamp_index(index: Path, algorithm: str, stats: Mapping[str, os.stat_result]) -> None:
    """Write sizes, times and inodes into our index, as git would had it added the files.

    An entry that is not found is only read again the next time.
    """
    data = bytearray(index.read_bytes())
    size = hashlib.new(algorithm, usedforsecurity=False).digest_size
    if data[:8] != b"DIRC\0\0\0\2":
        return
    wanted = {os.fsencode(path): info for path, info in stats.items()}
    for at, name in _places(data, wanted, size):
        info = wanted[name]
        struct.pack_into(">6I", data, at, *_times(info))
        struct.pack_into(">3I", data, at + 28, *_rest(info))
    data[-size:] = hashlib.new(algorithm, data[:-size], usedforsecurity=False).digest()
    floor.replace(str(index), bytes(data), durable=False)


def _places(
    data: bytearray, wanted: Mapping[bytes, object], size: int
) -> Iterator[tuple[int, bytes]]:
    """Where the entries of paths begin. Few are looked for; for many all entries are gone over."""
    head = _FIXED + size + 2
    if len(wanted) < _FEW:
        for name in wanted:
            at = data.find(name + b"\0") - head
            flags = (min(len(name), 0xFFF)).to_bytes(2, "big")
            # Fresh entries have nothing but their mode; what ends like a name has no such head.
            if at >= 0 and data[at + head - 2 : at + head] == flags and not any(data[at : at + 24]):
                yield at, name
        return
    at = 12
    for _number in range(int.from_bytes(data[8:12], "big")):
        end = data.index(0, at + head)
        name = bytes(data[at + head : end])
        if name in wanted:
            yield at, name
        at += (head + len(name) + 8) & ~7


def _times(info: os.stat_result) -> tuple[int, ...]:
    ids = (info.st_dev, info.st_ino) if sys.platform != "win32" else (0, 0)
    moments = (info.st_ctime_ns, info.st_mtime_ns)
    parts = [part for moment in moments for part in divmod(moment, 1_000_000_000)]
    return tuple(part & 0xFFFFFFFF for part in (*parts, *ids))


def _rest(info: os.stat_result) -> tuple[int, ...]:
    who = (info.st_uid, info.st_gid) if sys.platform != "win32" else (0, 0)
    return tuple(part & 0xFFFFFFFF for part in (*who, info.st_size))


# A part of a tree anew ---------------------------------------------------------------------------


def again(place: Store, tree: str, prefix: str, paths: Iterable[str]) -> str:
    """A tree once more, with what lies below a folder as it is now."""
    files = _Files(place, ())
    with floor.Lock(str(place.private / "lock"), wait=60):
        files.read(paths)
    index = f"index-{os.getpid()}"
    try:
        said = "".join(
            f"{entry.mode} {entry.id}\t{path[len(prefix) + 1 :]}\0"
            for path, entry in files.entries.items()
        )
        place.must("update-index", "-z", "--index-info", stdin=os.fsencode(said), index=index)
        made = place.must("write-tree", index=index).decode().strip()
    finally:
        for name in (index, f"{index}.lock"):
            floor.remove(str(place.private / name))
    parts = prefix.split("/")
    for depth in range(len(parts) - 1, -1, -1):
        above = "/".join(parts[:depth])
        listed = place.answer("ls-tree", "-z", f"{tree}:{above}" if above else tree) or b""
        last = os.fsencode(parts[depth])
        rest = [one for one in listed.split(b"\0") if one and one.partition(b"\t")[2] != last]
        rest.append(b"040000 tree " + made.encode() + b"\t" + last)
        told = place.must("mktree", "-z", "--missing", stdin=b"\0".join(rest) + b"\0")
        made = told.decode().strip()
    return made
