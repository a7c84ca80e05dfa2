"""Whose run this is: one that loopgraph compiled, or one that other people wrote."""

from __future__ import annotations

from typing import Final, NamedTuple

from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.plain import text

_OPENING: Final = f"Runtime contract: `{contract.NAMESPACE}."
_RECORD: Final = "run.yaml"


class ContractId(NamedTuple):
    """The contract id on the first line of a file."""

    artifact: str
    version: str
    """`v6` and the like."""


def contract_id(source: str) -> ContractId | None:
    """The contract id that a file opens with, of whatever version; None where it has none."""
    line = source.partition("\n")[0].removeprefix(text.BOM).strip()
    if not line.startswith(_OPENING) or not line.endswith("`"):
        return None
    artifact, _, version = line[len(_OPENING) : -1].partition("/")
    return ContractId(artifact, version)


def foreign(run: Run) -> bool:
    """Whether other people wrote this run: there is no record, and no file bears our contract.

    What such a run lacks is no finding, since its contract never asked for it.
    """
    if _RECORD in run.files or _RECORD in run.others:
        return False
    return not any(
        found.version == contract.VERSION
        for name in contract.ARTIFACTS
        if (found := contract_id(run.files.get(name, "")))
    )
