"""LG106: a run that other tools or an older contract made is named once."""

from __future__ import annotations

from collections.abc import Iterator

from loopgraph.check import era
from loopgraph.check.rule import Rule
from loopgraph.edges.contract_id import contract_id
from loopgraph.edges.run import Run
from loopgraph.model import commands, contract
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find a run whose files bear no contract id, or another version's."""
    present = [name for name in contract.ARTIFACTS if name in run.files]
    if not present or not era.foreign(run):
        return
    for name in present:
        if found := contract_id(run.files[name]):
            says = _(
                "written for contract {found}, read here as {ours}",
                found=found.version,
                ours=contract.VERSION,
            )
            yield RULE.at(name, 1, says)
            return
    yield RULE.at(present[0], 1, _("no file here bears a contract id"))


_LINE = f"Runtime contract: `{contract.NAMESPACE}.executor/"

RULE = Rule(
    id="LG106",
    name="other-contract",
    why="What this run lacks is not reported, since its contract may never have asked for it.",
    fix=(
        N_("Bring it to this contract with `loopgraph adopt`.")
        if "adopt" in commands.NAMES
        else N_("Let it end as it is, and compile a new run for what is left.")
    ),
    bad={"executor.md": f"{_LINE}v1`\n"},
    good={"executor.md": f"{_LINE}{contract.VERSION}`\n"},
    check=check,
    level="warning",
    fixable="An older run lacks answers that only its owner has.",
)
