"""LG308: Highest ids of the queue is at or above every id in use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_


def check(run: Run) -> Iterator[Finding]:
    """Find kinds of id whose highest one is above what the field says."""
    found = run.directives()
    if found is None or found.state is None or found.state.highest is None:
        return
    series = {
        "D": [packet.number for packet in found.corrections],
        "S": [entry.number for entry in found.standing],
        "OB": [card.number for card in found.cards if card.number is not None],
    }
    for letters, numbers in series.items():
        known, used = found.state.highest.get(letters, 0), max(numbers, default=0)
        if used > known:
            says = live.beyond(letters, used, known)
            yield RULE.at(live.DIRECTIVES, found.state.highest_line, says)


_FILE: Final = (
    f"## Supervisor state\n\nHighest ids: {{}} | none | none\n\n## Corrections\n\n{live.PACKET}\n"
)

RULE = Rule(
    id="LG308",
    name="directive-ids-behind",
    why="The next packet takes an id that is used already, and the watermark swallows it.",
    fix=N_("Raise Highest ids to the highest id in use."),
    bad={live.DIRECTIVES: _FILE.format("D-000")},
    good={live.DIRECTIVES: _FILE.format("D-001")},
    check=check,
)
