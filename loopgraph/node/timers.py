"""The Timers table of ops.md: each node writes down its own timer, and no other's."""

from __future__ import annotations

from loopgraph.edges.change import Change
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.errors import UsageError
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import draft as drafts
from loopgraph.node.call import OPS, Call

_ID = 1


def change(run: Run, call: Call, timer: str, *, node: str | None = None) -> Change:
    """Write a node's timer id into its own cell."""
    whose = node or call.speaker.role
    if whose is None:
        raise UsageError(_("whose timer?"), where="timer set", fix=_("Say --as NODE."))
    parts.writes(run, call, f"timer:{whose}", "timer set")
    rows = parts.ops(run).timers
    if rows is None:
        raise UsageError(
            _("ops.md has no {timers_section} table", timers_section=contract.TIMERS_SECTION),
            where=OPS,
            fix=_("This host needs none."),
        )
    row = next((row for row in rows if row.node == whose), None)
    if row is None:
        raise UsageError(_("no such node in the table"), where=whose)
    said = parts.said(timer, _("the timer's id"))
    return (
        drafts.begin(run)
        .cells(OPS, row.line, {_ID: said})
        .say(_("{whose}: timer {said}", whose=whose, said=said))
        .change()
    )
