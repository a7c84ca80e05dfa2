"""LG503: each node's host exists and can keep the node's interval exactly."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example, files
from loopgraph.check.intervals_of import interval_of, possible
from loopgraph.check.record_lines import line_of
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.hosts import HOSTS
from loopgraph.model import intervals
from loopgraph.model.errors import nearest
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.model.spec import NodeSpec


def check(run: Run) -> Iterator[Finding]:
    """Find hosts that nobody knows and intervals that their host would round."""
    for node in run.record.spec.nodes if run.record else ():
        if problem := _problem(node):
            line = line_of(run, "nodes:", f"role: {node.role}")
            says = _("{label}: {value}", label=node.role, value=problem)
            yield RULE.at(files.RECORD, line, says)


def _problem(node: NodeSpec) -> str:
    if node.host not in HOSTS:
        return _(
            "{said}. {fix}",
            said=_("no host is called {host}", host=node.host),
            fix=nearest(node.host, HOSTS),
        )
    if interval_of(node):
        return ""
    title = _(HOSTS[node.host].TITLE)
    wanted = intervals.parse(node.interval)
    if wanted is None:
        return _("{text} is no interval such as 10m or 2h", text=repr(node.interval))
    near = _(" or ").join(str(interval) for interval in intervals.nearest(wanted, possible(node)))
    return _(
        "{title} cannot keep {wanted} exactly; nearest: {near}",
        title=title,
        wanted=wanted,
        near=near,
    )


RULE = Rule(
    id="LG503",
    name="host-interval",
    why="The host rounds the interval or spaces it unevenly, so fires overlap or drift apart.",
    fix=N_("Compile a new run with an interval that the host can express."),
    bad=example.record("client: agent, interval: 10m", "client: agent, interval: 7m"),
    good=example.record(),
    check=check,
    fixable="The timer that runs already is the host's.",
)
