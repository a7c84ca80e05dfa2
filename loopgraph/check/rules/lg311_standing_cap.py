"""LG311: no more entries stand than STANDING_CAP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find the first standing entry over the cap."""
    found, cap = run.directives(), live.limit(run, "STANDING_CAP")
    if found and cap is not None and len(found.standing) > cap:
        says = _("{value} entries stand; STANDING_CAP is {cap}", value=len(found.standing), cap=cap)
        yield RULE.at(live.DIRECTIVES, found.standing[cap].line, says)


_ENTRIES: Final = [f"- S-{number:03} · SCOPE · src/ only" for number in range(1, 14)]

RULE = Rule(
    id="LG311",
    name="standing-cap",
    why="Entries that are always in force are read in every fire, and a long list is skimmed.",
    fix=N_("Merge or retire entries; what is retired goes verbatim to archive/standing.md."),
    bad=live.directives("STANDING", "\n".join(_ENTRIES)),
    good=live.directives("STANDING", "\n".join(_ENTRIES[1:])),
    check=check,
    fixable="Which authority can go is the owner's to say.",
)
