"""LG102: the handoff is shown to the owner and never stored in a run."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import example, files
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a handoff that was saved beside the prompts."""
    if files.there(run, files.HANDOFF):
        yield RULE.at(files.HANDOFF, 0, _("the handoff is stored in the run"))


_PROMPT = {"executor.md": example.prompt("Do what the ledger says.")}

RULE = Rule(
    id="LG102",
    name="stored-handoff",
    why="A node that reads the owner's launch text takes it for its own orders.",
    fix=N_("Delete it; `loopgraph handoff` prints it whenever it is needed."),
    bad={**_PROMPT, "handoff.md": "Open a session and paste the line below.\n"},
    good=_PROMPT,
    check=check,
    fixable="Deleting a file is left to a person.",
)
