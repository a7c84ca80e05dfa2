"""LG219: the flag of the Convergence tracker is what its numbers say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import states
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a flag that says yes or no against the law."""
    found = run.ledger()
    tracker = found.convergence if found else None
    if tracker is None or tracker.k is None or tracker.m is None or tracker.due is None:
        return
    every = live.limit(run, "CONVERGE_EVERY") if tracker.every is None else tracker.every
    cap = live.limit(run, "NET_LINE_CAP") if tracker.cap is None else tracker.cap
    if every is None or cap is None:
        return
    due = states.convergence_due(rounds=tracker.k, every=every, net=tracker.m, cap=cap)
    if due != tracker.due:
        says = _(
            "{rounds} of {every} rounds and {lines} of +{cap} lines make the flag {flag}",
            rounds=tracker.k,
            every=every,
            lines=f"{tracker.m:+}",
            cap=cap,
            flag="yes" if due else "no",
        )
        yield RULE.at(live.LEDGER, tracker.line, says)


_TRACKER: Final = (
    "Convergence tracker: rounds since last 5: **{}** | "
    "net lines since last +400: **+{}** | **next round converges: {}**"
)

RULE = Rule(
    id="LG219",
    name="convergence-flag",
    why="A flag left at no lets the code grow past its limit, and one left at yes stops delivery.",
    fix=N_("Set the flag by the numbers, or mend the number that is wrong."),
    bad=live.ledger("Status header", _TRACKER.format(5, 58, "no")),
    good=live.ledger("Status header", _TRACKER.format(4, 58, "no")),
    check=check,
)
