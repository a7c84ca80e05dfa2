"""LG208: the log keeps no more rounds than KEEP_ROUNDS."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find the first round that should have moved to the archive."""
    found, keep = run.ledger(), live.limit(run, "KEEP_ROUNDS")
    if found is None or keep is None or len(found.rounds) <= keep:
        return
    count = len(found.rounds)
    says = _("{count} rounds are live; KEEP_ROUNDS is {cap}", count=count, cap=keep)
    yield RULE.at(live.LEDGER, found.rounds[0].line, says)


_ROUNDS: Final = [
    f"- R{number} 2026-11-30 | a slice | changed: src/ | verify: pass | net +1/-0 | next: more"
    for number in range(1, 7)
]

RULE = Rule(
    id="LG208",
    name="rounds-kept",
    why="Every fire reads the whole log, so it grows until a host cuts the newest rounds off.",
    fix=N_("Move the oldest rounds verbatim to archive/rounds.md, archive first."),
    bad=live.ledger("Rounds log", "\n".join(_ROUNDS)),
    good=live.ledger("Rounds log", "\n".join(_ROUNDS[1:])),
    check=check,
)
