"""LG405: each gate says what it costs, and whether it is run once for several items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args

from loopgraph.check import example, live
from loopgraph.check.ops_of import NAME, ops_of
from loopgraph.check.rule import Rule
from loopgraph.edges.ops import GateRow
from loopgraph.edges.run import Run
from loopgraph.model.facts import Cost
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _

_COSTS: Final[tuple[Cost, ...]] = get_args(Cost)


def check(run: Run) -> Iterator[Finding]:
    """Find gates whose price is not named, or not in the words of the contract."""
    found = ops_of(run)
    for row in (found and found.gates) or ():
        if kind(row) not in _COSTS:
            name, costs = row.id or _("a gate"), live.series(_COSTS)
            says = _("{name} names no cost: {costs}", name=name, costs=costs)
            yield RULE.at(NAME, row.line, says)
        elif not (row.batched or "").casefold().startswith(("yes", "no")):
            says = _("{name} is batched neither yes nor no", name=row.id or _("a gate"))
            yield RULE.at(NAME, row.line, says)


def kind(row: GateRow) -> str:
    """The class of a gate's cost: the first word of its cell."""
    return (row.cost or "").partition(":")[0].strip().casefold()


RULE = Rule(
    id="LG405",
    name="gate-cost",
    why="Without the price a costly gate runs too often, and a cheap one too rarely.",
    fix=N_("Restore the row: seconds, minutes, money with its amount, or risk; batched yes or no."),
    bad=example.gates("| G-1 | tests | `pytest` | none | | no | owner |"),
    good=example.gates("| G-1 | tests | `pytest` | none | seconds | no | owner |"),
    check=check,
    fixable="What a gate costs has to be known or measured.",
)
