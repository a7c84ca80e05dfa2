"""Carry out a change of a run: locked, archive first, each file whole, nothing lost.

A kill at any instruction leaves every entry in the live file, in the archive or in both. Where
it is in both, the note `.pending` says so, and the next command takes it out of the live file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from loopgraph.disk import floor, read, runs
from loopgraph.edges import archives
from loopgraph.edges.change import Change, Command, Move
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.errors import BusyError, LoopgraphError, UnreadableError, UsageError
from loopgraph.model.messages import _

PENDING: Final = ".pending"
LOCK: Final = ".lock"
ACTS: Final = "acts.jsonl"
ROLL: Final = 1024 * 1024
"""An archive that has grown to this many bytes is closed, and the next number begins."""
_TRIES: Final = 5


class Act(NamedTuple):
    """Who does what and when: a line of acts.jsonl."""

    time: str
    """RFC 3339 with offset."""
    node: str
    """The speaker's role, or what is known of it."""
    session: str
    """The host's session id; empty where there is none."""
    command: tuple[str, ...]
    """The words after `loopgraph`."""


class Done(NamedTuple):
    """What a command did."""

    change: Change
    settled: tuple[str, ...]
    """What an interrupted command had left, one sentence an entry."""
    warning: str = ""
    """Why the act is not in acts.jsonl, though it was done; empty where it is."""


def apply(path: Path, command: Command, act: Act, *, wait: float = 10.0) -> Done:
    """Read the run, let the command decide, and write what it decided.

    A hand edit that comes in between is kept: the command decides again on the new text. What
    the command refuses leaves no trace.
    """
    try:
        _own(path)
        with floor.Lock(str(path / LOCK), wait=wait):
            _sweep(path)
            settled = _settle(path)
            for _attempt in range(_TRIES):
                run = runs.load(path)
                change = command(run)
                if _unchanged(path, run, change) and _carry_out(path, run, change):
                    return Done(change, settled, _log(path, act, run, change, settled))
    except OSError as error:
        raise UsageError(
            _("cannot write: {why}", why=(error.strerror or str(error)).lower()),
            where=str(path),
            fix=_("Nothing was lost: make room or make it writable, and run the command again."),
        ) from None
    raise BusyError(
        _("somebody keeps editing its files"), where=str(path), fix=_("Save them and try again.")
    )


def _own(path: Path) -> None:
    """Refuse a run whose folders are links: what is written would land elsewhere."""
    for place in (path, path / "archive", path / "evidence"):
        if place.is_symlink():
            raise UnreadableError(
                _("a symbolic link is not followed here"),
                where=str(place),
                fix=_("Put a folder there."),
            )


def _sweep(path: Path) -> None:
    """Take away the drafts of a command that was killed; what they were to become is unharmed."""
    evidence = path / "evidence"
    for folder in (path, path / "archive", evidence, evidence / "gates", evidence / "snapshots"):
        for draft in folder.glob(".*.draft"):
            floor.remove(str(draft))


def _unchanged(path: Path, run: Run, change: Change) -> bool:
    """Whether each file that is about to be replaced still holds what the command has read."""
    return all(
        floor.peek(str(path / name))
        == (run.files[name].encode("utf-8") if name in run.files else None)
        for name in change.live
    )


def _edited(path: Path, run: Run, change: Change) -> bool:
    return not _unchanged(path, run, change)


def _carry_out(path: Path, run: Run, change: Change) -> bool:
    """Write what was decided; False where a live file was edited until the last moment.

    A try that ends before its step takes back what it has put beside the live files: the command
    decides again, and may refuse. A kill while it does so is healed like any other.
    """
    _stays(path, change)
    beside: list[_Beside] = []
    try:
        _prepare(path, run, change, beside)
        stepped = _step(path, run, change)
    except (OSError, LoopgraphError):
        if _unchanged(path, run, change):
            with suppress(OSError):  # what hinders it is told; the next command heals
                _take_back(path, beside)
        raise
    if not stepped:
        _take_back(path, beside)
    elif change.moves:
        floor.remove(str(path / PENDING))
    return stepped


class _Beside(NamedTuple):
    """A file that a try writes before it touches a live one."""

    place: Path
    old: bytes | None
    """What it held; None where there was no such file."""
    added: bytes
    """What comes to its end."""

    @property
    def new(self) -> bytes:
        return (self.old or b"") + self.added


