"""LG506: the North Star has an outcome, and a proof that decides."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example, files
from loopgraph.check.record_lines import line_of
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _

_FIELDS = ("outcome", "proof")


def check(run: Run) -> Iterator[Finding]:
    """Find a record that was refused for an empty outcome or proof."""
    for field in _FIELDS:
        if run.record_problem.startswith(f"north_star.{field}"):
            line = line_of(run, "north_star:", f"{field}:")
            says = _("the North Star has no {key}", key=field)
            yield RULE.at(files.RECORD, line, says)


RULE = Rule(
    id="LG506",
    name="north-star",
    why="Without an outcome and a proof, done is whatever the executor says it is.",
    fix=N_("Restore run.yaml from version control, or compile a run that names what decides."),
    bad=example.record("proof: pytest tests/test_limits.py", "proof: ''"),
    good=example.record(),
    check=check,
    fixable="What decides is the owner's to say.",
)
