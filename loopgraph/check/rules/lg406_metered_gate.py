"""LG406: a gate that costs money says how much."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example
from loopgraph.check.ops_of import NAME, ops_of
from loopgraph.check.rule import Rule
from loopgraph.check.rules.lg405_gate_cost import kind
from loopgraph.edges.run import Run
from loopgraph.model.amounts import has_amount
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find metered gates without a number and its unit."""
    found = ops_of(run)
    for row in (found and found.gates) or ():
        if kind(row) == "money" and not has_amount(row.cost or ""):
            says = _("{name} costs money, but not how much", name=row.id or _("a gate"))
            yield RULE.at(NAME, row.line, says)


RULE = Rule(
    id="LG406",
    name="metered-gate",
    why="A budget can't be kept when nobody knows what one run takes from it.",
    fix=N_("Write the price of one run with its unit, such as `money: 0.40 USD`."),
    bad=example.gates("| G-1 | evals | `make evals` | none | money | yes | owner |"),
    good=example.gates("| G-1 | evals | `make evals` | none | money: 0.40 USD | yes | owner |"),
    check=check,
    fixable="The price is in no file.",
)
