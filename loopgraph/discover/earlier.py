"""Runs that already live in this workspace, each with its status."""

from __future__ import annotations

from loopgraph.model.facts import EarlierRun
from loopgraph.plain import header


def read(slug: str, ledger: str | None) -> EarlierRun:
    """One run by its name and the text of its ledger; an absent one says nothing."""
    if ledger is None:
        return EarlierRun(slug, "")
    fields, *_ = header.ledger(ledger)
    _, said = fields.get("Run status", (0, ""))
    return EarlierRun(slug, header.word(said) if said else "")
