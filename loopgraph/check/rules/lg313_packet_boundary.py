"""LG313: accept and redo name the boundary that they are about."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import header


def check(run: Run) -> Iterator[Finding]:
    """Find verdicts on nothing, and on a milestone that the record does not have."""
    found = run.directives()
    known = [milestone.id for milestone in run.record.spec.milestones] if run.record else []
    for packet in found.corrections if found else ():
        if packet.boundary is None:
            if packet.verdict in ("accept", "redo"):
                says = _(
                    "{id} says {verdict} and names no boundary",
                    id=packet.id,
                    verdict=packet.verdict,
                )
                yield RULE.at(live.DIRECTIVES, packet.line, says)
        elif known and packet.boundary[0] == "M" and not header.same_id(packet.boundary, known):
            says = _(
                "{id} is about {boundary}, which is no milestone of this run",
                id=packet.id,
                boundary=packet.boundary,
            )
            yield RULE.at(live.DIRECTIVES, packet.line, says)


RULE = Rule(
    id="LG313",
    name="packet-boundary",
    why="The executor moves the gate of the milestone it happens to be at.",
    fix=N_("End the first line with the milestone's id, or with the debt row's."),
    bad=live.directives("Corrections", live.PACKET.replace(" · M-1", "")),
    good=live.directives("Corrections", live.PACKET),
    check=check,
    fixable="Which boundary was meant can't be told.",
)
