"""LG121: a code fence or a comment ends before the file does."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import files
from loopgraph.check.rule import Rule
from loopgraph.edges.blocks import unclosed
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import text


def check(run: Run) -> Iterator[Finding]:
    """Find files whose rest is swallowed by a block that nothing closes."""
    for name in files.AUTHORED:
        if found := unclosed(run.document(name)):
            says = (
                _("a code fence opens here and never closes")
                if found.kind == text.CODE
                else _("a comment opens here and never closes")
            )
            yield RULE.at(name, found.line, says)


RULE = Rule(
    id="LG121",
    name="unclosed-block",
    why="Every section below it is read as code, so the run looks as if it had none.",
    fix=N_("Close the block where it should end."),
    bad={"ledger.md": "## Status header\n\n```\nRun status: `active`\n\n## Rounds log\n"},
    good={"ledger.md": "## Status header\n\n```\nRun status: `active`\n```\n\n## Rounds log\n"},
    check=check,
    fixable="Where it should end can't be told.",
)
