"""LG402: each row of the context index has an id of its own and points somewhere."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example, live
from loopgraph.check.ids import is_numbered
from loopgraph.check.ops_of import NAME, ops_of
from loopgraph.check.rule import Rule
from loopgraph.edges.ops import ContextRow
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find rows with a wrong or a second id, and rows with an empty cell."""
    found = ops_of(run)
    seen: set[str] = set()
    for row in (found and found.context) or ():
        if problem := _problem(row, seen):
            yield RULE.at(NAME, row.line, problem)
        seen.add(row.id or "")


def _problem(row: ContextRow, seen: set[str]) -> str:
    if not is_numbered(row.id, "C", width=2):
        found = row.id or _("nothing")
        return _("a context row needs an id such as C-01, not {found}", found=found)
    if row.id in seen:
        return _("{id} stands here twice", id=row.id)
    cells = {"Use when": row.use_when, "Read": row.read, "Verify": row.verify}
    empty = [title for title, cell in cells.items() if not cell]
    if empty:
        return _("{name} has nothing under {columns}", name=row.id, columns=live.series(empty))
    return ""


_HEAD = "## Context index\n\n| ID | Use when | Read | Verify |\n|---|---|---|---|\n"

RULE = Rule(
    id="LG402",
    name="context-row",
    why="Slices and directives cite rows by id; a node reads what the row points at and no more.",
    fix=N_("Give the row a free id, when to use it, what to read, and how to check it."),
    bad=example.ops(f"{_HEAD}| C-01 | editing limits | | pytest |"),
    good=example.ops(f"{_HEAD}| C-01 | editing limits | docs/limits.md | pytest |"),
    check=check,
    fixable="What the row should point at can't be told.",
)
