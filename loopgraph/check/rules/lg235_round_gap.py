"""LG235: no round is missing between two live ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find numbers that the log jumps over; rotation takes the oldest rounds only."""
    found = live.asked_ledger(run)
    if found is None:
        return
    for before, after in pairwise(found.rounds):
        if after.number > before.number + 1:
            jumped = range(before.number + 1, after.number)
            names = f"R{jumped[0]}"
            if len(jumped) > 1:
                names = _("R{first} to R{last}", first=jumped[0], last=jumped[-1])
            says = _("{names} missing before R{number}", names=names, number=after.number)
            yield RULE.at(live.LEDGER, after.line, says)


_LINE: Final = "- R{} 2026-11-30 | a | changed: a.py | verify: pass | net +1/-0 | next: b"

RULE = Rule(
    id="LG235",
    name="round-gap",
    why="A round that nobody wrote down is work that nobody audits.",
    fix=N_("Write the missing round down, or give the later one the next number."),
    bad=live.ledger("Rounds log", "\n".join(_LINE.format(n) for n in (1, 4))),
    good=live.ledger("Rounds log", "\n".join(_LINE.format(n) for n in (1, 2))),
    check=check,
    fixable="What was done in between can't be told.",
)
