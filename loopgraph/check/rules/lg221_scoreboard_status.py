"""LG221: each row of the Gate scoreboard has a status that there is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import states
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find rows whose status is not in the table."""
    found = run.ledger()
    for row in found.scoreboard if found else ():
        if row.said is not None and row.status is None:
            says = _(
                "the status is {said}, not {words}",
                said=row.said or _("empty"),
                words=live.listed(states.ROW_STATES),
            )
            yield RULE.at(live.LEDGER, row.line, says)


_HEAD: Final = "Gate | Status | Evidence / next action"

RULE = Rule(
    id="LG221",
    name="scoreboard-status",
    why="A run may end only when no row is open, and a status that nobody knows counts as neither.",
    fix=N_("Write one of the four words; what else there is to say goes into the last column."),
    bad=live.ledger("Gate scoreboard", live.table(_HEAD, "tests | done | 12 passed")),
    good=live.ledger("Gate scoreboard", live.table(_HEAD, "tests | closed | 12 passed")),
    check=check,
    fixable="Which status was meant can't be told.",
)
