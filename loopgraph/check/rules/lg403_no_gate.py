"""LG403: ops.md names at least one gate."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example
from loopgraph.check.ops_of import NAME, line_of, ops_of, spec_of
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a Gates section without a row, unless the owner went on without any gate."""
    found, spec = ops_of(run), spec_of(run)
    if found is None or found.gates is None or found.gates:
        return
    if spec is None or spec.gates:
        yield RULE.at(NAME, line_of(found, "Gates"), _("no gate is named"))


RULE = Rule(
    id="LG403",
    name="no-gate",
    why="Without a gate nobody can tell done from undone.",
    fix=N_("Put the gates back from version control, or compile a run that has one."),
    bad=example.gates(),
    good=example.gates("| G-1 | tests | `pytest -q` | none | seconds | no | pyproject.toml:9 |"),
    check=check,
    fixable="Which command decides is the owner's to say.",
)
