"""LG220: the trackers count against the knobs of this run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import example, live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find limits in the trackers that differ from the recorded knobs."""
    found = run.ledger()
    if found is None or run.record is None:
        return
    rounds, sweeps = found.convergence, found.discovery
    said = (
        ("CONVERGE_EVERY", rounds.every if rounds else None, rounds.line if rounds else 0),
        ("NET_LINE_CAP", rounds.cap if rounds else None, rounds.line if rounds else 0),
        ("YIELD_FLOOR", sweeps.floor if sweeps else None, sweeps.line if sweeps else 0),
    )
    for knob, value, line in said:
        recorded = run.record.spec.knob(knob)
        if value is not None and recorded is not None and value != recorded:
            says = _(
                "the tracker counts to {value}; {knob} is {recorded}",
                value=value,
                knob=knob,
                recorded=recorded,
            )
            yield RULE.at(live.LEDGER, line, says)


_TRACKER: Final = (
    "Convergence tracker: rounds since last {}: **0** | "
    "net lines since last +400: **+0** | **next round converges: no**"
)

RULE = Rule(
    id="LG220",
    name="tracker-limits",
    why="A limit that a node moved for itself binds nobody.",
    fix=N_("Write the recorded value; another one is a new run's business."),
    bad={**example.record(), **live.ledger("Status header", _TRACKER.format(9))},
    good={**example.record(), **live.ledger("Status header", _TRACKER.format(5))},
    check=check,
)
