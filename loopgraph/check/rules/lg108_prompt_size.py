"""LG108: a prompt is short enough to be read whole at every fire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import era
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _

_LIMITS: Final = (
    ("executor.md", contract.EXECUTOR_LIMIT),
    ("supervisor.md", contract.SUPERVISOR_LIMIT),
)


def check(run: Run) -> Iterator[Finding]:
    """Find prompts over their lines or bytes."""
    if era.foreign(run):
        return
    for name, (lines_cap, bytes_cap) in _LIMITS:
        source = run.files.get(name, "")
        lines = source.count("\n") + (not source.endswith("\n") and source != "")
        size = len(source.encode("utf-8", "surrogatepass"))
        if lines > lines_cap:
            says = _("{lines} lines, more than {cap}", lines=lines, cap=lines_cap)
            yield RULE.at(name, lines_cap + 1, says)
        elif size > bytes_cap:
            says = _("{size} bytes, more than {cap}", size=size, cap=bytes_cap)
            yield RULE.at(name, 0, says)


_HEAD = contract.contract_line("executor") + "\n"

RULE = Rule(
    id="LG108",
    name="prompt-size",
    why="Rules at the end of a long prompt are the first that a node forgets.",
    fix=N_("Compile the run again with a shorter goal or a leaner pack."),
    bad={"executor.md": _HEAD + "- one more rule\n" * contract.EXECUTOR_LIMIT[0]},
    good={"executor.md": _HEAD + "- one more rule\n" * (contract.EXECUTOR_LIMIT[0] - 1)},
    check=check,
    fixable="A prompt is frozen; only a compile changes it.",
)
