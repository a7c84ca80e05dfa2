"""LG209: each round of the log says what the next fire and the audit need."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.ledger import Round
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding


def check(run: Run) -> Iterator[Finding]:
    """Find what rounds leave out, one finding for all rounds that lack the same."""
    found = live.asked_ledger(run)
    if found is None:
        return
    lacking: dict[tuple[str, ...], list[Round]] = {}
    for entry in found.rounds:
        under_way = entry.block and entry is found.rounds[-1]
        if not under_way and (missing := _missing(entry)):
            lacking.setdefault(missing, []).append(entry)
    for missing, entries in lacking.items():
        names = ", ".join(f"R{entry.number}" for entry in entries)
        says = f"{names} without {live.listed(missing)}"
        yield RULE.at(live.LEDGER, entries[0].line, says)
    for entry in found.rounds[:-1]:
        if entry.block:
            says = f"R{entry.number} is a block; only the newest round may be one"
            yield RULE.at(live.LEDGER, entry.line, says)
    for line in found.strays:
        yield RULE.at(live.LEDGER, line, "this line of the log is no round")


def _missing(entry: Round) -> tuple[str, ...]:
    said = {
        "a date": entry.date,
        "an item": entry.item,
        "`changed:`": entry.changed,
        "`verify:`": entry.verify,
        "`net +x/-y`": entry.net,
        "`next:`": entry.next,
    }
    return tuple(name for name, value in said.items() if not value)


RULE = Rule(
    id="LG209",
    name="round-shape",
    why="A round without its proof, its paths or its net lines can't be audited.",
    fix="Write `- R<n> <date> | item | changed: … | verify: … | net +x/-y | next: …`.",
    bad=live.ledger(
        "Rounds log", "- R1 2026-11-30 | a slice | changed: src/ | net +9/-0 | next: more"
    ),
    good=live.ledger(
        "Rounds log",
        "- R1 2026-11-30 | a slice | changed: src/ | verify: 12 passed | net +9/-0 | next: more",
    ),
    check=check,
    fixable="What the round did stands nowhere else.",
)
