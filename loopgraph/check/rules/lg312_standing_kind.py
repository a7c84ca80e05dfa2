"""LG312: each standing entry says what kind of authority it is."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import states
from loopgraph.model.finding import Finding


def check(run: Run) -> Iterator[Finding]:
    """Find entries whose kind is not in the table, or, under our contract, missing."""
    found, asked = run.directives(), live.asked_directives(run)
    for entry in found.standing if found else ():
        if entry.kind is None and asked:
            says = f"{entry.id} says {entry.said or 'no kind'}, not "
            yield RULE.at(live.DIRECTIVES, entry.line, says + live.listed(states.STANDING_KINDS))


RULE = Rule(
    id="LG312",
    name="standing-kind",
    why="Nobody can tell whether the entry allows something, sets a bar for it, or draws a border.",
    fix="Write `S-nnn · AUTHORITY|PRE-AUTH|SCOPE · …`.",
    bad=live.directives("STANDING", "- S-001 · NOTE · src/ only"),
    good=live.directives("STANDING", "- S-001 · SCOPE · src/ only"),
    check=check,
    fixable="Which kind was meant is the owner's to say.",
)
