"""LG205: the run's status is one that the state machine knows."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import states
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import header


def check(run: Run) -> Iterator[Finding]:
    """Find a Run status outside the table; a missing one has a rule of its own."""
    found = run.ledger()
    field = found.fields.get("Run status") if found else None
    if found and field and field.text and found.status is None:
        says = _(
            "Run status is {said}, not {words}",
            said=repr(header.word(field.text) or field.text),
            words=live.listed(states.RUN_STATUSES),
        )
        yield RULE.at(live.LEDGER, field.line, says)


RULE = Rule(
    id="LG205",
    name="run-status",
    why="Timers, the hook and the supervisor end or go on by this word, and know no other.",
    fix=N_("Write one of the four words in a code span; a note may follow it."),
    bad=live.ledger("Status header", "Run status: `running`"),
    good=live.ledger("Status header", "Run status: `active` (one card waits)"),
    check=check,
    fixable="Which status was meant can't be told.",
)
