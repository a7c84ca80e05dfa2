"""LG204: the ledger has one Status header."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find every Status header but the first."""
    document = run.document(live.LEDGER)
    for section in document.titled("Status header")[1:] if document else ():
        says = _("a second Status header; the first one counts")
        yield RULE.at(live.LEDGER, section.start + 1, says)


_STATUS: Final = "Run status: `active`"

RULE = Rule(
    id="LG204",
    name="two-status-headers",
    why="Two headers are two scoreboards: a node updates one, and everybody reads the other.",
    fix=N_("Keep the newer values in the first header and remove the second."),
    bad=live.ledger("Status header", f"{_STATUS}\n\n## Status header\n\n{_STATUS}"),
    good=live.ledger("Status header", _STATUS),
    check=check,
    fixable="Which of the two is true can't be told.",
)
