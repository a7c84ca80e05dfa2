"""Findings of the scout: leads with a place and a way to see them."""

from __future__ import annotations

from loopgraph.edges import edit
from loopgraph.edges.change import Change
from loopgraph.edges.run import Run
from loopgraph.model.errors import RefusedError
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import draft as drafts
from loopgraph.node.call import FINDINGS, Call
from loopgraph.plain import header

TITLE = "Findings"
COLUMNS = ("ID", "Where", "What", "How to reproduce", "Seen")


def add(run: Run, call: Call, *, where: str, what: str, reproduce: str) -> Change:
    """Write a lead down; its id is one above the highest."""
    parts.writes(run, call, "findings", "finding add")
    draft = drafts.begin(run)
    document = draft.document(FINDINGS)
    rows = edit.table(document, FINDINGS, edit.section(document, FINDINGS, TITLE), COLUMNS).rows
    cap = parts.knob(run, "GAP_CAP")
    if len(rows) >= cap:
        raise RefusedError(
            _("{count} findings are live; GAP_CAP is {cap}", count=len(rows), cap=cap),
            where=f"{FINDINGS}:{rows[0].line}",
            fix=_("Take out what the ledger has registered or closed."),
        )
    numbers = [n for row in rows for kind, n, _ in header.ids(row.cells[0]) if kind == "F"]
    id_ = drafts.name("F", max(numbers, default=0) + 1)
    cells = (
        id_,
        parts.said(where, "--where"),
        parts.said(what, "--what"),
        parts.said(reproduce, "--reproduce"),
        call.day,
    )
    return draft.row(FINDINGS, TITLE, COLUMNS, cells).say(_("{id} written down.", id=id_)).change()
