"""LG316: corrections cite rows that the context index has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find context ids of packets that ops.md does not have."""
    found, ops = run.directives(), run.ops()
    if found is None or ops is None or ops.context is None:
        return
    known = {row.id for row in ops.context}
    for packet in found.corrections:
        field = packet.fields.get("Context")
        for id_ in dict.fromkeys(field.ids) if field else ():
            if field and id_.startswith("C-") and id_ not in known:
                says = _(
                    "{id} cites {row}, which is not in the context index of ops.md",
                    id=packet.id,
                    row=id_,
                )
                yield RULE.at(live.DIRECTIVES, field.line, says)


_OPS: Final = {"ops.md": f"## Context index\n\n{live.INDEX}\n"}

RULE = Rule(
    id="LG316",
    name="packet-context",
    why="The executor reads what a packet cites, and else searches the whole workspace.",
    fix=N_("Cite a row that is there; the executor adds rows to ops.md."),
    bad={**_OPS, **live.directives("Corrections", live.PACKET.replace("C-01", "C-07"))},
    good={**_OPS, **live.directives("Corrections", live.PACKET)},
    check=check,
    fixable="Which row was meant can't be told.",
)
