"""LG109: every file of a run is a regular, readable UTF-8 text."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find files that could not be read as text, and say why."""
    for name, reason in run.others.items():
        if not name.endswith("/"):
            says = _("{name} can't be read: {reason}", name=name, reason=reason)
            yield RULE.at(name, 0, says)


RULE = Rule(
    id="LG109",
    name="not-text",
    why="What can't be read is neither checked nor ever written, so the run's state stops there.",
    fix=N_("Put a regular UTF-8 text file of at most 8 MiB in its place."),
    bad={"ledger.md": example.prompt("- caf\udce9 orders are counted twice", name="ledger")},
    good={"ledger.md": example.prompt("- café orders are counted twice", name="ledger")},
    check=check,
    fixable="Its right encoding, or what a link should point at, can't be told from here.",
)
