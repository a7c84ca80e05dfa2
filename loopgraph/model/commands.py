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


_ANY: Final[tuple[Writer, ...]] = ("executor", "supervisor", "scout", "owner")

COMMANDS: Final[tuple[Command, ...]] = (
    Command("bind", _ANY, "bind this session to a run as one of its nodes"),
    Command("block", _ANY, "say that only somebody outside can help, and until when"),
    Command("check", (), "say what is wrong with the run's files, by line"),
    Command("compile", (), "compile a run.yaml again, or compare a run with it"),
    Command("cost", (), "print the size of each hot file and what a day of reading costs"),
    Command("graph", (), "show nodes, edges, writers and timers"),
    Command("handoff", (), "print what to paste where"),
    Command("loop bind", _ANY, "bind this session to a loop"),
    Command("loop done", _ANY, "end a loop whose work is done and shown"),
    Command("plan bind", _ANY, "bind this session to a plan"),
    Command("plan check", (), "say which rows of a plan count, and what is wrong with it"),
    Command("plan complete", _ANY, "complete a plan whose rows are all ticked, with evidence"),
    Command("plan start", _ANY, "begin a plan, once the owner wants it executed"),
    Command("resume", ("owner",), "lift a stop"),
    Command("state set", _ANY, "write down what is verified and what is next"),
    Command("state show", (), "show what is verified and what is next"),
    Command("stop", _ANY, "let every session of a run, or of the workspace, go at once"),
)

NAMES: Final = frozenset(command.name for command in COMMANDS)