def _write(beside: list[_Beside], one: _Beside) -> None:
    beside.append(one)  # first: where the write fails halfway, it may be there all the same
    floor.replace(str(one.place), one.new)


def _prepare(path: Path, run: Run, change: Change, beside: list[_Beside]) -> None:
    """Write all that comes before the live files: copies, the archive and its note, evidence."""
    for name, text in change.copies.items():
        _copy(path, name, text, beside)
    if change.moves:
        note = json.dumps([move._asdict() for move in change.moves], ensure_ascii=False)
        floor.replace(str(path / PENDING), note.encode("utf-8"))
        for archive in dict.fromkeys(move.archive for move in change.moves):
            text = "".join(move.text for move in change.moves if move.archive == archive)
            _append(path, archive, text, run, beside)
    for name, text in change.evidence.items():
        place = _free(path / "evidence" / name)
        place.parent.mkdir(parents=True, exist_ok=True)
        _write(beside, _Beside(place, None, text.encode("utf-8")))


def _step(path: Path, run: Run, change: Change) -> bool:
    """Replace the live files; False, and none replaced, where somebody has edited one."""
    edited: Callable[[], bool] | None = partial(_edited, path, run, change)
    for name, text in change.live.items():
        if not floor.replace(str(path / name), text.encode("utf-8"), unless=edited):
            return False
        edited = None  # what has begun is finished
    return True


def _take_back(path: Path, beside: list[_Beside]) -> None:
    """Put back what a try has written beside the live files; every entry is live still.

    The note goes last: until then a kill leaves what it leaves anywhere, an entry in both.
    """
    for one in beside:
        now = floor.peek(str(one.place))
        if now == one.new and one.old is None:
            floor.remove(str(one.place))
        elif now and one.added and now.count(one.added) > (one.old or b"").count(one.added):
            # Somebody may have edited it meanwhile: what they wrote stays.
            before, _found, after = now.rpartition(one.added)
            floor.replace(str(one.place), before + after)
    floor.remove(str(path / PENDING))


def _stays(path: Path, change: Change) -> None:
    """Refuse a change that would leave the run: a name may come from a text that others wrote."""
    for name in (*change.live, *change.evidence, *change.copies):
        read.inside(path, name)


def _copy(path: Path, name: str, text: str, beside: list[_Beside]) -> None:
    """Keep a file below archive/; what a command that was killed has kept already stays."""
    place = path / "archive" / name
    if place.parent.is_symlink():
        raise UnreadableError(
            _("a symbolic link is not followed here"),
            where=str(place.parent),
            fix=_("Put a folder there."),
        )
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        _write(beside, _Beside(place, None, text.encode("utf-8")))


def _free(place: Path) -> Path:
    """A place that holds nothing yet: `name.json`, then `name-2.json` and so on."""
    number, free = 1, place
    while free.exists():
        number += 1
        free = place.with_name(f"{place.stem}-{number}{place.suffix}")
    return free


def _append(path: Path, archive: str, text: str, run: Run, beside: list[_Beside]) -> None:
    """Add to the archive that is open, or begin the next one.

    The old bytes and the new ones are written as one file and put in place in one step, so a
    kill never leaves half an entry; the roll keeps that cheap.
    """
    folder = path / "archive"
    folder.mkdir(exist_ok=True)
    number = max((n for n, _ in numbered(folder, archive)), default=1)
    place = folder / archives.file_name(archive, number)
    old = floor.read(str(place)) if place.exists() else None
    if old is not None and len(old) >= ROLL:
        place, old = folder / archives.file_name(archive, number + 1), None
    project = run.record.spec.project if run.record else path.name
    head = b"" if old else archives.head(archive, project).encode("utf-8")
    joint = b"" if (old or head).endswith(b"\n") else b"\n"
    _write(beside, _Beside(place, old, head + joint + text.encode("utf-8")))


def numbered(folder: Path, archive: str) -> list[tuple[int, Path]]:
    """The files of one archive, the oldest first."""
    found = [
        (number, place)
        for place in folder.glob(f"{archive}*.md")
        if (number := archives.number(archive, place.name))
    ]
    return sorted(found)


