"""Whose run this is: one that loopgraph compiled, or one that other people wrote."""

from __future__ import annotations

from typing import Final

from loopgraph.edges.contract_id import contract_id
from loopgraph.edges.run import Run
from loopgraph.model import contract

_RECORD: Final = "run.yaml"


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
