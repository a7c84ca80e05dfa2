"""Results of gates: what `gate run` writes below evidence/, and what an accept asks of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from loopgraph.plain import header, jsontext, when

FOLDER: Final = "gates"
"""Below evidence/."""


class Result(NamedTuple):
    """One run of one gate, or one observation."""

    check: str
    """`G-1`, or `M-2.1`."""
    node: str
    """Who ran it."""
    time: str
    """RFC 3339."""
    passed: bool
    tree: str
    """The tree it ran on."""
    evidence: str
    """In a few words: the exit code and where the output is, or what was observed."""


class Check(NamedTuple):
    """One thing that an exit check asks for."""

    id: str
    """A gate's, `G-1`; else the milestone's with its place, `M-2.1`: to be observed."""
    says: str
    exits: bool = True
    """An exit check of the milestone; else a gate that its audit surface names."""


def checks(milestone: str, said: str) -> tuple[Check, ...]:
    """The exit checks of a milestone: gates by their ids, every other part by its place."""
    found: list[Check] = []
    parts = [part.strip() for part in said.replace("；", ";").split(";")]
    for place, part in enumerate(filter(None, parts), 1):
        gates = [written for kind, _, written in header.ids(part) if kind == "G"]
        found += [Check(gate, part) for gate in gates] or [Check(f"{milestone}.{place}", part)]
    return tuple({check.id: check for check in found}.values())


def newest(gathered: Iterable[Result], check: str, nodes: tuple[str, ...]) -> Result | None:
    """The last result of a check that one of these nodes recorded."""
    return last((one for one in gathered if one.node in nodes), check)


def last(gathered: Iterable[Result], check: str) -> Result | None:
    """The last result of a check, whoever recorded it; of one second the one gathered last."""
    found = [one for one in gathered if one.check == check]
    return max(reversed(found), key=_time, default=None)


def _time(result: Result) -> float:
    return when.instant(result.time)


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


def write(result: Result, more: Mapping[str, object]) -> str:
    """A result as its file."""
    return jsontext.dumps({**result._asdict(), **more}, indent=2) + "\n"
