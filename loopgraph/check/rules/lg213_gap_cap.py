"""LG213: the register holds no more rows than GAP_CAP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import header


def check(run: Run) -> Iterator[Finding]:
    """Find the first row over the cap."""
    found, cap = run.ledger(), live.limit(run, "GAP_CAP")
    if found and cap is not None and len(found.gaps) > cap:
        says = _("{count} debt rows are live; GAP_CAP is {cap}", count=len(found.gaps), cap=cap)
        yield RULE.at(live.LEDGER, found.gaps[cap].line, says)


_HEAD: Final = " | ".join(header.GAP_COLUMNS)
_ROWS: Final = [f"GAP-{number:03} | P2 | M-1 | src/ | pytest | slow" for number in range(1, 14)]

RULE = Rule(
    id="LG213",
    name="gap-cap",
    why="Every fire reads the register, and a long one hides the rows that matter.",
    fix=N_("Close or merge rows, or park the lowest priority verbatim in archive/gaps.md."),
    bad=live.ledger("Debt & gap register", live.table(_HEAD, *_ROWS)),
    good=live.ledger("Debt & gap register", live.table(_HEAD, *_ROWS[:12])),
    check=check,
    fixable="Which rows can wait is the executor's to judge.",
)
