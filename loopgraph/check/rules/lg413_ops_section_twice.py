"""LG413: no section of ops.md stands there twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import example
from loopgraph.check.ops_of import NAME
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _

_TITLES: Final = (
    *(*contract.OPS_SECTIONS, *contract.DISCOVERY_SECTIONS),
    *(contract.FANOUT_SECTION, contract.TIMERS_SECTION),
)


def check(run: Run) -> Iterator[Finding]:
    """Find the second heading of a section."""
    document = run.document(NAME)
    for title in _TITLES if document else ():
        for section in document.titled(title)[1:] if document else ():
            says = _("a second section {title}", title=title)
            yield RULE.at(NAME, section.start + 1, says)


_GATES = "## Gates\n\n| ID | Gate |\n|---|---|\n| G-1 | tests |"

RULE = Rule(
    id="LG413",
    name="ops-section-twice",
    why="Readers take the first one, so what the second says is lost.",
    fix=N_("Put what both say under one heading."),
    bad=example.ops(f"{_GATES}\n\n{_GATES.replace('1', '2')}"),
    good=example.ops(f"{_GATES}\n| G-2 | tests |"),
    check=check,
    fixable="Which of the two is true can't be told.",
)
