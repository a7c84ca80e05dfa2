"""LG229: slice and promotion cite rows that the context index has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find context ids of Current slice and Pending promotion that ops.md does not have."""
    found, ops = run.ledger(), run.ops()
    if found is None or ops is None or ops.context is None:
        return
    known = {row.id for row in ops.context}
    for part in (found.slice, found.promotion):
        field = part.context if part else None
        for id_ in dict.fromkeys(field.ids) if field else ():
            if field and id_.startswith("C-") and id_ not in known:
                says = _("{id} is not in the context index of ops.md", id=id_)
                yield RULE.at(live.LEDGER, field.line, says)


_OPS: Final = {"ops.md": f"## Context index\n\n{live.INDEX}\n"}

RULE = Rule(
    id="LG229",
    name="unknown-context",
    why="The next fire reads what the slice cites, and else searches the whole workspace.",
    fix=N_("Cite a row that is there, or add the row to ops.md first."),
    bad={**_OPS, **live.ledger("Current slice", "- Context: C-01, C-07")},
    good={**_OPS, **live.ledger("Current slice", "- Context: C-01")},
    check=check,
    fixable="Which row was meant can't be told.",
)
