"""LG105: a file opens with the contract id of its kind."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import era
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import text


def check(run: Run) -> Iterator[Finding]:
    """Find files of this contract whose first line says something else."""
    if era.foreign(run):
        return
    for name, artifact in contract.ARTIFACTS.items():
        if name not in run.files:
            continue
        wanted = contract.contract_line(artifact)
        first = run.files[name].partition("\n")[0].removeprefix(text.BOM).rstrip("\r")
        if first != wanted:
            yield RULE.at(name, 1, _("the first line is not {wanted}", wanted=wanted))


RULE = Rule(
    id="LG105",
    name="contract-id",
    why="The first line tells every reader which rules the rest of the file keeps.",
    fix=N_("Put the contract id back as the file's first line."),
    bad={
        "executor.md": contract.contract_line("executor") + "\n",
        "ops.md": "# shop — longgraph Ops\n",
    },
    good={
        "executor.md": contract.contract_line("executor") + "\n",
        "ops.md": contract.contract_line("ops") + "\n\n# shop — longgraph Ops\n",
    },
    check=check,
    fixable="A file of another kind or contract may stand under this name.",
)
