"""LG509: the record says when the run was made, with an offset."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example, files
from loopgraph.check.record_lines import line_of
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import when


def check(run: Run) -> Iterator[Finding]:
    """Find a date that is none, or that has no offset."""
    if run.record is None or _is_moment(run.record.spec.created):
        return
    says = _("{text} is no moment with an offset", text=repr(run.record.spec.created))
    yield RULE.at(files.RECORD, line_of(run, "created:"), says)


def _is_moment(text: str) -> bool:
    if len(text) > len("2026-11-30T09:00:00") and text[-6] in "+-" and when.instant(text):
        return True
    from datetime import datetime  # noqa: PLC0415  only another form of a moment pays for it

    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


RULE = Rule(
    id="LG509",
    name="created",
    why="Without an offset the moment is another one on every machine.",
    fix=N_("Write it as 2026-11-30T09:00:00+00:00."),
    bad=example.record("T09:00:00+00:00", " morning"),
    good=example.record(),
    check=check,
    fixable="When the run was made stands nowhere else.",
)
