"""LG224: no file holds more open cards than OWNER_CAP."""

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
    """Find the first card over the cap."""
    cap = live.limit(run, "OWNER_CAP")
    for name, _document, cards in live.cards(run):
        if cap is not None and len(cards) > cap:
            says = _("{count} cards wait; OWNER_CAP is {cap}", count=len(cards), cap=cap)
            yield RULE.at(name, cards[cap].line, says)


_HEAD: Final = " | ".join(header.CARD_COLUMNS)
_ROWS: Final = [f"OB-{number:03} | Go? | A: go | B: wait | soon" for number in range(1, 8)]

RULE = Rule(
    id="LG224",
    name="card-cap",
    why="An owner who is asked everything at once answers nothing.",
    fix=N_("Merge cards that one answer settles, and decide what is not the owner's."),
    bad=live.ledger("owner-blocked", live.table(_HEAD, *_ROWS)),
    good=live.ledger("owner-blocked", live.table(_HEAD, *_ROWS[1:])),
    check=check,
    fixable="What the owner must decide is the node's to judge.",
)
