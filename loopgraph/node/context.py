"""The context index of ops.md: what to read when, so that nobody scans the workspace."""

from __future__ import annotations

from loopgraph.edges.change import Change
from loopgraph.edges.run import Run
from loopgraph.model.errors import UsageError, nearest
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import draft as drafts
from loopgraph.node.call import OPS, Call
from loopgraph.plain import header

TITLE = "Context index"
COLUMNS = ("ID", "Use when", "Read", "Verify")
_OPTIONS = ("--use-when", "--read", "--verify")


def add(run: Run, call: Call, *, use_when: str, read: str, verify: str) -> Change:
    """Add a row; its id is one above the highest."""
    parts.writes(run, call, "ops", "context add")
    rows = parts.ops(run).context or ()
    numbers = [
        number for row in rows for kind, number, _ in header.ids(row.id or "") if kind == "C"
    ]
    id_ = f"C-{max(numbers, default=0) + 1:02}"
    said = zip((use_when, read, verify), _OPTIONS, strict=True)
    cells = [id_, *(parts.said(value, option) for value, option in said)]
    return drafts.begin(run).row(OPS, TITLE, COLUMNS, cells).say(_("{id} added.", id=id_)).change()


def replace(  # noqa: PLR0913  the cells of a row
    run: Run,
    call: Call,
    id_: str,
    *,
    use_when: str | None = None,
    read: str | None = None,
    verify: str | None = None,
) -> Change:
    """Replace cells of a row in place."""
    parts.writes(run, call, "ops", "context replace")
    rows = parts.ops(run).context or ()
    row = next((row for row in rows if row.id and header.same_id(id_, [row.id])), None)
    if row is None:
        known = [row.id for row in rows if row.id]
        fix = nearest(id_, known) if known else _("The index is empty.")
        raise UsageError(_("no such row in the context index"), where=id_, fix=fix)
    values = zip((use_when, read, verify), _OPTIONS, strict=True)
    cells = {
        place: parts.said(value, option)
        for place, (value, option) in enumerate(values, 1)
        if value is not None
    }
    if not cells:
        raise UsageError(
            _("nothing to replace"),
            where=id_,
            fix=_("Say {options}.", options=_(" or ").join(_OPTIONS)),
        )
    return (
        drafts.begin(run).cells(OPS, row.line, cells).say(_("{id} replaced.", id=row.id)).change()
    )
