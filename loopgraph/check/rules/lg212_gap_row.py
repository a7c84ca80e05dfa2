"""LG212: each debt row can be taken up by whoever reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.ledger import Gap
from loopgraph.edges.run import Run
from loopgraph.model import states
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import header


def check(run: Run) -> Iterator[Finding]:
    """Find columns that the register lacks, in one finding, and rows with a wrong value."""
    found = run.ledger()
    if found is None or not found.gaps:
        return
    absent = [name for name in _TITLES if all(getattr(row, name) is None for row in found.gaps)]
    if absent and live.asked_ledger(run):
        columns = live.lacking(_TITLES[name] for name in absent)
        says = _("the debt rows have no column for {columns}", columns=columns)
        yield RULE.at(live.LEDGER, found.gaps[0].line, says)
    for row in found.gaps:
        if problem := _problem(row, absent):
            yield RULE.at(live.LEDGER, row.line, problem)


_TITLES: Final = dict(
    zip(
        ("id", "priority", "milestone", "write_set", "verify", "text"),
        header.GAP_COLUMNS,
        strict=True,
    )
)
"""The title of each column by the name of its value."""


def _problem(row: Gap, absent: list[str]) -> str:
    if "id" not in absent and row.number is None:
        return _(
            "a debt row needs an id such as GAP-001, not {found}", found=row.id or _("nothing")
        )
    name = row.id or _("the row")
    if "priority" not in absent and row.priority not in states.PRIORITIES:
        return _(
            "{name} has priority {found}, not {words}",
            name=name,
            found=row.priority or _("none"),
            words=live.listed(states.PRIORITIES),
        )
    empty = [
        title for part, title in _TITLES.items() if part not in absent and not getattr(row, part)
    ]
    if empty:
        return _("{name} has nothing under {columns}", name=name, columns=live.lacking(empty))
    return ""


_HEAD: Final = " | ".join(header.GAP_COLUMNS)

RULE = Rule(
    id="LG212",
    name="gap-row",
    why="A row without write set and verify is no legal next item, so a blocked run stops.",
    fix=N_("Fill the row: id, P0 to P3, milestone, write set, verify, and the gap in one line."),
    bad=live.ledger(
        "Debt & gap register", live.table(_HEAD, "GAP-001 | high | M-1 | src/ | pytest | slow")
    ),
    good=live.ledger(
        "Debt & gap register", live.table(_HEAD, "GAP-001 | P2 | M-1 | src/ | pytest | slow")
    ),
    check=check,
    fixable="What the row should say can't be told.",
)
