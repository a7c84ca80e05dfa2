"""What one version of a file says, read section by section, so that what stayed is read once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from loopgraph.edges import directives, document, ledger, record
from loopgraph.edges.directives import Correction, Directives, Standing, State
from loopgraph.edges.fields import Card
from loopgraph.edges.ledger import Convergence, Gap, Ledger, Round
from loopgraph.model import contract, states
from loopgraph.model.states import GateState, RunStatus
from loopgraph.plain import header, quoting, text

LEDGER: Final = "ledger.md"
DIRECTIVES: Final = "directives.md"
OPS: Final = "ops.md"

_HEADER: Final = "Status header"
_LOG: Final = "Rounds log"
_REGISTER: Final = "Debt & gap register"
_CARDS: Final = "owner-blocked"
_LEDGER: Final = (_HEADER, _LOG, _REGISTER, _CARDS)
_STATE: Final = "Supervisor state"
_STANDING: Final = "STANDING"
_QUEUE: Final = "Corrections"
_DIRECTIVES: Final = (_STATE, _STANDING, _QUEUE, _CARDS)

_ODD: Final = ("```", "~~~", "<!--", "\r", "\n #", "\n  #", "\n   #", text.BOM)
"""A text with none of these has its headings where its lines begin with a mark, and no others."""
_TELLING: Final = tuple((mark.strip(" \n")[:1] or mark, mark) for mark in _ODD)
"""Each with a character of it: one is looked for in a tenth of the time that several take."""


def _is_odd(source: str) -> bool:
    for char, mark in _TELLING:  # noqa: SIM110  any() would take twice as long
        if char in source and mark in source:
            return True
    return False


class Entry(NamedTuple):
    """An entry with an id, word for word."""

    id: str
    """`R3`, `GAP-004`, `D-002`, `S-001`, `OB-005`."""
    number: int
    file: str
    line: int
    text: str
    """Its lines, without the last one's end."""


Entries = Mapping[str, Entry]


class Led(NamedTuple):
    """What a version of ledger.md says, as far as laws look at it; None is unknown."""

    status: RunStatus | None
    gate: GateState | None
    milestone: str | None
    round: int | None
    folded: int | None
    folded_after: int | None
    highest: Mapping[str, int]
    convergence: Convergence | None
    lines: Mapping[str, int]
    """Of the fields of the Status header."""
    rounds: tuple[Round, ...]
    log: Entries
    gaps: Entries
    cards: Entries


class Queue(NamedTuple):
    """What a version of directives.md says."""

    state: State | None
    standing: Entries
    cards: Entries
    packets: Entries
    corrections: tuple[Correction, ...]


# Sections --------------------------------------------------------------------------------------


class _Part(NamedTuple):
    """A section as a text of its own."""

    offset: int
    """How many lines stand before it."""
    text: str


class _Chunk(NamedTuple):
    """What a piece of a file between two headings is."""

    title: str
    """Which of the titles it bears; empty for none of them, `?` where it can't be told so."""
    lines: int
    text: str
    """With its heading."""


def _parts(source: str, titles: tuple[str, ...]) -> dict[str, _Part] | None:
    """The sections with these titles; None where only a reading of the whole text finds them."""
    known = _chunks(titles)
    first, *chunks = source.split("\n## ")
    if first.startswith("## ") or _is_odd(first):
        return None
    found: dict[str, _Part] = {}
    offset = first.count("\n") + 1
    for piece in chunks:
        chunk = known.get(piece)
        if chunk is None:
            chunk = known[piece] = _chunk(piece, titles)
        title, lines, whole = chunk
        if title:
            if title in found or title == _UNSURE:
                return None
            found[title] = _Part(offset, whole)
        offset += lines
    return found


_UNSURE: Final = "?"
_WORDY: Final = 2
"""How `text.titled` ranks a heading that only begins with the same words."""
_HELD: Final = 4096


@lru_cache(maxsize=4)
def _held(titles: tuple[str, ...]) -> dict[str, _Chunk]:  # noqa: ARG001  one for each
    return {}


def _chunks(titles: tuple[str, ...]) -> dict[str, _Chunk]:
    """The pieces that were looked at before: most of a file stays from state to state."""
    found = _held(titles)
    if len(found) > _HELD:
        found.clear()
    return found


def _chunk(piece: str, titles: tuple[str, ...]) -> _Chunk:
    title = _UNSURE if _is_odd(piece) else _bears(piece.partition("\n")[0], titles)
    return _Chunk(title, piece.count("\n") + 1, f"## {piece}\n")


