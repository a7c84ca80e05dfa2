"""LG236: the convergence flag is yes or no."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a tracker with numbers and a flag that is neither."""
    found = live.asked_ledger(run)
    tracker = found.convergence if found else None
    if tracker is not None and tracker.k is not None and tracker.due is None:
        says = _("`next round converges` is neither yes nor no")
        yield RULE.at(live.LEDGER, tracker.line, says)


_TRACKER: Final = (
    "Convergence tracker: rounds since last 5: **2** | "
    "net lines since last +400: **+58** | **next round converges: {}**"
)

RULE = Rule(
    id="LG236",
    name="flag-word",
    why="The next fire does what the flag says, and a third word says nothing.",
    fix=N_("Write yes where a limit is reached, else no."),
    bad=live.ledger("Status header", _TRACKER.format("maybe")),
    good=live.ledger("Status header", _TRACKER.format("no")),
    check=check,
)
