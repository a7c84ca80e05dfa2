"""LG233: what waits for an audit is the milestone that the run is in."""

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
    """Find a pending audit without a boundary, or with that of another milestone."""
    found = run.ledger()
    if found is None or found.gate != "pending-audit":
        return
    promotion = found.promotion
    if promotion is None or promotion.empty or found.milestone is None:
        return
    boundary = promotion.boundary
    asked = None if boundary is None or boundary.empty else header.milestone(boundary.text)
    line = boundary.line if boundary else promotion.line
    if asked is None:
        says = _("the gate is pending-audit, but no boundary is named")
        yield RULE.at(live.LEDGER, line, says)
    elif asked != found.milestone:
        says = _(
            "{asked} waits for its audit, but the run has gone on to {now}",
            asked=asked,
            now=found.milestone,
        )
        yield RULE.at(live.LEDGER, line, says)


_PENDING: Final = """\
## Status header

Current milestone: M-1 | Round: 3
Milestone gate: `pending-audit`

## Pending promotion

- Boundary: {}
- Audit surface: src/
"""

RULE = Rule(
    id="LG233",
    name="promotion-boundary",
    why="A boundary that is crossed before its audit was never guarded.",
    fix=N_(
        "Name the current milestone as the boundary, and stay in it until its accept is folded."
    ),
    bad={live.LEDGER: _PENDING.format("none")},
    good={live.LEDGER: _PENDING.format("M-1")},
    check=check,
    fixable="Which milestone is meant can't be told.",
)
