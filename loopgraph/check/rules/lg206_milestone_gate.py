"""LG206: the milestone gate is in a state that there is."""

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
    """Find a Milestone gate outside the table; a missing one has a rule of its own."""
    found = run.ledger()
    field = found.fields.get("Milestone gate") if found else None
    if found and field and field.text and found.gate is None:
        says = _(
            "Milestone gate is {said}, not {words}",
            said=repr(header.word(field.text) or field.text),
            words=live.listed(states.GATE_STATES),
        )
        yield RULE.at(live.LEDGER, field.line, says)


RULE = Rule(
    id="LG206",
    name="milestone-gate",
    why="The executor passes a boundary by this word alone, so an unknown one may open it.",
    fix=N_("Write one of the four words in a code span; a note may follow it."),
    bad=live.ledger("Status header", "Milestone gate: `accepted`"),
    good=live.ledger("Status header", "Milestone gate: `passed` (by D-002)"),
    check=check,
    fixable="Which state was meant can't be told.",
)
