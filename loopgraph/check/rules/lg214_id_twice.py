"""LG214: no debt row and no card shares its id with another."""

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
    """Find ids that come again; cards of both files count in one series."""
    found = run.ledger()
    rows = [(live.LEDGER, row.line, row.id, row.number) for row in (found.gaps if found else ())]
    cards = [
        (name, card.line, card.id, card.number)
        for name, _document, open_ in live.cards(run)
        for card in open_
    ]
    for series in (rows, cards):
        seen: set[int] = set()
        for name, line, id_, number in series:
            if number is None:
                continue
            if number in seen:
                yield RULE.at(name, line, _("{id} is used twice", id=id_))
            seen.add(number)


_HEAD: Final = " | ".join(header.GAP_COLUMNS)
_ROW: Final = "GAP-001 | P2 | M-1 | src/ | pytest | slow"

RULE = Rule(
    id="LG214",
    name="id-twice",
    why="An answer or a round that names the id settles both, or the wrong one.",
    fix=N_("Give the newer entry the next free id and raise Highest ids."),
    bad=live.ledger("Debt & gap register", live.table(_HEAD, _ROW, _ROW)),
    good=live.ledger("Debt & gap register", live.table(_HEAD, _ROW, _ROW.replace("001", "002"))),
    check=check,
    fixable="Who cites which of the two can't be told.",
)
