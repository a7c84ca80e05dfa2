"""LG304: each correction says context, action, verify and stop."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges import directives
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find packets without one of the four fields."""
    found = live.asked_directives(run)
    for packet in found.corrections if found else ():
        missing = [
            name
            for name in directives.PACKET
            if name not in packet.fields or not packet.fields[name].text
        ]
        if missing:
            says = _("{id} does not say {fields}", id=packet.id, fields=live.lacking(missing))
            yield RULE.at(live.DIRECTIVES, packet.line, says)


RULE = Rule(
    id="LG304",
    name="packet-fields",
    why="The executor can't ask back, so what a packet leaves out is made up.",
    fix=N_("Add the field on a line of its own; `none` is an answer for Stop."),
    bad=live.directives("Corrections", live.PACKET.replace("Verify: pytest tests/limits\n", "")),
    good=live.directives("Corrections", live.PACKET),
    check=check,
    fixable="What the supervisor meant can't be told.",
)
