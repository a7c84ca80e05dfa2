"""LG505: a run has a supervisor where its pack requires one."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example, files
from loopgraph.check.record_lines import line_of
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a pack that requires a supervisor in a run that has none."""
    if run.record is None:
        return
    pack = run.record.spec.pack
    if pack.supervisor_required and run.record.spec.node("supervisor") is None:
        says = _("the pack {pack} requires a supervisor, and this run has none", pack=pack.name)
        yield RULE.at(files.RECORD, line_of(run, "nodes:"), says)


_NODE = "- {role: supervisor, host: shell, client: agent, interval: 30m}\n"

RULE = Rule(
    id="LG505",
    name="supervisor-required",
    why="The pack's proof rests on an audit from another context, and nobody would make it.",
    fix=N_("Compile a new run with a supervisor, or choose a pack that does without."),
    bad=example.record(_NODE),
    good=example.record(),
    check=check,
    fixable="A node comes into a run by a compile alone.",
)
