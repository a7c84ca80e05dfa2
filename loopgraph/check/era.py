"""Whose run this is: one that loopgraph compiled, or one that other people wrote."""

from __future__ import annotations

from loopgraph.edges.contract_id import is_ours
from loopgraph.edges.run import Run


def foreign(run: Run) -> bool:
    """Whether other people wrote this run: there is no record, and no file bears our contract.

    What such a run lacks is no finding, since its contract never asked for it.
    """
    return not is_ours(run.files, run.others)
