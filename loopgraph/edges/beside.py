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
    problems: tuple[str, ...] = ()


def acts(lines: Iterable[str]) -> Mapping[str, str]:
    """When each writer ran its last command, from lines of acts.jsonl, the oldest first."""
    found: dict[str, str] = {}
    for line in lines:
        said = jsontext.attempt(line)
        if isinstance(said, dict):
            node, time = said.get("node"), said.get("time")
            if isinstance(node, str) and isinstance(time, str):
                found[node] = time
    return found
