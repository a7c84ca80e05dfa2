"""A run's history from git: one walk over its commits, one process for all of their blobs."""

from __future__ import annotations

import os
import subprocess
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final, NamedTuple, Self

from loopgraph.audit import history
from loopgraph.audit.history import History, Source, Step
from loopgraph.disk import floor, git, planting, runs, snapshots, stores
from loopgraph.disk.planting import Entry
from loopgraph.disk.roots import FOLDER
from loopgraph.disk.snapshots import Snapshot
from loopgraph.model import contract
from loopgraph.model.errors import UnreadableError, UsageError
from loopgraph.model.messages import _

TREE: Final = "working tree"
LIMIT: Final = 16 * 1024 * 1024
"""No file that an audit reads is larger: a log of acts is closed long before."""
_AHEAD: Final = 48 if os.name == "nt" else 768
"""Blobs that are asked for ahead: so many ids fit into a pipe, which is small on Windows."""
_WIDE: Final = 1 << 20
"""Bytes that a pipe should hold, so that git and we rarely wait for each other."""
_LINK: Final = ("120000", "160000")
"""Modes of what is no file: a symbolic link, a commit of another repository."""
_NO_FILE: Final = (*_LINK, planting.TREE)


class _Object(NamedTuple):
    kind: bytes
    data: bytes


