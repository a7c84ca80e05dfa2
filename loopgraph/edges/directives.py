"""The directives queue: standing entries, cards and corrections, read tolerantly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from loopgraph.edges import fields
from loopgraph.edges.document import Document, Section
from loopgraph.edges.fields import Card, Field
from loopgraph.model import states
from loopgraph.model.states import StandingKind, Verdict
from loopgraph.plain import header, quoting, text


class State(NamedTuple):
    """The Supervisor state; what it does not say is None."""

    line: int
    """Of its heading."""
    text: str
    audited: int | None
    """The round up to which the supervisor has audited."""
    highest: Mapping[str, int] | None
    """The highest number by kind of id (`D`, `S`, `OB`); None where the field is absent."""
    highest_line: int
    """Where that stands; the heading's line where it is absent."""


class Standing(NamedTuple):
    """An entry that is always in force."""

    line: int
    id: str
    number: int
    said: str
    """The word where its kind should be; empty where there is none."""
    kind: StandingKind | None
    text: str


class Correction(NamedTuple):
    """A packet: one numbered correction."""

    line: int
    end: int
    """Its last line."""
    lines: int
    """How many lines say something."""
    id: str
    number: int
    date: str | None
    """As it is written, `2026-07-20`; the day may not exist."""
    said: str
    """The word where its verdict should be; empty where there is none."""
    verdict: Verdict | None
    boundary: str | None
    """The milestone or debt row that it is about (`M-2`, `GAP-004`)."""
    fields: Mapping[str, Field]
    """Context, Action, Verify, Stop: those that are there."""


class Directives(NamedTuple):
    """What directives.md says."""

    document: Document
    state: State | None
    standing: tuple[Standing, ...]
    cards: tuple[Card, ...]
    corrections: tuple[Correction, ...]

    def waiting(self, folded: int | None) -> tuple[Correction, ...]:
        """The corrections above the watermark: not yet folded."""
        return tuple(packet for packet in self.corrections if packet.number > (folded or 0))

    def judged(self, folded: int | None, milestone: str | None) -> Correction | None:
        """The verdict on a milestone that is given and not folded yet."""
        for packet in self.waiting(folded):
            about = packet.boundary or ""
            if packet.verdict in ("accept", "redo") and header.same_id(about, [milestone or "?"]):
                return packet
        return None


PACKET: Final = ("Context", "Action", "Verify", "Stop")
"""Field names of a packet."""

_BLANKS: Final = "*_` \t"
_DOTS: Final = "·|—–-:："


def read(document: Document) -> Directives:
    """Read a queue; nothing is refused."""
    standing = document.section("STANDING")
    corrections = document.section("Corrections")
    return Directives(
        document,
        _state(document),
        standing_of(document, standing) if standing else (),
        fields.cards(document),
        corrections_of(document, corrections) if corrections else (),
    )


def _state(document: Document) -> State | None:
    section = document.section("Supervisor state")
    if section is None:
        return None
    lines = fields.spoken(document, section)
    said = " ".join(field.text for field in lines)
    audited = (
        _after(header.flat(said), "audited through")
        .lstrip(" :*_")
        .removeprefix("round")
        .lstrip(" :")
    )
    place = next((field for field in lines if "highest ids" in field.text.casefold()), None)
    highest = None
    if place:
        ids = _after(place.text, "highest ids").partition("·")[0].lstrip(" :：*_")
        highest = header.highest(ids.upper(), ("D", "S", "OB"))
    heading = section.start + 1
    number = header.number(audited.upper())
    return State(heading, said, number, highest, place.line if place else heading)


def _after(said: str, phrase: str) -> str:
    return said.casefold().partition(phrase)[2]


class _Head(NamedTuple):
    """The first line of an entry, cut into its id and the rest."""

    id: str
    number: int
    rest: str
    """Behind the id and the dot that follows it."""
    mark: str
    """What parts the rest: a dot, else a pipe or a dash."""


def _head(line: str, letters: str) -> _Head | None:
    """An entry's first line: `D-003 · 2026-07-20 · redo · M-2`, with or without marks around."""
    said = header.unmarked(line)
    found = header.ids(said[: said.find(" ")] if " " in said else said)
    if not found or found[0][0] != letters or not header.flat(said).startswith(found[0][2]):
        return None
    _, number, id_ = found[0]
    rest = said[len(id_) :].lstrip(_BLANKS)
    if rest and rest[0] not in "·|—–-:：（(":
        return None
    mark = next((mark for mark in ("·", "|", "—") if mark in rest), "·")
    return _Head(id_, number, rest[1:] if rest[:1] in _DOTS else rest, mark)


def standing_of(document: Document, section: Section) -> tuple[Standing, ...]:
    """The standing entries of a section."""
    entries: list[Standing] = []
    for line, said in document.body(section):
        head = _head(said, "S")
        if head is None:
            continue
        first, mark, rest = head.rest.partition(head.mark)
        word = first.strip(_BLANKS).upper() if mark else ""
        kind = next((known for known in states.STANDING_KINDS if known == word), None)
        own = (rest if mark else first).strip(" \t")
        entries.append(Standing(line, head.id, head.number, word, kind, quoting.unquote(own)))
    return tuple(entries)


def corrections_of(document: Document, section: Section) -> tuple[Correction, ...]:
    """The packets of a section."""
    stops = {
        found.start for found in document.sections if section.start < found.start < section.end
    }
    starts: list[tuple[int, _Head | None]] = []
    for line, said in document.body(section):
        head = _head(said, "D")
        if head or line - 1 in stops:
            starts.append((line - 1, head))
    ends = [index for index, _ in starts[1:]] + [section.end]
    return tuple(
        _packet(document, index, end, head)
        for (index, head), end in zip(starts, ends, strict=False)
        if head
    )


def _packet(document: Document, index: int, end: int, head: _Head) -> Correction:
    inside = [
        at
        for at in range(index, end)
        if document.lines[at].strip(" \t\r\n-*_") and document.kinds[at] != text.COMMENT
    ]
    date, said, boundary = _verdict(head)
    return Correction(
        index + 1,
        inside[-1] + 1 if inside else index + 1,
        len(inside),
        head.id,
        head.number,
        date,
        said,
        next((known for known in states.VERDICTS if known == said), None),
        boundary,
        fields.entries(document, index + 1, end, PACKET),
    )


def _verdict(head: _Head) -> tuple[str | None, str, str | None]:
    """The date, the word where the verdict should be, and the boundary."""
    date: str | None = None
    said = ""
    boundary: str | None = None
    for piece in head.rest.split(head.mark):
        part = piece.strip(_BLANKS)
        day = header.date(part)
        if day and not date:
            date = day
            continue
        said = said or header.word(part)
        if boundary is None:
            boundary = header.milestone(part.removeprefix(said).strip()) or next(
                (written for letters, _, written in header.ids(part) if letters in ("M", "GAP")),
                None,
            )
    return date, said, boundary