@lru_cache(maxsize=256)
def _bears(heading: str, titles: tuple[str, ...]) -> str:
    for title in titles:
        rank = text.titled(heading.strip(" \t#"), title)
        if rank is not None:
            return _UNSURE if rank == _WORDY else title
    return ""


# The ledger ------------------------------------------------------------------------------------


class _Place(NamedTuple):
    """Where a section's own lines stand."""

    file: str
    offset: int
    lines: Sequence[str]


def led(source: str) -> Led:
    """Read a version of ledger.md."""
    parts = _parts(source, _LEDGER)
    if parts is None:
        return _whole(source)
    found, at = _fields(parts[_HEADER]) if _HEADER in parts else ({}, 0)
    if found is None:
        return _whole(source)
    said = {name: value for name, (_, value) in found.items()}
    rounds, log = _log(parts[_LOG]) if _LOG in parts else ((), {})
    tracker = found.get("Convergence tracker")
    folded, folded_after = _watermark(said.get("Last directive folded", ""))
    return Led(
        status=_status(said.get("Run status", "")),
        gate=_gate(said.get("Milestone gate", "")),
        milestone=_milestone(said.get("Current milestone", "")),
        round=header.number(said.get("Round", "")),
        folded=folded,
        folded_after=folded_after,
        highest=_highest(said.get("Highest ids", "")),
        convergence=_tracker(tracker[0] + at, tracker[1]) if tracker else None,
        lines={name: line + at for name, (line, _) in found.items()},
        rounds=rounds,
        log=log,
        gaps=_gaps(parts[_REGISTER]) if _REGISTER in parts else {},
        cards=_ledger_cards(parts[_CARDS]) if _CARDS in parts else {},
    )


@lru_cache(maxsize=64)
def _status(said: str) -> RunStatus | None:
    word = header.word(said)
    return next((known for known in states.RUN_STATUSES if known == word), None)


@lru_cache(maxsize=64)
def _gate(said: str) -> GateState | None:
    word = header.word(said)
    return next((known for known in states.GATE_STATES if known == word), None)


@lru_cache(maxsize=64)
def _watermark(said: str) -> tuple[int | None, int | None]:
    return header.folded(said), ledger.folded_after(quoting.unquote(said))


@lru_cache(maxsize=64)
def _highest(said: str) -> Mapping[str, int]:
    return header.highest(said, ("GAP", "OB"))


_milestone = lru_cache(maxsize=64)(header.milestone)


def _whole(source: str) -> Led:
    """The same, from a reading of the whole text."""
    found = _ledger_of(source)
    place = _Place(LEDGER, 0, found.document.lines)
    return Led(
        status=found.status,
        gate=found.gate,
        milestone=found.milestone,
        round=found.round,
        folded=found.folded,
        folded_after=found.folded_after(),
        highest=found.highest,
        convergence=found.convergence,
        lines={name: field.line for name, field in found.fields.items()},
        rounds=found.rounds,
        log=_rounds(found.rounds, place),
        gaps=_rows("GAP", found.gaps, place),
        cards=_rows("OB", found.cards, place),
    )


@lru_cache(maxsize=16)
def _ledger_of(source: str) -> Ledger:
    return ledger.read(document.parse(source))


# Of its sections: each line, or each section, is read once as long as it stays ------------------

_Found = dict[str, tuple[int, str]]


def _fields(part: _Part) -> tuple[_Found | None, int]:
    """The fields of the Status header; None where two lines say the same one."""
    found: _Found = {}
    for at, line in enumerate(part.text.split("\n")[1:], 2):
        said = _field(line)
        for name, value in said:
            if name in found:
                return None, 0
            found[name] = (at, value)
    return found, part.offset


@lru_cache(maxsize=512)
def _field(line: str) -> tuple[tuple[str, str], ...]:
    """The fields that one line says, each with its value."""
    found = header.fields([(1, line)], header.FIELDS)
    return tuple((name, value) for name, (_, value) in found.items())


@lru_cache(maxsize=64)
def _tracker(line: int, value: str) -> Convergence:
    return Convergence(line, *header.convergence(value))


