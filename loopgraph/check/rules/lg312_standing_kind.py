"""LG312: each standing entry says what kind of authority it is."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import states
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find entries whose kind is not in the table, or, under our contract, missing."""
    found, asked = run.directives(), live.asked_directives(run)
    for entry in found.standing if found else ():
        if entry.kind is None and asked:
            words = live.listed(states.STANDING_KINDS)
            says = (
                _("{id} says {said}, not {words}", id=entry.id, said=entry.said, words=words)
                if entry.said
                else _("{id} says no kind, not {words}", id=entry.id, words=words)
            )
            yield RULE.at(live.DIRECTIVES, entry.line, says)


RULE = Rule(
    id="LG312",
    name="standing-kind",
    why="Nobody can tell whether the entry allows something, sets a bar for it, or draws a border.",
    fix=N_("Write `S-nnn · AUTHORITY|PRE-AUTH|SCOPE · …`."),
    bad=live.directives("STANDING", "- S-001 · NOTE · src/ only"),
    good=live.directives("STANDING", "- S-001 · SCOPE · src/ only"),
    check=check,
    fixable="Which kind was meant is the owner's to say.",
)
