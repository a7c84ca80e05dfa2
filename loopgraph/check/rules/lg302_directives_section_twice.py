"""LG302: no section of the queue stands there twice."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find the second heading of a section."""
    document = run.document(live.DIRECTIVES)
    for title in contract.DIRECTIVES_SECTIONS if document else ():
        for section in document.titled(title)[1:] if document else ():
            says = _("a second section {title}", title=title)
            yield RULE.at(live.DIRECTIVES, section.start + 1, says)


RULE = Rule(
    id="LG302",
    name="directives-section-twice",
    why="Readers take the first one, so corrections below the second are never folded.",
    fix=N_("Put what both say under one heading."),
    bad=live.directives("Corrections", "## Corrections"),
    good=live.directives("Corrections", "### From the owner"),
    check=check,
    fixable="Which of the two is true can't be told.",
)
