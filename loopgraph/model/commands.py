"""Every command that a prompt may name: one table for prompts, help and check."""

from __future__ import annotations

from typing import Final, NamedTuple

from loopgraph.model.graph import Writer


class Command(NamedTuple):
    """One command of the program, as a node meets it."""

    name: str
    """Without `loopgraph`; a group and its member with a blank between."""
    writers: tuple[Writer, ...]
    """Who may run it; empty for everybody, since it writes nothing."""
    says: str
    """What it does, as a prompt says it."""


COMMANDS: Final[tuple[Command, ...]] = (
    Command("check", (), "say what is wrong with the run's files, by line"),
    Command("compile", (), "compile a run.yaml again, or compare a run with it"),
    Command("cost", (), "print the size of each hot file and what a day of reading costs"),
    Command("graph", (), "show nodes, edges, writers and timers"),
    Command("handoff", (), "print what to paste where"),
)

NAMES: Final = frozenset(command.name for command in COMMANDS)
