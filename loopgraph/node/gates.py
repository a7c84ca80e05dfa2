"""The Gate scoreboard: one row for each thing that must be true at the end."""

from __future__ import annotations

from loopgraph.edges import edit
from loopgraph.edges.change import Change
from loopgraph.edges.ledger import GateRow, Ledger
from loopgraph.edges.run import Run
from loopgraph.model import states
from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import draft as drafts
from loopgraph.node import lane, rotate
from loopgraph.node.call import LEDGER, Call
from loopgraph.plain import header

TITLE = "Gate scoreboard"
COLUMNS = ("Gate", "Status", "Evidence / next action")


def change(run: Run, call: Call, gate: str, *, status: str, evidence: str) -> Change:
    """Set a row of the scoreboard, or add it; rows closed long ago move to the archive."""
    parts.writes(run, call, "ledger", "gate set")
    found = parts.ledger(run)
    name = parts.said(gate, _("the gate"))
    if status in states.GATE_STATES and status not in states.ROW_STATES:
        raise RefusedError(
            _(
                "{status} is said by the milestone gate alone, once an accept for it is folded",
                status=status,
            ),
            where=lane.place(found, "Milestone gate"),
            fix=_("loopgraph promote request M-n, then loopgraph directive fold D-nnn"),
        )
    parts.choice(status, states.ROW_STATES, "--status")
    told = parts.said(evidence, "--evidence")
    draft = drafts.begin(run)
    row = _row(found, name)
    if row is None:
        draft = draft.row(LEDGER, TITLE, COLUMNS, (name, status, told))
    else:
        document = draft.document(LEDGER)
        edit.table(document, LEDGER, edit.section(document, LEDGER, TITLE), COLUMNS)
        draft = draft.cells(LEDGER, row.line, {1: status, 2: told})
    draft = rotate.closed_rows(draft)
    return draft.say(f"{row.gate if row else name}: {status}").change()


def _row(found: Ledger, name: str) -> GateRow | None:
    """The row that is meant: by its whole name, else its beginning, else an id in it."""
    exact = [row for row in found.scoreboard if row.gate == name]
    wanted = name.casefold()
    names = [(row, (row.gate or "").casefold()) for row in found.scoreboard]
    close = (
        exact
        or [row for row, gate in names if _begins(gate, wanted)]
        or [row for row, gate in names if wanted in _ids(gate)]
    )
    if len(close) > 1:
        places = ", ".join(f"{LEDGER}:{row.line}" for row in close)
        raise UsageError(
            _("several rows begin so"), where=name, fix=_("Write one out: {places}", places=places)
        )
    return close[0] if close else None


def _begins(gate: str, wanted: str) -> bool:
    rest = gate.removeprefix(wanted)
    return rest != gate and not rest[:1].isalnum()


def _ids(gate: str) -> list[str]:
    return [
        written.casefold() for kind, _, written in header.ids(gate.upper()) if kind in ("G", "M")
    ]
