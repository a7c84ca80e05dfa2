"""The owner's brief: how much of an outcome a prompt carries."""

from __future__ import annotations

from typing import Final

from loopgraph.model import contract
from loopgraph.plain import quoting

_BYTES: Final = 4000
"""An outcome takes no more of a prompt than this, whatever its characters weigh."""
_LINES: Final = 40


def shorten(outcome: str) -> str:
    """The outcome as a prompt shows it: characters, bytes and lines are bounded."""
    text = "\n".join(outcome.split("\n")[:_LINES])[: contract.OUTCOME_SHOWN]
    while len(quoting.block(text).encode("utf-8")) > _BYTES:
        text = text[: len(text) * 9 // 10]
    return text
