"""LG209: each round of the log says what the next fire and the audit need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.ledger import Round
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


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
        names = live.series(f"R{entry.number}" for entry in entries)
        parts = live.lacking(_(part) for part in missing)
        says = _("{names} without {parts}", names=names, parts=parts)
        yield RULE.at(live.LEDGER, entries[0].line, says)
    for entry in found.rounds[:-1]:
        if entry.block:
            says = _("R{number} is a block; only the newest round may be one", number=entry.number)
            yield RULE.at(live.LEDGER, entry.line, says)
    for line in found.strays:
        yield RULE.at(live.LEDGER, line, _("this line of the log is no round"))


_PARTS: Final = (N_("a date"), N_("an item"), "`changed:`", "`verify:`", "`net +x/-y`", "`next:`")


def _missing(entry: Round) -> tuple[str, ...]:
    said = (entry.date, entry.item, entry.changed, entry.verify, entry.net, entry.next)
    return tuple(part for part, value in zip(_PARTS, said, strict=True) if not value)


RULE = Rule(
    id="LG209",
    name="round-shape",
    why="A round without its proof, its paths or its net lines can't be audited.",
    fix=N_("Write `- R<n> <date> | item | changed: … | verify: … | net +x/-y | next: …`."),
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
