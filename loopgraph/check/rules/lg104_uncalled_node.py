"""LG104: a run holds no prompt or edge of a node that it does not have."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example, files
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find files of nodes that the record leaves out."""
    if run.record is None:
        return
    wanted = files.wanted(run)
    for name in files.AUTHORED:
        if name not in wanted and files.there(run, name):
            says = _("{name} is here, but run.yaml has no such node", name=name)
            yield RULE.at(name, 0, says)


RULE = Rule(
    id="LG104",
    name="uncalled-node",
    why="An edge would get a second writer that the graph knows nothing about.",
    fix=N_("Delete the file, or compile a new run that has this node."),
    bad={**example.record(), "scout.md": example.prompt("Look for dead code.", name="scout")},
    good=example.record(),
    check=check,
    fixable="Whether the node or the record is right is the owner's to say.",
)