class Blobs:
    """The texts of blobs, each by its id, read through one `git cat-file --batch`."""

    def __init__(self, asked: git.Asked | None) -> None:
        self._asked = asked
        self.more: Mapping[str, str] = {}
        """Variables that send git to objects of ours, where they lie beside its own."""
        self._process: subprocess.Popen[bytes] | None = None
        self._held: dict[str, str | None] = {}
        self._coming: deque[str] = deque()
        self._wanted: Iterator[str] = iter(())
        self._kept: dict[str, str] = {}

    def keep(self, blob: str, text: str) -> None:
        """Hold a text that is in no repository."""
        self._kept[blob] = text

    def expect(self, blobs: Iterable[str]) -> None:
        """Say what will be asked for, in its order, so that it is on its way by then."""
        self._wanted = iter(blobs)

    def __call__(self, blob: str) -> str | None:
        """The text of a blob; None where it is absent or too large."""
        if blob in self._kept:
            return self._kept[blob]
        if blob in self._held:
            return self._held.pop(blob)
        return self._text(self._found(blob))

    def _text(self, found: _Object | None) -> str | None:
        if found is None or found.kind != b"blob":
            return None
        return found.data.decode("utf-8", "surrogateescape")

    def tree(self, id_: str) -> Mapping[str, Entry]:
        """The entries of a tree by name; none where it is none."""
        found = self._found(id_)
        if found is None or found.kind != b"tree":
            return {}
        return planting.parse(found.data, len(id_) // 2)

    def _found(self, id_: str) -> _Object | None:
        if self._asked is None:
            return None
        if id_ not in self._coming:
            self._send([id_])
        while self._coming:
            self._fill()
            name, found = self._coming.popleft(), self._read()
            if name == id_:
                return found
            self._held[name] = self._text(found)
        return None

    def _fill(self) -> None:
        """Keep git busy with what comes next."""
        while len(self._coming) < _AHEAD // 2:
            more = [blob for _at, blob in zip(range(_AHEAD // 2), self._wanted, strict=False)]
            if not more:
                return
            self._send(more)

    def _send(self, blobs: list[str]) -> None:
        self._coming.extend(blobs)
        stdin, _stdout = self._pipes()
        stdin.write("".join(f"{blob}\n" for blob in blobs).encode("ascii"))
        stdin.flush()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process is None:
            assert self._asked is not None  # noqa: S101  asked before
            self._process = self._asked.start(
                "cat-file", "--batch", stdin=subprocess.PIPE, more=self.more
            )
            _widen(self._process.stdout)
        assert self._process.stdin and self._process.stdout  # noqa: S101, PT018  both are pipes
        return self._process.stdin, self._process.stdout

    def _read(self) -> _Object | None:
        _stdin, stdout = self._pipes()
        head = stdout.readline()
        if not head:
            raise UnreadableError(_("git ended before it had shown every file"), where="git")
        words = head.split()
        if len(words) != 3 or not words[2].isdigit():  # noqa: PLR2004  id, kind, size
            return None
        size = int(words[2])
        if size > LIMIT:
            _pass_over(stdout, size + 1)
            return None
        return _Object(words[1], stdout.read(size + 1)[:size])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()


def _widen(pipe: IO[bytes] | None) -> None:
    """Let a pipe hold more, where the system can do that."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl  # noqa: PLC0415  absent on Windows

        if pipe is not None:
            fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _WIDE)


def _pass_over(stream: IO[bytes], size: int) -> None:
    while size > 0:
        data = stream.read(min(size, 1 << 20))
        if not data:
            return
        size -= len(data)


# The walk --------------------------------------------------------------------------------------


class _Commit(NamedTuple):
    id: str
    parents: tuple[str, ...]
    time: str
    changes: tuple[tuple[str, str, str], ...]
    """Path, the blob before and the blob after; empty for none."""


_WALK: Final = (
    *("--literal-pathspecs", "log", "--topo-order", "--full-history", "--parents", "--root"),
    *("--diff-merges=first-parent", "--raw", "--no-abbrev", "--no-renames", "--no-relative"),
    *("--no-color", "--no-show-signature", "--no-mailmap", "--encoding=UTF-8", "-O/dev/null"),
    *("-z", "--format=C %H|%P|%ct"),
)


def read(run: Path, blobs: Blobs, asked: git.Asked | None) -> History:
    """Every state of a run: its commits, the oldest first, and the working tree."""
    if asked is None:
        return History(
            (_tree(run, blobs, "sha1", ()),),
            (_("no git here: only what lies there now is audited"),),
        )
    notes: list[str] = []
    ours = run.parent.name == FOLDER
    steps = _steps(run, asked) if ours else []
    if not ours:
        notes.append(
            _("it does not lie in {folder}: commits of a copy are not its history", folder=FOLDER)
        )
    elif steps and _is_shallow(asked):
        notes.append(_("the repository is shallow: what came before its oldest commit is not seen"))
    committed = bool(steps)
    steps, skipped, aside = _with_snapshots(run, blobs, asked, steps)
    if ours and not committed:
        notes.append(
            _("the run was never committed: its snapshots and what lies there now are audited")
            if steps
            else _("the run was never committed: only what lies there now is audited")
        )
    if skipped:
        notes.append(
            _(
                "{count} snapshots were made on commits that are in no history any more",
                count=skipped,
            )
        )
    if aside:
        notes.append(_("{count} snapshots are of a branch that is not merged here", count=aside))
    tree = _tree(run, blobs, asked.algorithm, steps)
    if not steps or tree.files != steps[-1].files:
        steps.append(tree)
    blobs.expect(_in_order(steps))
    return History(steps, tuple(notes))


def _in_order(steps: Sequence[Step]) -> Iterator[str]:
    """The blobs of live files and prompts in the order in which a replay asks for them."""
    for step in steps:
        first, *known = [steps[parent].files for parent in step.parents] or [{}]
        for name, blob in step.files.items():
            if "/" in name or first.get(name) == blob:
                continue
            if all(one.get(name) != blob for one in known):
                yield blob


def _steps(run: Path, asked: git.Asked) -> list[Step]:
    prefix = run.relative_to(asked.base).as_posix() + "/"
    process = asked.start(*_WALK, "HEAD", "--", run.parent.as_posix())
    with process:  # git goes on while we read what it has found
        commits = _walked(process.stdout)
    if process.returncode != 0 or commits is None:
        if asked.answer("rev-parse", "--verify", "--quiet", "HEAD") is None:
            return []
        raise UnreadableError(
            _("git cannot show the history"),
            where=str(asked.base),
            fix=_("See what `git fsck` says."),
        )
    commits.reverse()
    return _placed(commits, prefix)


def _walked(stream: IO[bytes] | None) -> list[_Commit] | None:
    """The commits of the walk; None where it was cut short."""
    try:
        return list(_parsed(_words(stream)))
    except ValueError:
        return None


def _words(stream: IO[bytes] | None) -> Iterator[str]:
    """What git says, cut at each NUL."""
    rest = b""
    while stream and (data := stream.read(1 << 16)):
        whole, nul, rest = (rest + data).rpartition(b"\0")
        if nul:
            yield from os.fsdecode(whole).split("\0")
    yield os.fsdecode(rest)


def _parsed(words: Iterator[str]) -> Iterator[_Commit]:
    """The commits of the walk, the newest first."""
    head = ""
    changes: list[tuple[str, str, str]] = []
    for word in words:
        if word.startswith("C "):
            if head:
                yield _commit(head, changes)
            head, changes = word, []
        elif word:
            old_mode, new_mode, old, new, _how = word.lstrip("\n:").split(" ")
            path = next(words, "")
            old = "" if old_mode in _LINK else old.strip("0") and old
            new = "" if new_mode in _LINK else new.strip("0") and new
            changes.append((path, old, new))
    if head:
        yield _commit(head, changes)


def _commit(head: str, changes: list[tuple[str, str, str]]) -> _Commit:
    id_, parents, seconds = head[2:].split("|")
    return _Commit(id_, tuple(parents.split()), _moment(seconds), tuple(changes))


def _moment(seconds: str) -> str:
    """When that was; empty for a year that no calendar here has."""
    with suppress(ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(int(seconds), UTC).isoformat()
    return ""


def _placed(commits: Sequence[_Commit], prefix: str) -> list[Step]:
    """The states of a run, from commits with the oldest first."""
    names = _names(commits, prefix)
    steps: list[Step] = []
    places: dict[str, int] = {}
    for commit in commits:
        parents = tuple(dict.fromkeys(places[one] for one in commit.parents if one in places))
        changes = _ours(commit, names)
        files = dict(_base(steps, parents, changes))
        for path, (_old, new) in changes.items():
            if new:
                files[path] = new
            else:
                files.pop(path, None)
        if not files and not parents:
            continue  # of another run beside this one, before this one came to be
        # Where git keeps nothing of the run any more, a state says nothing: it may lie there yet.
        files = files or dict(steps[parents[0]].files)
        places[commit.id] = len(steps)
        steps.append(Step(commit.id, "commit", commit.time, parents, files, commit.id))
    return steps


def _names(commits: Sequence[_Commit], prefix: str) -> tuple[str, ...]:
    """What the run's directory was called, the newest name first; each ends in a slash."""
    names = [prefix]
    for commit in reversed(commits):
        came: dict[tuple[str, str], None] = {}
        went: dict[tuple[str, str], str] = {}
        for path, old, new in commit.changes:
            if path.startswith(names[-1]):
                if old:
                    break  # it was there before
                came[path[len(names[-1]) :], new] = None
            elif not new:
                folder, rest = _below(path, prefix)
                went[rest, old] = folder
        else:
            same = [went[one] for one in came if one in went]
            if same and same[0] not in names and (_RECORD_OR_PROMPT & {rest for rest, _ in came}):
                names.append(same[0])
    return tuple(names)


_RECORD_OR_PROMPT: Final = frozenset({history.RECORD, *contract.PROMPTS})


def _below(path: str, prefix: str) -> tuple[str, str]:
    """The folder beside the run that a path lies in, and the rest."""
    home = prefix[:-1].rpartition("/")[0]
    home = f"{home}/" if home else ""
    name, slash, rest = path.removeprefix(home).partition("/")
    return f"{home}{name}{slash}", rest


def _ours(commit: _Commit, names: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """What a commit changes of the run: the blob before and after, by path inside of it."""
    found: dict[str, tuple[str, str]] = {}
    for path, old, new in commit.changes:
        name = next((one for one in names if path.startswith(one)), None)
        rest = path[len(name) :] if name else ""
        if not rest or not history.is_read(rest):
            continue
        before, after = found.get(rest, ("", ""))
        found[rest] = (old or before, new or after)
    return found


def _base(
    steps: Sequence[Step], parents: tuple[int, ...], changes: Mapping[str, tuple[str, str]]
) -> Mapping[str, str]:
    """The state that a commit's changes are changes of; a parent that has no state is empty."""
    for parent in parents:
        files = steps[parent].files
        if all(files.get(path, "") == old for path, (old, _new) in changes.items()):
            return files
    return {}


def _is_shallow(asked: git.Asked) -> bool:
    process = asked.start("rev-parse", "--is-shallow-repository")
    return process.communicate()[0].strip() == b"true"


def behind(run: Path, asked: git.Asked | None, rev: str) -> frozenset[str]:
    """The commits that a revision holds already; one that is none is refused."""
    if asked is None:
        raise UsageError(_("there is no git here"), where=f"--since {rev}", fix=_("Leave it out."))
    named = f"{rev}^{{commit}}"
    process = asked.start("rev-parse", "--verify", "--quiet", "--end-of-options", named)
    found = process.communicate()[0].decode("ascii", "replace").strip()
    if process.returncode != 0:
        raise UsageError(_("no such commit"), where=f"--since {rev}", fix=_("See: git log"))
    process = asked.start("rev-list", "--full-history", found, "--", str(run.parent))
    return frozenset(process.communicate()[0].decode("ascii").split())


# Snapshots -------------------------------------------------------------------------------------


class _Taken(NamedTuple):
    """A snapshot, and what it has of the run."""

    snapshot: Snapshot
    files: Mapping[str, str]


class _Woven(NamedTuple):
    """The states with those of the snapshots between them."""

    steps: list[Step]
    skipped: int = 0
    """How many snapshots were made on commits that are in no history any more."""
    aside: int = 0
    """How many are of a branch that is not merged here."""


def _with_snapshots(run: Path, blobs: Blobs, asked: git.Asked, steps: list[Step]) -> _Woven:
    if not (run / "evidence" / "snapshots").is_dir():
        return _Woven(steps)
    root = runs.root_of(run)
    store = stores.to_read(root, ".", os.environ)
    if store is None:
        return _Woven(steps)
    blobs.more = store.reading
    path = run.relative_to(root).parts
    places = {step.label: place for place, step in enumerate(steps)}
    behind: dict[int, list[_Taken]] = {}
    skipped = aside = 0
    elsewhere, here = _elsewhere(run, blobs, asked), store.branch
    firsts: Mapping[str, str] = {}
    for one in snapshots.listed(root, run):
        if one.repository != ".":
            continue
        if one.head and one.head not in places and not firsts:
            firsts = _first_parents(asked)
        place = _behind(one.head, places, firsts)
        if place is None:
            skipped += 1
            continue
        files = _files(blobs, one.tree, path)
        # What was done on this branch itself has to be in its log, whoever else has it.
        is_ours = bool(here) and one.branch == here
        if elsewhere and not is_ours and elsewhere & _acts(files, blobs):
            aside += 1
            continue
        behind.setdefault(place, []).append(_Taken(one, files))
    return _Woven(_woven(steps, behind, blobs), skipped, aside)


_OTHERS: Final = 16
"""Branches of this repository that are looked at beside the one that is audited."""


def _elsewhere(run: Path, source: Source, asked: git.Asked) -> set[str]:
    """The acts that other branches have in their logs, and this one lacks."""
    words = ("--no-merged=HEAD", "--format=%(objectname)", f"--count={_OTHERS}")
    told = asked.answer("for-each-ref", "--sort=-committerdate", *words, "refs/heads")
    prefix = f"{run.relative_to(asked.base).as_posix()}/"
    logs: set[str] = set()
    for commit in dict.fromkeys((told or b"").decode().split()):
        listed = asked.answer(
            "--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", commit, "--",
            f"{prefix}evidence",
        )  # fmt: skip
        for line in os.fsdecode(listed or b"").split("\0"):
            head, _tab, path = line.partition("\t")
            if history.is_acts(path.removeprefix(prefix)):
                logs.add(head.split(" ")[2])
    found = {line for blob in logs for line in (source(blob) or "").splitlines()}
    if found:
        for place in (run / "evidence").glob("acts*.jsonl"):
            data = floor.peek(str(place), LIMIT) or b""
            found -= set(data.decode("utf-8", "surrogateescape").splitlines())
    return found


def _behind(head: str, places: Mapping[str, int], firsts: Mapping[str, str]) -> int | None:
    """The state that a commit has: its own, else that of the nearest commit before it.

    -1 where no commit before it has the run; None for a commit that is in no history any more.
    """
    if head and head not in places and head not in firsts:
        return None
    while head and head not in places:
        head = firsts.get(head, "")
    return places[head] if head else -1


def _first_parents(asked: git.Asked) -> Mapping[str, str]:
    """The first parent of each commit; empty for a root."""
    process = asked.start("rev-list", "--parents", "HEAD")
    lines = process.communicate()[0].decode("ascii").splitlines()
    words = (line.split(" ") for line in lines)
    return {first: more[0] if more else "" for first, *more in words}


def _files(blobs: Blobs, tree: str, path: Iterable[str]) -> Mapping[str, str]:
    """What a snapshot has of the run."""
    for name in path:
        _mode, tree = blobs.tree(tree).get(name, ("", ""))
        if not tree:
            return {}
    found: dict[str, str] = {}
    for name, (mode, id_) in blobs.tree(tree).items():
        if mode == planting.TREE and name in ("archive", "evidence"):
            inside = blobs.tree(id_).items()
            found.update((f"{name}/{n}", one) for n, (m, one) in inside if m not in _NO_FILE)
        elif mode not in _NO_FILE:
            found[name] = id_
    return {name: id_ for name, id_ in found.items() if history.is_read(name)}


def _woven(
    steps: Sequence[Step], behind: Mapping[int, Sequence[_Taken]], source: Source
) -> list[Step]:
    """Each state followed by the snapshots that were made on it; what came next follows those."""
    woven: list[Step] = []
    chains: dict[int, list[int]] = {}
    """The place of each state, and of its snapshots behind it, by where it was."""
    first = {parent: step.label for step in reversed(steps) for parent in step.parents}
    if steps:
        first[-1] = steps[0].label

    def follow(place: int, chain: list[int], files: Mapping[str, str]) -> None:
        for taken in behind.get(place, ()):
            one = taken.snapshot
            # What a snapshot leaves out, such as a file that looks secret, is as it was.
            files = {**files, **taken.files}
            commit = first.get(place, "")
            parents = tuple(chain[-1:])
            chain.append(len(woven))
            woven.append(Step(one.name, "snapshot", one.time, parents, files, commit))
        chains[place] = chain

    follow(-1, [], {})
    branches = _branches(steps, behind, source)
    for place, step in enumerate(steps):
        parents = tuple(chains[one][branches.get((one, place), -1)] for one in step.parents)
        woven.append(step._replace(parents=parents if step.parents else tuple(chains[-1][-1:])))
        follow(place, [len(woven) - 1], step.files)
    return woven


def _branches(
    steps: Sequence[Step], behind: Mapping[int, Sequence[_Taken]], source: Source
) -> Mapping[tuple[int, int], int]:
    """Where branches begin at a state: how many of its snapshots each next state comes behind.

    A snapshot is of the branch whose log of acts holds what was done by then. Where no branch
    has any of it, it was lost to all of them, and they are not in here.
    """
    following: dict[int, list[int]] = {}
    for place, step in enumerate(steps):
        for parent in step.parents:
            following.setdefault(parent, []).append(place)
    found: dict[tuple[int, int], int] = {}
    for parent, places in following.items():
        if len(places) > 1 and (taken := behind.get(parent)):
            held = {place: _held(taken, steps[place].files, source) for place in places}
            if any(held.values()):
                found.update(((parent, place), number) for place, number in held.items())
    return found


def _held(taken: Sequence[_Taken], files: Mapping[str, str], source: Source) -> int:
    """Up to which of these snapshots every act is in the log of some files."""
    log = _acts(files, source)
    return max(
        (at for at, one in enumerate(taken, 1) if _acts(one.files, source) <= log), default=0
    )


def _acts(files: Mapping[str, str], source: Source) -> set[str]:
    texts = (source(blob) or "" for name, blob in files.items() if history.is_acts(name))
    return {line for text in texts for line in text.splitlines()}


# The working tree ------------------------------------------------------------------------------


def _tree(run: Path, blobs: Blobs, algorithm: str, steps: Sequence[Step]) -> Step:
    """What lies there now."""
    files: dict[str, str] = {}
    for folder in ("", "archive", "evidence"):
        place = run / folder
        if place.is_symlink() or not place.is_dir():
            continue
        for entry in sorted(os.scandir(place), key=lambda entry: entry.name):
            path = f"{folder}/{entry.name}" if folder else entry.name
            if not history.is_read(path):
                continue
            data = floor.peek(entry.path, LIMIT)
            if data is None:
                continue
            blob = git.named(data, algorithm)
            files[path] = blob
            blobs.keep(blob, data.decode("utf-8", "surrogateescape"))
    parents = (len(steps) - 1,) if steps else ()
    return Step(TREE, "tree", "", parents, files)
