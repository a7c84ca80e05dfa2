"""Results of gates: what `gate run` writes below evidence/, and what an accept asks of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from loopgraph.plain import header, jsontext

FOLDER: Final = "gates"
"""Below evidence/."""


class Result(NamedTuple):
    """One run of one gate, or one observation."""

    check: str
    """`G-1`, or the words of an exit check."""
    node: str
    """Who ran it."""
    time: str
    """RFC 3339."""
    passed: bool
    tree: str
    """The tree it ran on."""
    evidence: str
    """In a few words: the exit code and where the output is, or what was observed."""


def checks(said: str) -> tuple[str, ...]:
    """The exit checks of a milestone: its gates by id, else each of its parts."""
    gates = [written for kind, _, written in header.ids(said) if kind == "G"]
    if gates:
        return tuple(dict.fromkeys(gates))
    parts = [part.strip() for part in said.replace("；", ";").split(";")]
    return tuple(part for part in parts if part)


def newest(gathered: Iterable[Result], check: str, nodes: tuple[str, ...]) -> Result | None:
    """The last result of a check that one of these nodes recorded."""
    found = [one for one in gathered if one.check == check and one.node in nodes]
    return max(found, key=lambda one: one.time, default=None)


def read(source: str) -> Result | None:
    """A result from its file; None where it is none."""
    try:
        found = jsontext.loads(source)
    except ValueError:
        return None
    if not isinstance(found, dict):
        return None
    words = [found.get(name) for name in ("check", "node", "time", "tree", "evidence")]
    if not all(isinstance(word, str) for word in words):
        return None
    check, node, time, tree, evidence = (str(word) for word in words)
    return Result(check, node, time, found.get("passed") is True, tree, evidence)
