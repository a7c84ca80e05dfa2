"""LG412: a discovery-driven run names the areas that its sweeps go through."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example
from loopgraph.check.ops_of import NAME, line_of, ops_of, spec_of
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _

_TITLE = "Rotation areas"


def check(run: Run) -> Iterator[Finding]:
    """Find a Rotation areas section that lists none."""
    found, spec = ops_of(run), spec_of(run)
    if found is None or spec is None or not spec.pack.discovery_driven:
        return
    if found.areas == ():
        yield RULE.at(NAME, line_of(found, _TITLE), _("no rotation area is named"))


_DRIVEN = example.record("discovery_driven: false", "discovery_driven: true")

RULE = Rule(
    id="LG412",
    name="rotation-areas",
    why="A sweep without areas never gets round, so its yield means nothing.",
    fix=N_("List the folders that a full sweep covers, one a line."),
    bad={**_DRIVEN, **example.ops(f"## {_TITLE}\n\nAll of it.")},
    good={**_DRIVEN, **example.ops(f"## {_TITLE}\n\n1. `src`\n2. `lib`")},
    check=check,
    fixable="How the code is cut into areas is the node's to judge.",
)
