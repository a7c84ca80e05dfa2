"""LG202: no section of the ledger stands there twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _

_TITLES: Final = (*contract.LEDGER_SECTIONS[1:], contract.METRIC_SECTION)
"""All but the Status header, which has a rule of its own."""


def check(run: Run) -> Iterator[Finding]:
    """Find the second heading of a section."""
    document = run.document(live.LEDGER)
    for title in _TITLES if document else ():
        for section in document.titled(title)[1:] if document else ():
            says = _("a second section {title}", title=title)
            yield RULE.at(live.LEDGER, section.start + 1, says)


RULE = Rule(
    id="LG202",
    name="ledger-section-twice",
    why="Readers take the first one, so what the second says is lost.",
    fix=N_("Put what both say under one heading."),
    bad=live.ledger("Rounds log", "## Rounds log"),
    good=live.ledger("Rounds log", "### Older rounds"),
    check=check,
    fixable="Which of the two is true can't be told.",
)
