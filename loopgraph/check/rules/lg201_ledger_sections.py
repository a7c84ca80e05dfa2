"""LG201: the ledger has every section that nodes and tools read."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example, live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find sections that are not there, in one finding."""
    found = live.asked_ledger(run)
    if found is None:
        return
    measures = run.record is not None and run.record.spec.pack.metric_driven
    wanted = (*contract.LEDGER_SECTIONS, *((contract.METRIC_SECTION,) if measures else ()))
    missing = [title for title in wanted if found.document.section(title) is None]
    if missing:
        yield RULE.at(live.LEDGER, 0, _("no section {titles}", titles=live.lacking(missing)))


_ALL = "\n\n".join(f"## {title}" for title in contract.LEDGER_SECTIONS)

RULE = Rule(
    id="LG201",
    name="ledger-sections",
    why="A node that finds no such section keeps its state in its own context, where it is lost.",
    fix=N_("Put the headings back, empty where nothing is known."),
    bad={live.LEDGER: example.prompt(_ALL.replace("## Pending promotion\n\n", ""), name="ledger")},
    good={live.LEDGER: example.prompt(_ALL, name="ledger")},
    check=check,
    fixable="What the section said can't be guessed.",
)
