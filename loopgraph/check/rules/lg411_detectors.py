"""LG411: a discovery-driven run has detectors, and each says what it cannot see."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example
from loopgraph.check.ops_of import NAME, line_of, ops_of, spec_of
from loopgraph.check.rule import Rule
from loopgraph.edges.ops import DetectorRow
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a table without a row, and rows without a command or a blind spot."""
    found, spec = ops_of(run), spec_of(run)
    if found is None or found.detectors is None or spec is None or not spec.pack.discovery_driven:
        return
    if spec.detectors and not found.detectors:
        yield RULE.at(NAME, line_of(found, "Detectors"), _("no detector is named"))
    for row in found.detectors:
        if says := _lacking(row):
            yield RULE.at(NAME, row.line, _(says, name=row.name or _("here")))


def _lacking(row: DetectorRow) -> str:
    """What is said of a row that lacks a cell; empty of one that lacks none."""
    command, blind_spot = (
        bool(cell and cell.strip("` ")) for cell in (row.command, row.blind_spot)
    )
    if not command and not blind_spot:
        return N_("the detector {name} has no command and no blind spot")
    if not command:
        return N_("the detector {name} has no command")
    return "" if blind_spot else N_("the detector {name} has no blind spot")


_DRIVEN = example.record("discovery_driven: false", "discovery_driven: true")
_HEAD = "## Detectors\n\n| Detector | Command | Blind spot | Baseline |\n|---|---|---|---|\n"

RULE = Rule(
    id="LG411",
    name="detectors",
    why="What no detector can see is taken for clean, and the run ends too early.",
    fix=N_(
        "Name the command and what it can't see, such as names that are only built at run time."
    ),
    bad={
        **_DRIVEN,
        **example.ops(f"{_HEAD}| vulture | `vulture src` | | unmeasured |"),
    },
    good={
        **_DRIVEN,
        **example.ops(f"{_HEAD}| vulture | `vulture src` | names in templates | unmeasured |"),
    },
    check=check,
    fixable="What a tool can't see has to be known.",
)
