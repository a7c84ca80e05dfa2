"""LG232: a run is exit-ready, or closed, only when nothing that counts is open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.ledger import Ledger
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find open scoreboard rows and P0 or P1 debt in a run that says it is done."""
    found = run.ledger()
    if found is None or found.status not in ("exit-ready", "closed") or _owned(found):
        return
    rows = sum(row.status in ("open", "in-progress") for row in found.scoreboard)
    gaps = [row.id or _("a row") for row in found.gaps if row.priority in ("P0", "P1")]
    left = [_("{count} open on the scoreboard", count=rows)] if rows else []
    left += [_("{ids} in the register", ids=live.series(gaps))] if gaps else []
    if left:
        says = _("{status} with {left}", status=found.status, left=_(" and ").join(left))
        yield RULE.at(live.LEDGER, found.line("Run status"), says)


def _owned(found: Ledger) -> bool:
    """Whether the line says that the owner ended a run with open work, or which rows dropped."""
    line = found.document.lines[found.line("Run status") - 1].casefold()
    return found.status == "closed" and any(word in line for word in _OWNED)


_OWNED: Final = ("owner", "stopped", "dropped", "负责人", "所有者", "放弃", "停止")

_DONE: Final = """\
## Status header

Run status: `exit-ready`

## Gate scoreboard

| Gate | Status | Evidence / next action |
|---|---|---|
| tests | {} | pytest |
"""

RULE = Rule(
    id="LG232",
    name="early-exit",
    why="A run that calls itself done with open work is closed by whoever believes it.",
    fix=N_("Go back to active and close them, or say behind the status what the owner dropped."),
    bad={live.LEDGER: _DONE.format("open")},
    good={live.LEDGER: _DONE.format("closed")},
    check=check,
    fixable="Whether the work is done can't be told.",
)
