"""LG408: what may be spent is a number with a unit, or nothing."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example
from loopgraph.check.ops_of import NAME, line_of, ops_of
from loopgraph.check.rule import Rule
from loopgraph.check.rules.lg405_gate_cost import kind
from loopgraph.edges.run import Run
from loopgraph.model.amounts import has_amount, is_nothing
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a budget without number and unit, and metered gates without a budget."""
    found = ops_of(run)
    if found is None or found.budget is None:
        return
    line = line_of(found, "Spend budget")
    if not is_nothing(found.budget):
        if not has_amount(found.budget):
            yield RULE.at(NAME, line, _("the spend budget has no number with a unit"))
    elif metered := next((row for row in found.gates or () if kind(row) == "money"), None):
        says = _(
            "{name} costs money, but the spend budget allows none", name=metered.id or _("a gate")
        )
        yield RULE.at(NAME, line, says)


_HEAD = "## Spend budget\n\n"

RULE = Rule(
    id="LG408",
    name="open-budget",
    why="`Over budget` is the owner's call, and without a number nobody ever has to make it.",
    fix=N_("Write a number with its unit and period, such as `20 USD for the run`, or `None`."),
    bad=example.ops(f"{_HEAD}Ask when it gets too expensive."),
    good=example.ops(f"{_HEAD}20 USD for the run; ask before more."),
    check=check,
    fixable="What may be spent is the owner's to say.",
)
