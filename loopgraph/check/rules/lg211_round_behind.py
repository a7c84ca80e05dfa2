"""LG211: the Status header counts as far as the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a Round in the header that is lower than the newest one of the log."""
    found = run.ledger()
    if found is None or found.round is None or not found.rounds:
        return
    newest = max(entry.number for entry in found.rounds)
    under_way = found.rounds[-1].block
    if found.round + under_way < newest:
        says = _("Round is {round}, but the log has R{newest}", round=found.round, newest=newest)
        yield RULE.at(live.LEDGER, found.line("Round"), says)


_NINE: Final = "- R9 2026-11-30 | b | changed: b.py | verify: pass | net +1/-0 | next: c"

RULE = Rule(
    id="LG211",
    name="round-behind",
    why="The next round takes a number that is used already.",
    fix=N_("Set Round to the newest number of the log."),
    bad={live.LEDGER: f"## Status header\n\nRound: 8\n\n## Rounds log\n\n{_NINE}\n"},
    good={live.LEDGER: f"## Status header\n\nRound: 9\n\n## Rounds log\n\n{_NINE}\n"},
    check=check,
    level="warning",
)
