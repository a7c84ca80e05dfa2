"""LG303: each correction says one of the four verdicts."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import states
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find packets with a word that is no verdict, and, under our contract, with none."""
    found, asked = run.directives(), live.asked_directives(run)
    for packet in found.corrections if found else ():
        if packet.verdict is None and (packet.said or asked):
            words = live.listed(states.VERDICTS)
            says = (
                _("{id} says {said}, not {words}", id=packet.id, said=packet.said, words=words)
                if packet.said
                else _("{id} says no verdict, not {words}", id=packet.id, words=words)
            )
            yield RULE.at(live.DIRECTIVES, packet.line, says)


RULE = Rule(
    id="LG303",
    name="packet-verdict",
    why="The executor does one thing for each verdict, and for any other word what it likes.",
    fix=N_("Write `D-nnn · <date> · accept|redo|plan|stop` and the boundary in the first line."),
    bad=live.directives("Corrections", live.PACKET.replace("redo", "reject")),
    good=live.directives("Corrections", live.PACKET),
    check=check,
    fixable="Which verdict was meant can't be told.",
)
