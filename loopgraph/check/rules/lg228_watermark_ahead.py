"""LG228: the watermark is no higher than the highest directive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a Last directive folded above what the queue says was ever written."""
    found, queue = run.ledger(), run.directives()
    if found is None or found.folded is None or queue is None:
        return
    highest = queue.state.highest if queue.state else None
    if not highest or "D" not in highest:
        return
    written = max([highest["D"], *(packet.number for packet in queue.corrections)])
    if found.folded > written:
        says = _(
            "D-{watermark} is folded, but the queue goes to D-{highest}",
            watermark=f"{found.folded:03}",
            highest=f"{written:03}",
        )
        yield RULE.at(live.LEDGER, found.line("Last directive folded"), says)


_STATE: Final = "Supervisor state"
_FOLDED: Final = live.ledger("Status header", "Last directive folded: D-003")

RULE = Rule(
    id="LG228",
    name="watermark-ahead",
    why="The next correction lies below the watermark, so nobody will ever fold it.",
    fix=N_("Set the watermark back to the last directive that was really applied."),
    bad={**_FOLDED, **live.directives(_STATE, "Highest ids: D-002 | none | none")},
    good={**_FOLDED, **live.directives(_STATE, "Highest ids: D-003 | none | none")},
    check=check,
    fixable="Which directives were applied can't be told.",
)
