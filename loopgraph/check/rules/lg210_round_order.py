"""LG210: rounds stand in order, and no number is used twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find numbers that come again, and numbers that fall."""
    found = run.ledger()
    if found is None:
        return
    numbers = [entry.number for entry in found.rounds]
    again = set(live.repeats(numbers))
    for place in sorted(again):
        says = _("R{number} is used twice", number=numbers[place])
        yield RULE.at(live.LEDGER, found.rounds[place].line, says)
    for place in live.falls(numbers):
        if place not in again:
            says = _(
                "R{number} stands below R{before}; the newest comes last",
                number=numbers[place],
                before=numbers[place - 1],
            )
            yield RULE.at(live.LEDGER, found.rounds[place].line, says)


_EIGHT: Final = "- R8 2026-11-30 | a | changed: a.py | verify: pass | net +1/-0 | next: b"
_NINE: Final = "- R9 2026-11-30 | b | changed: b.py | verify: pass | net +1/-0 | next: c"

RULE = Rule(
    id="LG210",
    name="round-order",
    why="A number that comes again makes two rounds one, and rotation moves the wrong ones.",
    fix=N_("Give the newest round the next free number and put it last."),
    bad=live.ledger("Rounds log", f"{_NINE}\n{_EIGHT}"),
    good=live.ledger("Rounds log", f"{_EIGHT}\n{_NINE}"),
    check=check,
    fixable="Whether the number or the place is wrong can't be told.",
)
