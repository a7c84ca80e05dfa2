"""LG203: the Status header says everything that is decided by it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import header


def check(run: Run) -> Iterator[Finding]:
    """Find fields that are absent or empty, in one finding."""
    found = live.asked_ledger(run)
    if found is None or found.document.section(_TITLE) is None:
        return
    sweeps = run.record is not None and run.record.spec.pack.discovery_driven
    wanted = [name for name in header.FIELDS if sweeps or name != "Discovery tracker"]
    missing = [name for name in wanted if name not in found.fields or not found.fields[name].text]
    if missing:
        line = live.line_of(found.document, _TITLE)
        says = _("the Status header does not say {name}", name=live.lacking(missing))
        yield RULE.at(live.LEDGER, line, says)


_TITLE: Final = "Status header"

_ALL: Final = """\
Current milestone: M-1 limits hold | Round: 0 | Last round net lines: +0/-0
Next unclosed work item: the first slice
Last directive folded: none
Highest ids: none | none
Convergence tracker: rounds since last 5: **0** | net lines since last +400: **+0** \
| **next round converges: no**
Milestone gate: `n/a`
Run status: `active`"""

RULE = Rule(
    id="LG203",
    name="status-fields",
    why="What is missing is unknown, and nothing that hangs on it can be decided.",
    fix=N_("Add each field by the name that is given here; the rounds tell most values."),
    bad=live.ledger(_TITLE, _ALL.replace("Run status: `active`", "")),
    good=live.ledger(_TITLE, _ALL),
    check=check,
    fixable="The values are in no other file.",
)
