"""LG103: a run directory holds the files of the contract and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import era, example, files
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _

_KNOWN: Final = frozenset(
    (*files.AUTHORED, files.RECORD, files.HANDOFF, "archive/", "evidence/", "STOP")
)


def check(run: Run) -> Iterator[Finding]:
    """Find files and folders that no node knows."""
    if era.foreign(run):
        return
    folders = [name for name in run.others if name.endswith("/")]
    for name in (*run.files, *folders):
        top, slash, _rest = name.partition("/")
        if top + slash not in _KNOWN and not name.startswith("."):
            yield RULE.at(name, 0, _("{name} belongs to no node and no edge", name=name))


RULE = Rule(
    id="LG103",
    name="stranger",
    why="State in a file that no edge names is read by nobody, or by one node only.",
    fix=N_("Move what matters to the ledger, ops.md or evidence/, and delete the file."),
    bad={**example.record(), "notes.md": "The limit is 100 a minute.\n"},
    good=example.record(),
    check=check,
    level="warning",
    fixable="Only its author knows what the file is for.",
)
