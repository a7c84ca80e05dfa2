"""LG501: the record's nodes make a lawful graph."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example, files
from loopgraph.check.record_lines import line_of
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.errors import LoopgraphError
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a run without an executor, with two nodes of a role, or with a broken law of edges."""
    if run.record is None:
        return
    spec, line = run.record.spec, line_of(run, "nodes:")
    roles = [node.role for node in spec.nodes]
    if "executor" not in roles:
        yield RULE.at(files.RECORD, line, _("no executor among the nodes"))
    for role in sorted({role for role in roles if roles.count(role) > 1}):
        says = _("{count} nodes are {role}", count=roles.count(role), role=role)
        yield RULE.at(files.RECORD, line, says)
    if bool(spec.scout) != ("scout" in roles):
        says = _("a scout needs a brief, and a brief needs a scout")
        yield RULE.at(files.RECORD, line, says)
    try:
        spec.graph()
    except LoopgraphError as error:
        yield RULE.at(files.RECORD, line, str(error))


_SECOND = "- {role: supervisor, host: shell, client: agent, interval: 30m}\n"

RULE = Rule(
    id="LG501",
    name="graph-law",
    why="Two writers on one edge overwrite each other; a reader without a writer waits forever.",
    fix=N_("Restore run.yaml from version control; a node is added or taken out by a new compile."),
    bad=example.record(_SECOND, _SECOND * 2),
    good=example.record(),
    check=check,
    fixable="The graph is settled when a run is compiled.",
)
