"""LG218: the Current slice is at most six lines."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a slice with more lines than it may have."""
    found = run.ledger()
    if found and found.slice and found.slice.lines > contract.SLICE_LINES:
        says = _(
            "the Current slice has {lines} lines; {most} are allowed",
            lines=found.slice.lines,
            most=contract.SLICE_LINES,
        )
        yield RULE.at(live.LEDGER, found.slice.line, says)


RULE = Rule(
    id="LG218",
    name="slice-length",
    why="A long slice is more than one item, and every fire reads all of it.",
    fix=N_("Keep the five fields, and move the rest to debt rows or to ops.md."),
    bad=live.ledger("Current slice", "- Item: all of it\n" + "- then this\n" * 6),
    good=live.ledger("Current slice", "- Item: all of it\n" + "- then this\n" * 5),
    check=check,
    fixable="What can go is the executor's to judge.",
)
