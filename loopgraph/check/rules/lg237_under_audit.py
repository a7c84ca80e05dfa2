"""LG237: nothing is written on the surface that is under audit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import law


def check(run: Run) -> Iterator[Finding]:
    """Find a slice whose write set meets the audit surface while the gate is pending-audit."""
    found = run.ledger()
    if found is None or found.gate != "pending-audit":
        return
    surface = found.promotion.surface if found.promotion else None
    written = found.slice.write_set if found.slice else None
    if surface is None or written is None:
        return
    # Prose names no path; only what both name as paths can be compared.
    if not law.disjoint(_paths(written.text), _paths(surface.text)):
        says = _("the slice writes on the surface that is under audit")
        yield RULE.at(live.LEDGER, written.line, says)


def _paths(said: str) -> list[str]:
    return [word for word in law.write_set(said) if "/" in word or "." in word.strip(".")]


_LEDGER: Final = """\
## Status header

Current milestone: M-1 | Round: 3
Milestone gate: `pending-audit`

## Current slice

- Item: GAP-002
- Write set: {}
- Context: C-01
- Verify: pytest tests
- Done when: it passes

## Pending promotion

- Boundary: M-1
- Audit surface: src/limits/
"""

RULE = Rule(
    id="LG237",
    name="under-audit",
    why="An audit of files that change meanwhile accepts what nobody has seen.",
    fix=N_("Take a debt row whose write set is disjoint, or wait for the verdict."),
    bad={live.LEDGER: _LEDGER.format("src/limits/bucket.py")},
    good={live.LEDGER: _LEDGER.format("docs/")},
    check=check,
    fixable="Which work is legal instead is the executor's to choose.",
)