def _settle(path: Path) -> tuple[str, ...]:
    """Finish what an interrupted command had begun; only a present note looks into the archive."""
    note = path / PENDING
    if not note.exists():
        return ()
    try:
        moves = _noted(json.loads(floor.read(str(note))))
    except (ValueError, TypeError, RecursionError, UnreadableError):
        raise UnreadableError(
            _("it does not say what was being moved"),
            where=str(note),
            fix=_("Compare the live files with archive/, then remove it."),
        ) from None
    said = [_settle_move(path, move) for move in moves]
    floor.remove(str(note))
    return tuple(sentence for sentence in said if sentence)


def _noted(said: object) -> list[Move]:
    """The moves of the note, which lies in the workspace: they name files and archives of a run.

    Raises ValueError or TypeError where it says anything that no command of ours has written.
    """
    if not isinstance(said, list):
        raise TypeError
    return [_noted_move(one) for one in said]


def _noted_move(said: object) -> Move:
    words = said if isinstance(said, dict) else {}
    if not all(isinstance(value, str) for value in words.values()):
        raise TypeError
    move = Move(**words)
    "".join(move).encode("utf-8")  # half a character, which JSON can spell, is in no file
    if move.file not in contract.LIVE or move.archive not in archives.HEADS:
        raise ValueError
    if not move.text.strip():
        raise ValueError
    return move


def _settle_move(path: Path, move: Move) -> str:
    """Take an entry out of the live file where the archive has it, word for word."""
    live = floor.read(str(path / move.file)).decode("utf-8", "surrogateescape")
    if not _archived(path, move):
        return ""
    at = _whole_lines(live, move.text)
    if at >= 0:
        rest = live[:at] + move.instead + live[at + len(move.text) :]
        floor.replace(str(path / move.file), rest.encode("utf-8", "surrogateescape"))
        return _(
            "{id} had reached the archive; it is out of {file} now", id=move.id, file=move.file
        )
    done = move.instead and _whole_lines(live, move.instead) >= 0
    if not done and archives.holds(live, move.id):
        return _(
            "{id} stands in {file} and, with other words, in the archive: both kept",
            id=move.id,
            file=move.file,
        )
    return ""


def _whole_lines(text: str, lines: str) -> int:
    """Where lines stand in a text, each of them whole; -1 for nowhere."""
    return 0 if text.startswith(lines) else text.find(f"\n{lines}") + 1 or -1


def _archived(path: Path, move: Move) -> bool:
    text = move.text.encode("utf-8")
    return any(
        text in floor.read(str(place)) for _, place in numbered(path / "archive", move.archive)
    )


def _log(path: Path, act: Act, run: Run, change: Change, settled: tuple[str, ...]) -> str:
    """One line of acts.jsonl, with the digest of each file as it is now; why there is none.

    `was` holds the digests of what the command found there: an edit by hand between two commands
    shows in it. The change is done by now: failing here must not make anybody do it again.
    """
    folder = path / "evidence"
    old = run.files
    line = {
        **act._asdict(),
        "files": {name: _digest(text) for name, text in sorted(change.live.items())},
        "was": {name: _digest(old[name]) for name in sorted(old.keys() & change.live)},
        "moved": [move.id for move in change.moves],
        **({"settled": list(settled)} if settled else {}),
    }
    text = json.dumps(line, ensure_ascii=False) + "\n"
    try:
        folder.mkdir(exist_ok=True)
        _roll(folder)
        floor.append(str(folder / ACTS), text.encode("utf-8", "replace"), cap=16 * ROLL)
    except OSError as error:
        return _(
            "done, but not noted in {acts}: {why}",
            acts=ACTS,
            why=(error.strerror or str(error)).lower(),
        )
    return ""


def _roll(folder: Path) -> None:
    """Close a log of acts that has grown large; nothing of it goes."""
    log = folder / ACTS
    if log.exists() and log.stat().st_size > 8 * ROLL:
        number = 1 + sum(1 for _ in folder.glob("acts-*.jsonl"))
        log.rename(folder / f"acts-{number}.jsonl")


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8")).hexdigest()


def acts(path: Path) -> Iterable[str]:
    """The lines of acts.jsonl, the oldest first."""
    place = path / "evidence" / ACTS
    if not place.exists():
        return ()
    return floor.read(str(place), 16 * ROLL).decode("utf-8", "replace").splitlines()
