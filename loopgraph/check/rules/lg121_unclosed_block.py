"""LG121: a code fence or a comment ends before the file does."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import files
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.plain import text


def check(run: Run) -> Iterator[Finding]:
    """Find files whose rest is swallowed by a block that nothing closes."""
    for name in files.AUTHORED:
        document = run.document(name)
        if document is None or document.kinds[-1:] in ((), (text.TEXT,)):
            continue
        *kinds, after = text.kinds([*document.lines, "\n", "end\n"])
        if after != text.TEXT:
            block = "code fence" if after == text.CODE else "comment"
            yield RULE.at(name, _opening(kinds), f"a {block} opens here and never closes")


def _opening(kinds: list[int]) -> int:
    """The line where the last block begins, from 1."""
    line = len(kinds)
    while line > 1 and kinds[line - 2] == kinds[-1]:
        line -= 1
    return line


RULE = Rule(
    id="LG121",
    name="unclosed-block",
    why="Every section below it is read as code, so the run looks as if it had none.",
    fix="Close the block where it should end.",
    bad={"ledger.md": "## Status header\n\n```\nRun status: `active`\n\n## Rounds log\n"},
    good={"ledger.md": "## Status header\n\n```\nRun status: `active`\n```\n\n## Rounds log\n"},
    check=check,
    fixable="Where it should end can't be told.",
)
