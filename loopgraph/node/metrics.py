"""The Metric snapshot of a metric-driven run: what was measured, against a target that stays."""

from __future__ import annotations

from loopgraph.edges import edit
from loopgraph.edges.change import Change
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.errors import RefusedError
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import draft as drafts
from loopgraph.node.call import LEDGER, Call
from loopgraph.plain import header

COLUMNS = ("Metric", "Baseline", "Now", "Target", "Evidence")
_BASELINE, _NOW, _TARGET, _EVIDENCE = 1, 2, 3, 4


def change(  # noqa: PLR0913  the cells of a row
    run: Run,
    call: Call,
    metric: str,
    *,
    now: str,
    evidence: str,
    baseline: str | None = None,
    target: str | None = None,
) -> Change:
    """Set what was measured; a new metric needs its baseline and its target, which then stay."""
    parts.writes(run, call, "ledger", "metric set")
    found = parts.ledger(run)
    name = parts.said(metric, _("the metric"))
    measured, shown = parts.said(now, "--now"), parts.said(evidence, "--evidence")
    draft = drafts.begin(run)
    document = draft.document(LEDGER)
    edit.table(document, LEDGER, edit.section(document, LEDGER, contract.METRIC_SECTION), COLUMNS)
    row = next((row for row in found.metrics if row.cells[:1] == (name,)), None)
    if row is None:
        cap = parts.knob(run, "METRIC_CAP")
        if len(found.metrics) >= cap:
            raise RefusedError(
                _(
                    "{value} metrics are live; METRIC_CAP is {cap}",
                    value=len(found.metrics),
                    cap=cap,
                ),
                where=f"{LEDGER}:{found.metrics[0].line}",
                fix=_("Measure what the North Star names, and nothing beside it."),
            )
        first = parts.said(baseline or now, "--baseline")
        cells = (name, first, measured, parts.said(target or "", "--target"), shown)
        return (
            draft.row(LEDGER, contract.METRIC_SECTION, COLUMNS, cells)
            .say(f"{name}: {measured}")
            .change()
        )
    cells_at = {_NOW: measured, _EVIDENCE: shown}
    for option, place, said in (("--baseline", _BASELINE, baseline), ("--target", _TARGET, target)):
        old = row.cells[place] if place < len(row.cells) else ""
        if said is None or said.strip() == old:
            continue
        if not header.is_none(old):
            raise RefusedError(
                _("{name} has {old} there, and it stays", name=name, old=repr(old)),
                where=option,
                fix=_("Only the owner moves a bar."),
            )
        cells_at[place] = parts.said(said, option)
    return draft.cells(LEDGER, row.line, cells_at).say(f"{name}: {measured}").change()
