"""LG318: whatever stands under Corrections is a packet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import header


def check(run: Run) -> Iterator[Finding]:
    """Find text under Corrections that belongs to no packet: nobody folds it."""
    found = live.asked_directives(run)
    section = found.document.section("Corrections") if found else None
    if found is None or section is None:
        return
    held = {line for packet in found.corrections for line in range(packet.line, packet.end + 1)}
    for line, said in found.document.body(section):
        if said.strip() and line not in held and not header.is_none(said):
            says = _("text under Corrections that is no packet: nobody folds it")
            yield RULE.at(live.DIRECTIVES, line, says)
            return


_OPEN: Final = "Please use sqlite.\n"

RULE = Rule(
    id="LG318",
    name="no-packet",
    why="The executor folds numbered packets and passes over everything else.",
    fix=N_("Write `D-001 · <date> · plan`, then Context, Action, Verify, Stop; raise Highest ids."),
    bad=live.directives("Corrections", _OPEN),
    good=live.directives("Corrections", live.PACKET),
    check=check,
    fixable="What is asked for can't be told.",
)
