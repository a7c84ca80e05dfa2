"""LG226: a pending audit says what there is to audit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a gate that waits for an audit beside an empty Pending promotion."""
    found = run.ledger()
    if found is None or found.gate != "pending-audit" or found.promotion is None:
        return
    if found.promotion.empty:
        says = _("the gate is pending-audit, but Pending promotion is empty")
        yield RULE.at(live.LEDGER, found.promotion.line, says)


_PENDING: Final = "## Status header\n\nMilestone gate: `pending-audit`\n\n## Pending promotion\n\n"

RULE = Rule(
    id="LG226",
    name="empty-promotion",
    why="The supervisor finds nothing to accept, and the executor waits for it.",
    fix=N_("Fill in boundary, audit surface, evidence and context, or set the gate back to open."),
    bad={live.LEDGER: _PENDING + "- Boundary: none\n"},
    good={live.LEDGER: _PENDING + "- Boundary: M-1\n- Audit surface: src/\n"},
    check=check,
    fixable="What should be audited is the executor's to say.",
)
