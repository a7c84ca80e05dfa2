"""LG502: the supervisor's timer waits three to four times as long as the executor's."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example, files
from loopgraph.check.intervals_of import interval_of, possible
from loopgraph.check.record_lines import line_of
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import intervals
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a supervisor's interval outside the band, unless it is the legal one nearest to it."""
    if run.record is None:
        return
    spec = run.record.spec
    executor, supervisor = spec.node("executor"), spec.node("supervisor")
    fast = interval_of(executor) if executor else None
    slow = interval_of(supervisor) if supervisor else None
    if supervisor is None or fast is None or slow is None:
        return
    wanted = intervals.supervisor(fast, possible(supervisor))
    if not 3 * fast.minutes <= slow.minutes <= 4 * fast.minutes and slow != wanted:
        line = line_of(run, "nodes:", "role: supervisor")
        says = _(
            "the supervisor's {slow} is not three to four times {fast}; {wanted} is",
            slow=slow,
            fast=fast,
            wanted=wanted,
        )
        yield RULE.at(files.RECORD, line, says)


RULE = Rule(
    id="LG502",
    name="supervisor-interval",
    why="A quicker supervisor audits the same rounds again, and a slower one corrects too late.",
    fix=N_("Compile a new run; the supervisor's interval follows from the executor's."),
    bad=example.record("client: agent, interval: 30m", "client: agent, interval: 2h"),
    good=example.record(),
    check=check,
    fixable="The timer that runs already is the host's.",
)
