"""Answers of the owner, as they stand below the cards until every node has seen them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from loopgraph.edges.document import Document, Section
from loopgraph.edges.fields import CARD_SECTION
from loopgraph.plain import header, quoting

OWNER: Final = "owner"
RELAYED: Final = "relayed"
HAND: Final = "by hand"
"""Who said it: the owner by command, a node that says the owner did, or the card's own row.

Whoever can edit the file can write into a row, so that nothing proves whose hand it was.
"""

RELAY: Final = "(a relayed answer will do)"
"""How a card says that it is about nothing that only the owner may open."""

_PARTS: Final = 5


class Answer(NamedTuple):
    """One answered card."""

    line: int
    id: str
    letter: str
    by: str
    """OWNER, RELAYED or HAND."""
    after: int
    """The newest round when it was given."""
    text: str


def read(document: Document, section: Section | None = None) -> tuple[Answer, ...]:
    """The answers below the cards, or in another section; a line that is none is passed over."""
    section = section or document.section(CARD_SECTION)
    found: list[Answer] = []
    for line, said in document.body(section) if section else ():
        if not said.startswith("- OB-"):
            continue
        parts = said.removeprefix("- ").split(" · ", _PARTS - 1)
        after = header.number(parts[3].removeprefix("after ")) if len(parts) == _PARTS else None
        if after is not None:
            id_, letter, by, _, told = parts
            found.append(Answer(line, id_, letter, by, after, quoting.unquote(told)))
    return tuple(found)


def standing(found: Iterable[Answer]) -> tuple[Answer, ...]:
    """The answer of each card that counts: a relayed one only while there is no other."""
    kept: dict[str, Answer] = {}
    for one in found:
        before = kept.get(one.id)
        if before is None or one.by != RELAYED or before.by == RELAYED:
            kept[one.id] = one
    return tuple(kept.values())


def write(answer: Answer) -> str:
    """An answer as a line."""
    said = quoting.inline(answer.text)
    return f"- {answer.id} · {answer.letter} · {answer.by} · after R{answer.after} · {said}"
