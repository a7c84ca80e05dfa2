"""LG305: a correction is at most eight lines."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges import packets
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find packets with more lines than they may have."""
    found = run.directives()
    for packet in found.corrections if found else ():
        if packet.lines > packets.LINES:
            says = _(
                "{id} has {lines} lines; {most} are allowed",
                id=packet.id,
                lines=packet.lines,
                most=packets.LINES,
            )
            yield RULE.at(live.DIRECTIVES, packet.line, says)


RULE = Rule(
    id="LG305",
    name="packet-length",
    why="Every fire reads the queue, and a packet that argues is folded in part.",
    fix=N_("Say what to do and how to check it; point at evidence instead of quoting it."),
    bad=live.directives("Corrections", live.PACKET + "\nand more" * 4),
    good=live.directives("Corrections", live.PACKET + "\nand more" * 3),
    check=check,
    fixable="What can go is the supervisor's to judge.",
)
