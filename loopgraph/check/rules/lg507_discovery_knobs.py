"""LG507: a discovery-driven run has an output floor and a yield floor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import example, files
from loopgraph.check.record_lines import line_of
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _

_FLOORS: Final = ("FIRE_OUTPUT_FLOOR", "YIELD_FLOOR")


def check(run: Run) -> Iterator[Finding]:
    """Find discovery-driven runs without one of their two floors."""
    if run.record is None or not run.record.spec.pack.discovery_driven:
        return
    for name in _FLOORS:
        if run.record.spec.knob(name) is None:
            says = _("a discovery-driven run without {knob}", knob=name)
            yield RULE.at(files.RECORD, line_of(run, "knobs:"), says)


_FLOOR = "  YIELD_FLOOR: {value: 3, source: default}\n"
_OUTPUT = "  FIRE_OUTPUT_FLOOR: {value: three verified candidates, source: pack}\n"
_BAD = example.RECORD.replace("discovery_driven: false", "discovery_driven: true").replace(
    "knobs:\n", "knobs:\n" + _FLOOR
)

RULE = Rule(
    id="LG507",
    name="discovery-knobs",
    why="The floors are what ends its fires and the run; without them it ends at an empty queue.",
    fix=N_("Compile a new run; the pack or an answer has to set both."),
    bad={files.RECORD: _BAD},
    good={files.RECORD: _BAD.replace(_FLOOR, _OUTPUT + _FLOOR)},
    check=check,
    fixable="What a fire must land is the owner's to say.",
)
