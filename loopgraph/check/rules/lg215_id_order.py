"""LG215: debt rows and cards stand in the order of their ids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import header


def check(run: Run) -> Iterator[Finding]:
    """Find rows whose id is lower than that of the row above."""
    found = run.ledger()
    series = [(live.LEDGER, [row for row in found.gaps if row.number is not None])] if found else []
    for name, _document, cards in live.cards(run):
        numbered = [card for card in cards if card.number is not None]
        yield from _fallen(name, [(card.line, card.number or 0, card.id) for card in numbered])
    for name, rows in series:
        yield from _fallen(name, [(row.line, row.number or 0, row.id) for row in rows])


def _fallen(name: str, rows: list[tuple[int, int, str | None]]) -> Iterator[Finding]:
    for place in live.falls(number for _line, number, _id in rows):
        line, _number, id_ = rows[place]
        says = _("{id} stands below {before}", id=id_, before=rows[place - 1][2])
        yield RULE.at(name, line, says)


_HEAD: Final = " | ".join(header.GAP_COLUMNS)
_FIRST: Final = "GAP-001 | P2 | M-1 | src/ | pytest | slow"
_SECOND: Final = "GAP-002 | P1 | M-1 | src/ | pytest | wrong"

RULE = Rule(
    id="LG215",
    name="id-order",
    why="New ids are appended, so one out of order was made up instead of taken from Highest ids.",
    fix=N_("Sort the rows by id, and take new ids from Highest ids."),
    bad=live.ledger("Debt & gap register", live.table(_HEAD, _SECOND, _FIRST)),
    good=live.ledger("Debt & gap register", live.table(_HEAD, _FIRST, _SECOND)),
    check=check,
    level="warning",
    fixable="Whether the id or the place is wrong can't be told.",
)
