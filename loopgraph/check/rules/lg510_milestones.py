"""LG510: a run has milestones, each with an id of its own and exit checks."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example, files
from loopgraph.check.ids import is_numbered
from loopgraph.check.record_lines import line_of
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a run without any, a wrong or second id, and a boundary that nothing decides."""
    if run.record is None:
        return
    steps = ["milestones:"]
    line = line_of(run, *steps)
    seen: set[str] = set()
    if not run.record.spec.milestones:
        yield RULE.at(files.RECORD, line, _("no milestone is named"))
    for milestone in run.record.spec.milestones:
        steps.append(f"id: {milestone.id}")
        at = line_of(run, *steps) or line
        if not is_numbered(milestone.id, "M"):
            says = _(
                "a milestone needs an id such as M-1, not {found}",
                found=milestone.id or _("nothing"),
            )
            yield RULE.at(files.RECORD, at, says)
        elif milestone.id in seen:
            yield RULE.at(files.RECORD, at, _("{id} stands here twice", id=milestone.id))
        if not milestone.exit_checks.strip():
            yield RULE.at(files.RECORD, at, _("{id} has no exit checks", id=milestone.id))
        seen.add(milestone.id)


RULE = Rule(
    id="LG510",
    name="milestones",
    why="Promotion names a milestone and runs its exit checks; both have to be there.",
    fix=N_("Restore run.yaml from version control, or compile a new run."),
    bad=example.record("exit_checks: G-1", "exit_checks: ''"),
    good=example.record(),
    check=check,
    fixable="What decides a milestone is the owner's to say.",
)
