"""The owner's brief: how much of an outcome a prompt carries."""

from __future__ import annotations

from typing import Final

from loopgraph.model import contract
from loopgraph.plain import quoting

_LINES: Final = 40


def shorten(outcome: str, room: int) -> str:
    """The outcome as a prompt shows it, in at most `room` bytes.

    Whole where it can be; else its beginning: at most contract.OUTCOME_SHOWN characters and
    a screenful of lines. What is left out stands in ops.md.
    """
    text = "\n".join(outcome.split("\n")[:_LINES])[: contract.OUTCOME_SHOWN]
    while text and _size(text) > room:
        text = text[: len(text) * 9 // 10]
    return text


def _size(text: str) -> int:
    return len(quoting.block(text).encode("utf-8", "surrogatepass"))
