"""LG404: each gate has an id of its own, and a command or an observation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import example
from loopgraph.check.ids import is_numbered
from loopgraph.check.ops_of import NAME, ops_of
from loopgraph.check.rule import Rule
from loopgraph.edges.ops import GateRow
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _

_EMPTY: Final = ("", "``", "none", "-", "—")


def check(run: Run) -> Iterator[Finding]:
    """Find gates with a wrong or a second id, without a command, or batched neither yes nor no."""
    found = ops_of(run)
    seen: set[str] = set()
    for row in (found and found.gates) or ():
        if problem := _problem(row, seen):
            yield RULE.at(NAME, row.line, problem)
        seen.add(row.id or "")


def _problem(row: GateRow, seen: set[str]) -> str:
    if not is_numbered(row.id, "G"):
        return _("a gate needs an id such as G-1, not {found}", found=row.id or _("nothing"))
    if row.id in seen:
        return _("{id} stands here twice", id=row.id)
    if row.command is None or row.command.strip().casefold() in _EMPTY:
        return _("{id} has neither a command nor an observation", id=row.id)
    return ""


RULE = Rule(
    id="LG404",
    name="gate-row",
    why="Rounds, scoreboard and exit checks name gates by id and run what the row says.",
    fix=N_("Restore the row from version control."),
    bad=example.gates("| G-1 | tests | | none | seconds | no | owner |"),
    good=example.gates("| G-1 | tests | `pytest` | none | seconds | no | owner |"),
    check=check,
    fixable="Which command decides is the owner's to say.",
)
