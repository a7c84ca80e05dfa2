"""LG106: a run that other tools or an older contract made is named once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import era, files, live
from loopgraph.check.rule import Rule
from loopgraph.edges.contract_id import contract_id
from loopgraph.edges.run import Run
from loopgraph.model import commands, contract
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import header


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
            yield RULE.at(name, 1, _with_lacks(run, says))
            return
    yield RULE.at(present[0], 1, _with_lacks(run, _("no file here bears a contract id")))


def _with_lacks(run: Run, says: str) -> str:
    """The finding with what a run of ours has and this one does not."""
    lacks = _("; ").join(_lacks(run))
    return _("{says}; it lacks {lacks}", says=says, lacks=lacks) if lacks else says


def _lacks(run: Run) -> Iterator[str]:
    wanted = (*files.wanted(run), files.RECORD)
    if absent := [name for name in wanted if not files.there(run, name)]:
        yield live.series(absent)
    for name, sections in _SECTIONS.items():
        document = run.document(name)
        titles = [title for title in sections if document and document.section(title) is None]
        ledger = run.ledger() if name == live.LEDGER else None
        if ledger and "Status header" not in titles:
            titles += [field for field in _FIELDS if field not in ledger.fields]
        if titles:
            yield _("{name}: {value}", name=name, value=live.series(titles))


_SECTIONS: Final = {
    live.LEDGER: contract.LEDGER_SECTIONS,
    live.DIRECTIVES: contract.DIRECTIVES_SECTIONS,
    "ops.md": contract.OPS_SECTIONS,
}
_FIELDS: Final = tuple(name for name in header.FIELDS if name != "Discovery tracker")


_LINE = f"Runtime contract: `{contract.NAMESPACE}.executor/"

RULE = Rule(
    id="LG106",
    name="other-contract",
    why="What it lacks its contract may never have asked for: no error, but nothing to count on.",
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
