"""LG216: Highest ids of the ledger is at or above every id in use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_
from loopgraph.plain import header


def check(run: Run) -> Iterator[Finding]:
    """Find kinds of id whose highest one is above what the field says."""
    found = run.ledger()
    field = found.fields.get("Highest ids") if found else None
    if found is None or field is None or not field.text:
        return
    series = {
        "GAP": [row.number for row in found.gaps if row.number is not None],
        "OB": [card.number for card in found.cards if card.number is not None],
    }
    for letters, numbers in series.items():
        known, used = found.highest.get(letters, 0), max(numbers, default=0)
        if used > known:
            says = live.beyond(letters, used, known)
            yield RULE.at(live.LEDGER, field.line, says)


_ROW: Final = "GAP-003 | P2 | M-1 | src/ | pytest | slow"
_ROWS: Final = f"## Debt & gap register\n\n{live.table(' | '.join(header.GAP_COLUMNS), _ROW)}"

RULE = Rule(
    id="LG216",
    name="highest-id-behind",
    why="The next entry takes an id that is used already.",
    fix=N_("Raise Highest ids to the highest id in use."),
    bad={live.LEDGER: f"## Status header\n\nHighest ids: GAP-002 | none\n\n{_ROWS}\n"},
    good={live.LEDGER: f"## Status header\n\nHighest ids: GAP-003 | none\n\n{_ROWS}\n"},
    check=check,
)
