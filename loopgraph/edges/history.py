"""What a run has kept: every entry that bears an id, in its live files and in its archives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from loopgraph.edges import answers, directives, document, ledger
from loopgraph.edges.answers import Answer
from loopgraph.edges.directives import Standing
from loopgraph.edges.document import Document
from loopgraph.edges.fields import Card, cards_of
from loopgraph.edges.ledger import Round
from loopgraph.plain import header

KINDS: Final[Mapping[str, str]] = {
    "D": "a correction",
    "R": "a round",
    "GAP": "a debt row",
    "OB": "a decision card",
    "S": "a standing entry",
    "C": "a row of the context index",
    "M": "a milestone",
    "G": "a gate",
}
"""The letters of every id, and what it names."""

_ID: Final = re.compile(r"(?:(GAP|OB|D|S|C|M|G|R)-?|(ROUND)\s*)0*(\d{1,9})", re.IGNORECASE)


class Texts(NamedTuple):
    """The texts of a run by path inside it."""

    live: Mapping[str, str]
    archive: Mapping[str, str]
    """In the order in which they were written; none where nobody asked for them."""
    problems: tuple[str, ...] = ()
    """Files that cannot be read, and why."""

    def every(self) -> Iterator[tuple[str, str]]:
        """Each file, the archives first: they hold what is older."""
        yield from self.archive.items()
        yield from self.live.items()


class Id(NamedTuple):
    """An id that somebody asks for."""

    letters: str
    number: int

    def __str__(self) -> str:
        if self.letters in ("R", "M", "G"):
            return f"{self.letters}{'' if self.letters == 'R' else '-'}{self.number}"
        return f"{self.letters}-{self.number:0{2 if self.letters == 'C' else 3}}"

    def pattern(self) -> re.Pattern[str]:
        """Wherever it stands, however it is written."""
        if self.letters == "R":
            form = rf"(?:R|Round )0*{self.number}"
        else:
            form = rf"{self.letters}-0*{self.number}"
            form = rf"M-?0*{self.number}" if self.letters == "M" else form
        return re.compile(rf"(?<![A-Za-z0-9_-]){form}(?![A-Za-z0-9_]|\.\d)")


class Entry(NamedTuple):
    """One place where an entry with an id stands."""

    file: str
    line: int
    end: int
    live: bool
    text: str
    """Word for word."""


class Place(NamedTuple):
    """A line that names an id without being its entry."""

    file: str
    line: int
    text: str


class Found(NamedTuple):
    """All that is known of an id."""

    entries: tuple[Entry, ...]
    named: tuple[Place, ...]
    """Lines that mention it."""


def parse_id(said: str) -> Id | None:
    """An id as it is said: `D-003`, `d3`, `R12`, `round 12`; None for what is none."""
    found = _ID.fullmatch(header.flat(said).strip(" `*\t"))
    if found is None:
        return None
    return Id("R" if found[2] else found[1].upper(), int(found[3]))


def find(texts: Texts, wanted: Id) -> Found:
    """Every place where an id stands, the oldest first."""
    pattern = wanted.pattern()
    entries: list[Entry] = []
    named: list[Place] = []
    for name, source in texts.every():
        if not pattern.search(source):
            continue
        parsed = document.parse(source)
        own = list(_entries(name, parsed, wanted, live=name in texts.live))
        inside = {line for one in own for line in range(one.line, one.end + 1)}
        entries += own
        named += [
            Place(name, at, line.strip())
            for at, line in enumerate(parsed.lines, 1)
            if at not in inside and pattern.search(line)
        ]
    return Found(tuple(entries), tuple(named))


def ids(texts: Texts, letters: str) -> list[Id]:
    """Every id of one kind that an entry bears, in order."""
    form = r"(?:R|Round )" if letters == "R" else rf"{letters}-{'?' if letters == 'M' else ''}"
    start = re.compile(rf"^[-|#*+ \t]*\**`?{form}(\d{{1,9}})\b", re.MULTILINE)
    numbers = {
        int(match[1])
        for _, source in texts.every()
        for match in start.finditer(header.flat(source))
    }
    return [Id(letters, number) for number in sorted(numbers)]


def nearest(texts: Texts, wanted: Id, most: int = 3) -> list[Id]:
    """The ids of the same kind whose numbers are nearest, in order."""
    known = sorted(ids(texts, wanted.letters), key=lambda one: abs(one.number - wanted.number))
    return sorted(known[:most])


def _entries(name: str, parsed: Document, wanted: Id, *, live: bool) -> Iterator[Entry]:
    for first, last in _spans(parsed, wanted):
        text = "".join(parsed.lines[first - 1 : last])
        yield Entry(name, first, last, live, text)


def _spans(parsed: Document, wanted: Id) -> Iterator[tuple[int, int]]:
    """The first and last line of each entry with this id."""
    whole = parsed.whole()
    if wanted.letters == "R":
        for one in ledger.log(parsed, whole)[0]:
            if one.number == wanted.number:
                yield one.line, one.end
        return
    if wanted.letters == "D":
        for packet in directives.corrections_of(parsed, whole):
            if packet.number == wanted.number:
                yield packet.line, packet.end
        return
    for line, said in parsed.body(whole):
        plain = header.flat(said).lstrip(" \t|").lstrip("-+ \t").lstrip("*_` ")
        found = wanted.pattern().match(plain)
        listed = said.lstrip(" \t")[:1] in ("|", "-", "*", "+") or wanted.letters == "S"
        if found and listed:
            yield line, line


# Rounds ----------------------------------------------------------------------------------------


class Logged(NamedTuple):
    """A round and where it stands."""

    file: str
    live: bool
    round: Round


def rounds(texts: Texts) -> tuple[Logged, ...]:
    """Every round, the archive's first; one that stands in both, word for word, once."""
    found: list[Logged] = []
    seen: set[tuple[int, str]] = set()
    for name, source in texts.every():
        parsed = document.parse(source)
        live = name in texts.live
        section = parsed.section("Rounds log") if live else parsed.whole()
        for one in ledger.log(parsed, section)[0]:
            text = "".join(parsed.lines[one.line - 1 : one.end]).strip()
            if (one.number, text) not in seen:
                seen.add((one.number, text))
                found.append(Logged(name, live, one))
    return tuple(found)


