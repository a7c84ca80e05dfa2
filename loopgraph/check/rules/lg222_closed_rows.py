"""LG222: the Gate scoreboard keeps at most twelve closed rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find the first closed row over the cap."""
    found = run.ledger()
    closed = [row for row in found.scoreboard if row.status == "closed"] if found else []
    if len(closed) > contract.CLOSED_ROWS:
        says = _(
            "{count} closed rows are live; {most} are allowed",
            count=len(closed),
            most=contract.CLOSED_ROWS,
        )
        yield RULE.at(live.LEDGER, closed[contract.CLOSED_ROWS].line, says)


_HEAD: Final = "Gate | Status | Evidence / next action"
_ROWS: Final = [f"check {number} | closed | passed" for number in range(13)]

RULE = Rule(
    id="LG222",
    name="closed-rows",
    why="Every fire reads the scoreboard, and what is settled hides what is open.",
    fix=N_("Move the oldest closed rows verbatim to archive/gates.md, archive first."),
    bad=live.ledger("Gate scoreboard", live.table(_HEAD, *_ROWS)),
    good=live.ledger("Gate scoreboard", live.table(_HEAD, *_ROWS[1:])),
    check=check,
)
