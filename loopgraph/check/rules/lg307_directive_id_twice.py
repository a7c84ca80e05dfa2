"""LG307: no id of the queue is used twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find ids of corrections and of standing entries that come again."""
    found = run.directives()
    for entries in (found.corrections, found.standing) if found else ():
        for place in live.repeats(entry.number for entry in entries):
            says = _("{id} is used twice", id=entries[place].id)
            yield RULE.at(live.DIRECTIVES, entries[place].line, says)


_SECOND: Final = live.PACKET.replace("D-001", "D-002")

RULE = Rule(
    id="LG307",
    name="directive-id-twice",
    why="Once the first is folded the watermark covers both, so the second never takes effect.",
    fix=N_("Give the newer entry the next free id and raise Highest ids."),
    bad=live.directives("Corrections", f"{live.PACKET}\n\n{live.PACKET}"),
    good=live.directives("Corrections", f"{live.PACKET}\n\n{_SECOND}"),
    check=check,
    fixable="Which of the two was folded can't be told.",
)