# Decisions -------------------------------------------------------------------------------------


class Asked(NamedTuple):
    """A card and where it stands."""

    file: str
    live: bool
    card: Card


class Answered(NamedTuple):
    """An answer and where it stands."""

    file: str
    live: bool
    answer: Answer


class Granted(NamedTuple):
    """A standing entry and where it stands: in the archive it is no longer in force."""

    file: str
    live: bool
    entry: Standing


class Decisions(NamedTuple):
    """What was asked, answered and granted, the oldest first."""

    asked: tuple[Asked, ...]
    answered: tuple[Answered, ...]
    granted: tuple[Granted, ...]


def decisions(texts: Texts) -> Decisions:
    """Every card, answer and standing entry."""
    asked: list[Asked] = []
    answered: list[Answered] = []
    granted: list[Granted] = []
    for name, source in texts.every():
        parsed = document.parse(source)
        live = name in texts.live
        cards = parsed.section("owner-blocked") if live else parsed.whole()
        standing = parsed.section("STANDING") if live else parsed.whole()
        if cards:
            asked += [
                Asked(name, live, card)
                for card in cards_of(parsed, cards)
                if live or card.number is not None
            ]
            answered += [Answered(name, live, one) for one in answers.read(parsed, cards)]
        if standing:
            granted += [
                Granted(name, live, one) for one in directives.standing_of(parsed, standing)
            ]
    return Decisions(tuple(asked), tuple(answered), tuple(granted))
