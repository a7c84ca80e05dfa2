"""LG116: the compiler's record lies beside the files it made."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import era, example, files
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a run of this contract without run.yaml."""
    if not era.foreign(run) and not files.there(run, files.RECORD):
        yield RULE.at(files.RECORD, 0, _("{name} is missing", name=files.RECORD))


_PROMPT = {"executor.md": example.prompt("Do what the ledger says.")}

RULE = Rule(
    id="LG116",
    name="no-record",
    why="Without it nobody can tell knobs, answers and frozen parts from later inventions.",
    fix=N_("Restore run.yaml from version control."),
    bad=_PROMPT,
    good={**_PROMPT, **example.record()},
    check=check,
    fixable="The owner's answers stand nowhere else.",
)
