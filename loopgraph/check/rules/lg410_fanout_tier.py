"""LG410: the fan-out tier is named exactly where the host has one."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example
from loopgraph.check.ops_of import NAME, line_of, ops_of, spec_of
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.contract import FANOUT_SECTION
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a section that is missing, or stands there without reason."""
    found, spec = ops_of(run), spec_of(run)
    if found is None or spec is None:
        return
    line = line_of(found, FANOUT_SECTION)
    if spec.fanout_tier and not line:
        yield RULE.at(NAME, 0, _("no Fan-out tier, though the host has one"))
    if line and not spec.fanout_tier:
        yield RULE.at(NAME, line, _("a Fan-out tier, though the host has none"))


_TIER = example.record("fanout_tier: ''", "fanout_tier: haiku")

RULE = Rule(
    id="LG410",
    name="fanout-tier",
    why="Read-only surveys would run on the dear model, or ask for one that isn't there.",
    fix=N_("Name the tier that run.yaml names, or take the section out."),
    bad={**_TIER, **example.ops("## Standards")},
    good={**_TIER, **example.ops("## Fan-out tier\n\nhaiku")},
    check=check,
    fixable="The section has more to say than the tier's name.",
)
