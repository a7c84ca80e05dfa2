"""LG223: each decision card can be answered with one letter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import era, live
from loopgraph.check.rule import Rule
from loopgraph.edges.fields import Card
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import header


def check(run: Run) -> Iterator[Finding]:
    """Find columns that the cards lack, in one finding a file, and cards with a wrong value."""
    for name, _document, cards in live.cards(run):
        absent = [part for part in _TITLES if all(getattr(card, part) is None for card in cards)]
        if cards and absent and not era.foreign(run):
            columns = live.lacking(_TITLES[part] for part in absent)
            says = _("the cards have no column for {columns}", columns=columns)
            yield RULE.at(name, cards[0].line, says)
        for card in cards:
            if problem := _problem(card, absent):
                yield RULE.at(name, card.line, problem)


_TITLES: Final = dict(
    zip(("id", "decision", "recommended", "others", "why"), header.CARD_COLUMNS, strict=True)
)
"""The title of each column by the name of its value."""


def _problem(card: Card, absent: list[str]) -> str:
    if "id" not in absent and card.number is None:
        return _("a card needs an id such as OB-001, not {found}", found=card.id or _("nothing"))
    empty = [
        title for part, title in _TITLES.items() if part not in absent and not getattr(card, part)
    ]
    if empty:
        return _(
            "{name} has nothing under {columns}",
            name=card.id or _("a card"),
            columns=live.lacking(empty),
        )
    said = header.row_answer(card.why)
    if said and not card.chosen():
        return _(
            "{name} ends with `owner: {said}`, and only {letters} answers it",
            name=card.id or _("a card"),
            said=said,
            letters=live.listed(card.options()),
        )
    return ""


_HEAD: Final = " | ".join(header.CARD_COLUMNS)

RULE = Rule(
    id="LG223",
    name="card-row",
    why="The owner sees the card alone, and can't answer what it does not ask.",
    fix=N_("Fill the card: OB id, decision, A as recommended, others, why now (then the answer)."),
    bad=live.ledger(
        "owner-blocked", live.table(_HEAD, "OB-001 | Drop the column? | | B: keep it | M-2 waits")
    ),
    good=live.ledger(
        "owner-blocked",
        live.table(_HEAD, "OB-001 | Drop the column? | A: drop | B: keep it | M-2 waits"),
    ),
    check=check,
    fixable="What is asked of the owner can't be told.",
)
