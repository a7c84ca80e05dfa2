"""LG225: the Metric snapshot holds no more rows than METRIC_CAP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find the first row over the cap."""
    found, cap = run.ledger(), live.limit(run, "METRIC_CAP")
    if found and cap is not None and len(found.metrics) > cap:
        count = len(found.metrics)
        says = _("{count} metric rows are live; METRIC_CAP is {cap}", count=count, cap=cap)
        yield RULE.at(live.LEDGER, found.metrics[cap].line, says)


_HEAD: Final = "Metric | Baseline | Now | Target | Evidence"
_ROWS: Final = [f"p95 of route {number} | 90 | 80 | 50 | bench" for number in range(13)]

RULE = Rule(
    id="LG225",
    name="metric-cap",
    why="The snapshot is the latest value of each metric, and every fire reads all of it.",
    fix=N_("Keep one row a metric; earlier values go verbatim to the archive."),
    bad=live.ledger("Metric snapshot", live.table(_HEAD, *_ROWS)),
    good=live.ledger("Metric snapshot", live.table(_HEAD, *_ROWS[1:])),
    check=check,
    fixable="Which rows are out of date can't be told.",
)
