"""What one version of a file says, read section by section, so that what stayed is read once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from loopgraph.edges import directives, document, ledger, record
from loopgraph.edges.directives import Correction, Directives, State
from loopgraph.edges.fields import Card
from loopgraph.edges.ledger import Convergence, Ledger, Round
from loopgraph.model import contract
from loopgraph.model.states import GateState, RunStatus
from loopgraph.plain import text

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


def _parts(source: str, titles: tuple[str, ...]) -> dict[str, _Part] | None:
    """The sections with these titles; None where only a reading of the whole text finds them."""
    if any(mark in source for mark in _ODD):
        return None
    found: dict[str, _Part] = {}
    first, *chunks = source.split("\n## ")
    if first.startswith("## "):
        return None
    offset = first.count("\n") + 1
    for chunk in chunks:
        title = _bears(chunk.partition("\n")[0], titles)
        if title in found or title == _UNSURE:
            return None
        if title:
            found[title] = _Part(offset, f"## {chunk}\n")
        offset += chunk.count("\n") + 1
    return found


_UNSURE: Final = "?"
_WORDY: Final = 2
"""How `text.titled` ranks a heading that only begins with the same words."""


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
    lines: tuple[str, ...]


class _Read(NamedTuple):
    ledger: Ledger
    place: _Place


@lru_cache(maxsize=4)
def led(source: str) -> Led:
    """Read a version of ledger.md."""
    parts = _parts(source, _LEDGER)
    if parts is None:
        parts = dict.fromkeys(_LEDGER, _Part(0, source))
    return _led(*(_ledger_part(parts.get(title, _Part(0, ""))) for title in _LEDGER))


def _ledger_part(part: _Part) -> _Read:
    found = _ledger_of(part.text)
    return _Read(found, _Place(LEDGER, part.offset, found.document.lines))


@lru_cache(maxsize=64)
def _ledger_of(source: str) -> Ledger:
    return ledger.read(document.parse(source))


def _led(header: _Read, log: _Read, register: _Read, cards: _Read) -> Led:
    head = header.ledger
    return Led(
        status=head.status,
        gate=head.gate,
        milestone=head.milestone,
        round=head.round,
        folded=head.folded,
        folded_after=head.folded_after(),
        highest=head.highest,
        convergence=head.convergence,
        lines={name: field.line + header.place.offset for name, field in head.fields.items()},
        rounds=log.ledger.rounds,
        log={
            f"R{one.number}": _entry(f"R{one.number}", one.number, log.place, one.line, one.end)
            for one in log.ledger.rounds
        },
        gaps={
            entry.id: entry
            for one in register.ledger.gaps
            if (entry := _row("GAP", one.number, register.place, one.line))
        },
        cards=_cards(cards.ledger.cards, cards.place),
    )


def _entry(id_: str, number: int, place: _Place, first: int, last: int) -> Entry:
    said = "".join(place.lines[first - 1 : last]).rstrip("\r\n")
    return Entry(id_, number, place.file, first + place.offset, said)


def _row(kind: str, number: int | None, place: _Place, line: int) -> Entry | None:
    """An entry of one line; None for one without an id of its kind."""
    if number is None:
        return None
    return _entry(f"{kind}-{number:03}", number, place, line, line)


def _cards(cards: tuple[Card, ...], place: _Place) -> Entries:
    found = (_row("OB", one.number, place, one.line) for one in cards)
    return {entry.id: entry for entry in found if entry}


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
    rows = (_row("S", one.number, standing[1], one.line) for one in standing[0].standing)
    return Queue(
        state=_moved(state[0].state, state[1].offset),
        standing={entry.id: entry for entry in rows if entry},
        cards=_cards(cards[0].cards, cards[1]),
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
