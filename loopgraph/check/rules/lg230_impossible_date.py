"""LG230: every date in the live files is a day that there is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.directives import Correction, Directives
from loopgraph.edges.ledger import Ledger, Round
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import when


def check(run: Run) -> Iterator[Finding]:
    """Find dates of rounds and corrections that no calendar has."""
    found, queue = run.ledger(), run.directives()
    entries = [
        *((live.LEDGER, entry.line, f"R{entry.number}", entry.date) for entry in _rounds(found)),
        *((live.DIRECTIVES, packet.line, packet.id, packet.date) for packet in _packets(queue)),
    ]
    for name, line, id_, said in entries:
        if said and not when.is_day(said):
            says = _("{id} is dated {said}, which is no day", id=id_, said=said)
            yield RULE.at(name, line, says)


def _rounds(found: Ledger | None) -> tuple[Round, ...]:
    return found.rounds if found else ()


def _packets(queue: Directives | None) -> tuple[Correction, ...]:
    return queue.corrections if queue else ()


_ROUND: Final = "- R1 {} | a | changed: a.py | verify: pass | net +1/-0 | next: b"

RULE = Rule(
    id="LG230",
    name="impossible-date",
    why="A made-up date is the mark of an entry that was not written when the work was done.",
    fix=N_("Write the day on which the entry was made."),
    bad=live.ledger("Rounds log", _ROUND.format("2026-02-30")),
    good=live.ledger("Rounds log", _ROUND.format("2026-02-28")),
    check=check,
    fixable="The right day stands nowhere else.",
)
