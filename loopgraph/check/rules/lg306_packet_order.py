"""LG306: corrections stand in the order of their ids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find packets whose id is lower than that of the packet above."""
    found = run.directives()
    packets = found.corrections if found else ()
    for place in live.falls(packet.number for packet in packets):
        says = _("{id} stands below {before}", id=packets[place].id, before=packets[place - 1].id)
        yield RULE.at(live.DIRECTIVES, packets[place].line, says)


_SECOND: Final = live.PACKET.replace("D-001", "D-002")

RULE = Rule(
    id="LG306",
    name="packet-order",
    why="The executor folds from the top, so the watermark passes over the lower one.",
    fix=N_("Sort the packets by id, the newest last."),
    bad=live.directives("Corrections", f"{_SECOND}\n\n{live.PACKET}"),
    good=live.directives("Corrections", f"{live.PACKET}\n\n{_SECOND}"),
    check=check,
    fixable="Whether the id or the place is wrong can't be told.",
)