def _log(part: _Part) -> tuple[tuple[Round, ...], Entries]:
    """The rounds of the log; those of a line each are read line by line."""
    blocks = part.text.find("#", len("##")) >= 0  # what stands above it has no mark but its own
    above, mark, below = part.text.partition("\n### ") if blocks else (part.text, "", "")
    rounds: list[Round] = []
    log: dict[str, Entry] = {}
    for at, line in enumerate(above.split("\n")[1:], part.offset + 2):
        found = _round(line)
        if found is not None:
            rounds.append(found)
            id_ = f"R{found.number}"
            log[id_] = Entry(id_, found.number, LEDGER, at, line)
        elif line.strip():
            return _blocks(part)
    if mark:
        lines = above.count("\n") + 1
        more, entries = _blocks(_Part(part.offset + lines - 1, f"## {_LOG}\n### {below}"))
        rounds += more
        log.update(entries)
    return tuple(rounds), log


_round = lru_cache(maxsize=512)(ledger.round_line)


def _blocks(part: _Part) -> tuple[tuple[Round, ...], Entries]:
    found = _ledger_of(part.text)
    return found.rounds, _rounds(found.rounds, _Place(LEDGER, part.offset, found.document.lines))


def _rounds(rounds: tuple[Round, ...], place: _Place) -> Entries:
    return {
        f"R{one.number}": _entry(f"R{one.number}", one.number, place, one.line, one.end)
        for one in rounds
    }


@lru_cache(maxsize=16)
def _gaps(part: _Part) -> Entries:
    found = _ledger_of(part.text)
    return _rows("GAP", found.gaps, _Place(LEDGER, part.offset, found.document.lines))


@lru_cache(maxsize=16)
def _ledger_cards(part: _Part) -> Entries:
    found = _ledger_of(part.text)
    return _rows("OB", found.cards, _Place(LEDGER, part.offset, found.document.lines))


def _entry(id_: str, number: int, place: _Place, first: int, last: int) -> Entry:
    said = "".join(place.lines[first - 1 : last]).rstrip("\r\n").replace("\r\n", "\n")
    return Entry(id_, number, place.file, first + place.offset, said)


def _row(kind: str, number: int | None, place: _Place, line: int) -> Entry | None:
    """An entry of one line; None for one without an id of its kind."""
    if number is None:
        return None
    return _entry(f"{kind}-{number:03}", number, place, line, line)


def _rows(kind: str, found: Sequence[Gap | Card | Standing], place: _Place) -> Entries:
    """Rows by id; one without an id of its kind is none."""
    rows = (_row(kind, one.number, place, one.line) for one in found)
    return {entry.id: entry for entry in rows if entry}


# The directives --------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def queue(source: str) -> Queue:
    """Read a version of directives.md."""
    parts = _parts(source, _DIRECTIVES)
    if parts is None:
        parts = dict.fromkeys(_DIRECTIVES, _Part(0, source))
    state, standing, packets, cards = (
        _directives_part(parts.get(title, _Part(0, ""))) for title in _DIRECTIVES
    )
    return Queue(
        state=_moved(state[0].state, state[1].offset),
        standing=_rows("S", standing[0].standing, standing[1]),
        cards=_rows("OB", cards[0].cards, cards[1]),
        packets={
            f"D-{one.number:03}": _entry(
                f"D-{one.number:03}", one.number, packets[1], one.line, one.end
            )
            for one in packets[0].corrections
        },
        corrections=packets[0].corrections,
    )


def _directives_part(part: _Part) -> tuple[Directives, _Place]:
    found = _directives_of(part.text)
    return found, _Place(DIRECTIVES, part.offset, found.document.lines)


def _moved(state: State | None, by: int) -> State | None:
    if state is None:
        return None
    return state._replace(line=state.line + by, highest_line=state.highest_line + by)


@lru_cache(maxsize=64)
def _directives_of(source: str) -> Directives:
    return directives.read(document.parse(source))


# Frozen parts ----------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def frozen(name: str, source: str) -> Mapping[str, str]:
    """The digest of each frozen part of one file."""
    return record.frozen_parts({name: source})


FROZEN: Final = (*contract.PROMPTS, OPS)
"""The files that hold frozen parts."""


def line(title: str, source: str | None) -> int:
    """Where a section begins; 0 for the whole file, or where it is not."""
    section = document.parse(source).section(title) if source and title else None
    return section.start + 1 if section else 0


def entry_line(source: str | None, id_: str) -> int:
    """Where a correction begins; 0 where it is not."""
    found = queue(source).packets.get(id_) if source else None
    return found.line if found else 0
