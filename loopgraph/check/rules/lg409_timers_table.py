"""LG409: the Timers table is there exactly where the host needs it, with a row for each node."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example
from loopgraph.check.ops_of import NAME, line_of, ops_of, spec_of
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.contract import TIMERS_SECTION
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a table that is missing, needless, or lacks a node."""
    found, spec = ops_of(run), spec_of(run)
    if found is None or spec is None:
        return
    line = line_of(found, TIMERS_SECTION)
    if not spec.timers:
        if found.timers is not None:
            says = _("a Timers table, though no host of this run needs one")
            yield RULE.at(NAME, line, says)
        return
    if found.timers is None:
        yield RULE.at(NAME, 0, _("no Timers table, though a host of this run needs one"))
        return
    rows = [row.node for row in found.timers]
    for node in spec.nodes:
        if (count := rows.count(node.role)) != 1:
            says = (
                _("{count} Timers rows for the {role}", count=count, role=node.role)
                if count
                else _("no Timers rows for the {role}", role=node.role)
            )
            yield RULE.at(NAME, line, says)


_TABLE = (
    "## Timers\n\n| Node | Timer id | Interval |\n|---|---|---|\n"
    "| executor | none | 10m |\n| supervisor | none | 30m |"
)
_NEEDED = example.record("timers: false", "timers: true")

RULE = Rule(
    id="LG409",
    name="timers-table",
    why="On such a host a node finds and ends its own timer by the id in this table.",
    fix=N_("Put the table back with one row for each node, or take it out where it isn't needed."),
    bad={**_NEEDED, **example.ops("## Standards")},
    good={**_NEEDED, **example.ops(_TABLE)},
    check=check,
    fixable="A timer's id is known to its node alone.",
)
