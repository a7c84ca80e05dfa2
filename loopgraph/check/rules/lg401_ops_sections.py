"""LG401: ops.md has every section that nodes are sent to."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example
from loopgraph.check.ops_of import NAME, ops_of, spec_of
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find sections that are not there; those of discovery-driven runs only where the pack is."""
    found, spec = ops_of(run), spec_of(run)
    if found is None:
        return
    discovers = spec is not None and spec.pack.discovery_driven
    wanted = (*contract.OPS_SECTIONS, *(contract.DISCOVERY_SECTIONS if discovers else ()))
    for title in wanted:
        if found.document.section(title) is None:
            yield RULE.at(NAME, 0, _("no section {titles}", titles=title))


_ALL = "\n\n".join(f"## {title}" for title in contract.OPS_SECTIONS)

RULE = Rule(
    id="LG401",
    name="ops-sections",
    why="Prompts cite these sections, and a node that finds none decides by itself.",
    fix=N_("Put the section back from version control."),
    bad=example.ops(_ALL.replace("## Data policy\n\n", "")),
    good=example.ops(_ALL),
    check=check,
    fixable="What the section said can't be guessed.",
)
