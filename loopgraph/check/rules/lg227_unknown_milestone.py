"""LG227: the current milestone is one of this run's."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example, live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import header


def check(run: Run) -> Iterator[Finding]:
    """Find a Current milestone that the record does not have."""
    found = run.ledger()
    field = found.fields.get("Current milestone") if found else None
    if found is None or run.record is None or field is None or not field.text:
        return
    known = [milestone.id for milestone in run.record.spec.milestones]
    if found.milestone is None and len(known) > 1:
        says = _("Current milestone names no id such as {id}", id=known[0])
        yield RULE.at(live.LEDGER, field.line, says)
    elif found.milestone is not None and not header.same_id(found.milestone, known):
        says = _(
            "{id} is no milestone of this run; it has {known}",
            id=found.milestone,
            known=live.series(known),
        )
        yield RULE.at(live.LEDGER, field.line, says)


RULE = Rule(
    id="LG227",
    name="unknown-milestone",
    why="Exit checks are looked up by this id, and an unknown one has none.",
    fix=N_("Name a milestone of executor.md's table, with its id first."),
    bad={**example.record(), **live.ledger("Status header", "Current milestone: M-2 docs")},
    good={**example.record(), **live.ledger("Status header", "Current milestone: M-1 limits hold")},
    check=check,
    fixable="Which milestone was meant can't be told.",
)
