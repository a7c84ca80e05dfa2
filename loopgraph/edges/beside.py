"""What stands beside a run in its workspace: stops, sessions, blocks, plans, loops, last acts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from loopgraph.edges.bindings import Binding, Block
from loopgraph.edges.stops import Stop
from loopgraph.plain import jsontext


class Stopped(NamedTuple):
    """A STOP file that holds this run."""

    file: str
    """Below the workspace; the run's own, or that of the whole workspace."""
    said: Stop


class Plan(NamedTuple):
    """A plan that somebody works on, with its counts; None where it cannot be read."""

    id: str
    plan: str
    sessions: tuple[str, ...]
    open: int | None
    total: int | None
    others: int | None
    next: str | None


class Loop(NamedTuple):
    """A loop that a session is bound to."""

    task: str
    session: str
    iteration: int
    most: int | None
    """None: it has no limit of its own."""


class Beside(NamedTuple):
    """All of it; nothing is refused, and what cannot be read is a problem."""

    stops: tuple[Stopped, ...] = ()
    bindings: Mapping[str, Binding] = {}
    """Of this run alone, by the session's id as it is written."""
    blocks: tuple[Block, ...] = ()
    """Of those sessions."""
    plans: tuple[Plan, ...] = ()
    loops: tuple[Loop, ...] = ()
    acts: Mapping[str, str] = {}
    """When each writer ran its last command on this run, RFC 3339, as far as the end of
    acts.jsonl tells."""
    done: Mapping[str, str] = {}
    """When each command (its first word) was run last, as far as that tells."""
    snapshots: frozenset[str] = frozenset()
    """Those that notes in evidence/ tell of, by name: `R3.start`, `R3`.

    Where there are any, rounds are measured, whatever a node says of them.
    """
    problems: tuple[str, ...] = ()


class Acts(NamedTuple):
    """What the end of acts.jsonl says."""

    by: Mapping[str, str]
    """When each writer ran its last command."""
    of: Mapping[str, str]
    """When each command was run last."""


def acts(lines: Iterable[str]) -> Acts:
    """Read lines of acts.jsonl, the oldest first; one that is none is passed over."""
    found = Acts({}, {})
    for line in lines:
        said = jsontext.attempt(line)
        if not isinstance(said, dict):
            continue
        node, time, words = said.get("node"), said.get("time"), said.get("command")
        if not isinstance(node, str) or not isinstance(time, str):
            continue
        found = Acts({**found.by, node: time}, found.of)
        named = [word for word in words if isinstance(word, str)] if isinstance(words, list) else []
        name = next((word for word in named if not word.startswith("-")), "")
        found = Acts(found.by, {**found.of, name: time})
    return found
