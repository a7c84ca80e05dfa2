"""LG315: a correction names work, not only what is forbidden."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges import packets
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find packets whose action is nothing but prohibitions."""
    found = run.directives()
    for packet in found.corrections if found else ():
        action, stop = packet.fields.get("Action"), packet.fields.get("Stop")
        if action is None or not action.text:
            continue
        nothing = action.empty and stop is not None and not stop.empty
        if nothing or (not action.empty and packets.only_forbids(action.text)):
            says = _("{id} only forbids", id=packet.id)
            yield RULE.at(live.DIRECTIVES, action.line, says)


RULE = Rule(
    id="LG315",
    name="only-forbids",
    why="The executor obeys, has no lawful next item left, and the fire ends with nothing done.",
    fix=N_("Say in Action what to do instead."),
    bad=live.directives("Corrections", live.PACKET.replace("test the", "do not fake the")),
    good=live.directives("Corrections", live.PACKET),
    check=check,
    fixable="What should be done instead is the supervisor's to say.",
)
