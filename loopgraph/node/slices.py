"""The Current slice: what is done now, where, and how it is proved."""

from __future__ import annotations

from collections.abc import Mapping

from loopgraph.edges.change import Change
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import draft as drafts
from loopgraph.node import lane
from loopgraph.node.call import LEDGER, Call
from loopgraph.node.rounds import SLICE
from loopgraph.plain import header, law, quoting

OPTIONS: Mapping[str, str] = {
    "Item": "--item",
    "Write set": "--write-set",
    "Context": "--context",
    "Verify": "--verify",
    "Done when": "--done-when",
}


def change(run: Run, call: Call, values: Mapping[str, str | None]) -> Change:
    """Set fields of the slice by their names; the others stay."""
    parts.writes(run, call, "ledger", "slice set")
    found = parts.ledger(run)
    given = {name: said for name, said in values.items() if said is not None}
    if not given:
        raise UsageError(
            _("nothing to set"),
            where="slice set",
            fix=_("Say {names}.", names=_(" or ").join(OPTIONS.values())),
        )
    draft = drafts.begin(run)
    for name, said in given.items():
        text = quoting.inline(parts.said(said, OPTIONS[name]))
        draft = draft.entry(LEDGER, SLICE, header.SLICE, name, text)
    if "Write set" in given:
        lane.off_audit(run, found, law.write_set(given["Write set"]), where="--write-set")
    if "Context" in given:
        _known(run, given["Context"])
    if "Item" in given:
        draft = draft.status("Next unclosed work item", quoting.inline(given["Item"].strip()))
    now = draft.ledger.slice
    if now and now.lines > contract.SLICE_LINES:
        raise RefusedError(
            _(
                "the slice would have {lines} lines; {slice_lines} are allowed",
                lines=now.lines,
                slice_lines=contract.SLICE_LINES,
            ),
            where=f"{LEDGER}:{now.line}",
            fix=_("Keep its five fields, and move the rest to ops.md."),
        )
    return draft.say(f"Slice: {now.item.text if now and now.item else '?'}").change()


def _known(run: Run, context: str) -> None:
    ops = parts.ops(run)
    rows = {row.id for row in ops.context or ()}
    for kind, _number, written in header.ids(context):
        if kind == "C" and ops.context is not None and written not in rows:
            raise UsageError(
                _("no such row in the context index"),
                where=f"--context {written}",
                fix=_("Add it: loopgraph context add"),
            )
