"""LG234: the Convergence tracker counts the rounds that stand in the log."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.ledger import Ledger, Round
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find numbers of the tracker that are lower than what the live rounds add up to."""
    found = run.ledger()
    tracker = found.convergence if found else None
    if found is None or tracker is None:
        return
    since = _since(found)
    if since is None:
        return
    if tracker.k is not None and tracker.k < len(since):
        says = _(
            "{count} rounds since the last convergence round, not {said}",
            count=len(since),
            said=tracker.k,
        )
        yield RULE.at(live.LEDGER, tracker.line, says)
    nets = [entry.net for entry in since]
    lines = sum(net.added - net.removed for net in nets if net)
    if tracker.m is not None and None not in nets and tracker.m < lines:
        says = _(
            "{count} net lines since the last convergence round, not {said}",
            count=f"{lines:+}",
            said=f"{tracker.m:+}",
        )
        yield RULE.at(live.LEDGER, tracker.line, says)


def _since(found: Ledger) -> list[Round] | None:
    """The rounds since the last convergence round; None where some are no longer live.

    A header that is behind its log is another rule's finding, and its tracker with it.
    """
    rounds = sorted(found.rounds, key=lambda entry: entry.number)
    if not rounds or found.round != rounds[-1].number:
        return None
    last = max((place for place, entry in enumerate(rounds) if entry.converge), default=-1)
    whole = last >= 0 or rounds[0].number == 1
    return rounds[last + 1 :] if whole else None


_LEDGER: Final = """\
## Status header

Current milestone: M-1 | Round: 1
Convergence tracker: rounds since last 5: **{}** | net lines since last +400: **+8** | **no**

## Rounds log

- R1 2026-11-30 | a slice | changed: src/ | verify: 12 passed | net +9/-1 | next: more
"""

RULE = Rule(
    id="LG234",
    name="tracker-count",
    why="A tracker that counts too little puts off the round that keeps the code small.",
    fix=N_("Count the rounds and net lines after the last CONVERGE round, and write those."),
    bad={live.LEDGER: _LEDGER.format(0)},
    good={live.LEDGER: _LEDGER.format(1)},
    check=check,
    level="warning",
    fixable="Whether the tracker or the log is wrong can't be told.",
)
