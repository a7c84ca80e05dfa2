"""Blocks that nothing closes: they swallow the rest of a file."""

from __future__ import annotations

from typing import NamedTuple

from loopgraph.edges.document import Document
from loopgraph.plain import text


class Block(NamedTuple):
    """A code fence or a comment that is still open where the file ends."""

    kind: int
    """text.CODE or text.COMMENT."""
    line: int
    """Where it begins, from 1."""


def unclosed(document: Document | None) -> Block | None:
    """The block that a further line of the file would belong to."""
    if document is None or document.kinds[-1:] in ((), (text.TEXT,)):
        return None
    *kinds, kind = text.kinds([*document.lines, "\n", "end\n"])
    if kind == text.TEXT:
        return None
    line = len(kinds)
    while line > 1 and kinds[line - 2] == kind:
        line -= 1
    return Block(kind, line)
