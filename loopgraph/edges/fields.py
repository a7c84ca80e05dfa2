"""Fields and decision cards: what several files of a run write in the same way."""

from __future__ import annotations

from typing import NamedTuple

from loopgraph.edges.document import Document, Section
from loopgraph.plain import header, quoting, text


class Field(NamedTuple):
    """What a field says, and where."""

    line: int
    """From 1."""
    text: str
    """Owner text, blanks around it dropped; empty where the name stands alone."""

    @property
    def empty(self) -> bool:
        """Whether it says nothing, or that there is nothing."""
        return header.is_none(self.text)

    @property
    def ids(self) -> tuple[str, ...]:
        """Every id in it, such as `C-01` and `GAP-003`, in order."""
        return tuple(written for _, _, written in header.ids(self.text))


class Card(NamedTuple):
    """A decision that waits for the owner; a column that the table lacks is None."""

    line: int
    id: str | None
    number: int | None
    """Of `OB-nnn`; None where the id is of no such form."""
    decision: str | None
    recommended: str | None
    others: str | None
    why: str | None

    def options(self) -> dict[str, str]:
        """What each letter stands for: A is the recommended one."""
        return header.options(self.recommended, self.others)

    def chosen(self) -> str:
        """The letter that the owner wrote by hand at the end of its row; empty while it waits."""
        return header.chosen((self.id, self.decision, self.recommended, self.others, self.why))


CARD_SECTION = "owner-blocked"


def numbered(cell: str | None, letters: str) -> tuple[str | None, int | None]:
    """An id without marks of emphasis, and its number where it is an id of that kind."""
    if cell is None:
        return None, None
    said = cell.strip("*_` \t")
    for kind, number, written in header.ids(said):
        if kind == letters and written == header.flat(said):
            return said, number
    return said, None


def cards(document: Document) -> tuple[Card, ...]:
    """The cards of a file; one that is answered in its row stays until a command takes it in."""
    section = document.section(CARD_SECTION)
    return cards_of(document, section) if section else ()


def cards_of(document: Document, section: Section) -> tuple[Card, ...]:
    """The cards of a section."""
    return tuple(
        Card(line, *numbered(id_, "OB"), decision, recommended, others, why)
        for line, (id_, decision, recommended, others, why) in header.open_cards(
            list(document.body(section))
        )
    )


def entries(document: Document, first: int, end: int, names: tuple[str, ...]) -> dict[str, Field]:
    """The fields of the lines from index `first` up to `end`; a value may go on below its name."""
    body = [
        (index + 1, text.bare(document.lines[index]))
        for index in range(first, end)
        if document.kinds[index] == text.TEXT
    ]
    return {
        name: Field(line, quoting.unquote(value))
        for name, (line, value) in header.fields(body, names, wrapped=True).items()
    }


def spoken(document: Document, section: Section) -> list[Field]:
    """The lines of a section that say something: no blank one, no code, no rule between."""
    return [
        Field(line, quoting.unquote(said.strip()))
        for line, said in document.body(section)
        if said.strip(" \t-*_")
    ]
