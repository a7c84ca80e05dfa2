"""LG317: the Supervisor state says where the queue stands."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a state line without Highest ids or, where there is a supervisor, its last audit."""
    found = live.asked_directives(run)
    state = found.state if found else None
    if state is None:
        return
    audits = run.record is not None and run.record.spec.node("supervisor") is not None
    missing = ["Highest ids"] if state.highest is None else []
    missing += ["Audited through"] if audits and state.audited is None else []
    if missing:
        says = _("the Supervisor state does not say {fields}", fields=live.lacking(missing))
        yield RULE.at(live.DIRECTIVES, state.line, says)


RULE = Rule(
    id="LG317",
    name="supervisor-state",
    why="Ids come from this line alone, and the next audit begins where it says.",
    fix=N_("Write `Audited through: R<n> | Highest ids: D-nnn | S-nnn | OB-nnn`, or none."),
    bad=live.directives("Supervisor state", "Last tick: none | Audited through: R0"),
    good=live.directives(
        "Supervisor state", "Audited through: R0 | Highest ids: none | S-001 | none"
    ),
    check=check,
    fixable="The highest ids may be in the archive.",
)
