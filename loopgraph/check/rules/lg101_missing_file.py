"""LG101: every file that the run's graph asks for is there."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import era, example, files
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.contract import contract_line
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find files that a node would look for in vain."""
    if era.foreign(run):
        return
    for name in files.wanted(run):
        if not files.there(run, name):
            yield RULE.at(name, 0, _("{name} is missing", name=name))


_REST = {
    name: contract_line(name.removesuffix(".md")) + "\n"
    for name in ("executor.md", "supervisor.md", "ledger.md", "ops.md")
}

RULE = Rule(
    id="LG101",
    name="missing-file",
    why="A node that finds an edge or a prompt missing works from memory, or not at all.",
    fix=N_("Restore the file from version control, or compile the run again from run.yaml."),
    bad={**example.record(), **_REST},
    good={
        **example.record(),
        **_REST,
        "directives.md": contract_line("directives") + "\n",
    },
    check=check,
    fixable="What the file said can't be guessed.",
)
