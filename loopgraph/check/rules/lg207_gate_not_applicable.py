"""LG207: a run with several milestones has a gate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import example, live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find `n/a` where the record has more than one milestone."""
    found = run.ledger()
    if found is None or run.record is None or found.gate != "n/a":
        return
    count = len(run.record.spec.milestones)
    if count > 1:
        says = _("the gate is n/a, but the run has {count} milestones", count=count)
        yield RULE.at(live.LEDGER, found.line("Milestone gate"), says)


_FIRST: Final = "- {id: M-1,"
_TWO: Final = example.record(
    _FIRST,
    "- {id: M-0, outcome: limits are read, exit_checks: G-1, audit_surface: a, write_set: a}\n"
    + _FIRST,
)

RULE = Rule(
    id="LG207",
    name="gate-not-applicable",
    why="With no gate nobody audits a milestone before the next one is built on it.",
    fix=N_("Write `open`, or `pending-audit` where a promotion waits."),
    bad={**_TWO, **live.ledger("Status header", "Milestone gate: `n/a`")},
    good={**_TWO, **live.ledger("Status header", "Milestone gate: `open`")},
    check=check,
    fixable="Whether an audit has passed can't be told.",
)
