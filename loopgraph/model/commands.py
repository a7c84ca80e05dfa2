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

_EXECUTOR: Final[tuple[Writer, ...]] = ("executor", "owner")
_JUDGE: Final[tuple[Writer, ...]] = ("supervisor", "owner")

COMMANDS: Final[tuple[Command, ...]] = (
    Command("adopt", ("owner",), "bring an older run to this contract; copies stay in its archive"),
    Command("audit", (), "say where the run's history has broken a law, by commit"),
    Command("audited", _JUDGE, "note how far you have audited"),
    Command("bind", _ANY, "bind this session to a run as one of its nodes"),
    Command("block", _ANY, "say that only somebody outside can help, and until when"),
    Command("check", (), "say what is wrong with the run's files, by line"),
    Command("checkpoint", _JUDGE, "commit what audited rounds changed, after a gate of your own"),
    Command("compile", (), "compile a run.yaml again, or compare a run with it"),
    Command("context add", _EXECUTOR, "add a row to the context index of ops.md"),
    Command("context replace", _EXECUTOR, "replace cells of a row of the context index"),
    Command("cost", (), "print the size of each hot file and what a day of reading costs"),
    Command("decisions", (), "list cards, answers and standing entries, archives included"),
    Command("diff", (), "show what differs between two snapshots"),
    Command("directive add", _JUDGE, "append a correction, after what is folded has been rotated"),
    Command(
        "directive fold", _EXECUTOR, "advance the watermark by the next directive, with its effect"
    ),
    Command("directive rotate", _JUDGE, "move what is folded to the archive"),
    Command("finding add", ("scout", "owner"), "write a lead down in findings.md"),
    Command("finish closed", _JUDGE, "end the run for good"),
    Command(
        "finish exit-ready", _EXECUTOR, "say that everything is done and the whole proof has passed"
    ),
    Command("finish stalled", _EXECUTOR, "say that the run cannot go on, and why"),
    Command("gap add", _EXECUTOR, "register a debt row"),
    Command("gap close", _EXECUTOR, "close a debt row that is done and shown"),
    Command("gap list", (), "show the live debt rows, the most urgent first"),
    Command("gap merge", _EXECUTOR, "merge a debt row into another one"),
    Command("gap park", _EXECUTOR, "move the debt row of the lowest priority to the archive"),
    Command(
        "gate run",
        ("executor", "supervisor", "owner"),
        "run a gate of ops.md, or note an observation, and keep the result",
    ),
    Command("gate set", _EXECUTOR, "set a row of the Gate scoreboard"),
    Command("graph", (), "show nodes, edges, writers and timers"),
    Command("handoff", (), "print what to paste where"),
    Command("loop bind", _ANY, "bind this session to a loop"),
    Command("loop done", _ANY, "end a loop whose work is done and shown"),
    Command("metric set", _EXECUTOR, "write down what was measured"),
    Command("milestone next", _EXECUTOR, "open the next milestone behind one that is passed"),
    Command("next", (), "say what a node has to do now, each thing with its command"),
    Command("ops set", _EXECUTOR, "set a fact of ops.md in place"),
    Command("owner answer", ("owner",), "answer a card; a node only passes on, with --relayed"),
    Command(
        "owner ask",
        ("executor", "supervisor", "owner"),
        "put a decision card on your own edge, and print it",
    ),
    Command("plan bind", _ANY, "bind this session to a plan"),
    Command("plan check", (), "say which rows of a plan count, and what is wrong with it"),
    Command("plan complete", _ANY, "complete a plan whose rows are all ticked, with evidence"),
    Command("plan start", _ANY, "begin a plan, once the owner wants it executed"),
    Command("promote accept", _JUDGE, "accept a milestone by gate results of your own"),
    Command("promote redo", _JUDGE, "send a milestone back, naming what is missing"),
    Command("promote request", _EXECUTOR, "ask for the milestone's audit"),
    Command(
        "restore", _EXECUTOR, "bring paths that your own rounds changed back to a snapshot's bytes"
    ),
    Command("resume", ("owner",), "lift a stop"),
    Command(
        "rotate",
        ("executor", "supervisor", "owner"),
        "move what your own edge has settled to the archive",
    ),
    Command(
        "round record",
        _EXECUTOR,
        "record one closed round with what shows it; rotates, counts, moves the slice on",
    ),
    Command("round start", _EXECUTOR, "begin the next round"),
    Command("rounds", (), "list the rounds, with --all those of the archive, too"),
    Command("runs", (), "list the runs of this workspace"),
    Command("show", (), "show an entry by its id word for word, archives included"),
    Command("slice set", _EXECUTOR, "set fields of the Current slice"),
    Command("snapshots list", (), "list the snapshots of the rounds"),
    Command("snapshots prune", ("owner",), "take snapshots away"),
    Command("standing add", ("owner",), "grant something, or draw a border, until it is lifted"),
    Command("standing replace", ("owner",), "word a standing entry anew"),
    Command("standing retire", ("owner",), "lift a standing entry"),
    Command("state set", _ANY, "write down what is verified and what is next"),
    Command("state show", (), "show what is verified and what is next"),
    Command("status", (), "show a run on one screen"),
    Command("stop", _ANY, "let every session of a run, or of the workspace, go at once"),
    Command("sweep record", _EXECUTOR, "record one detector's run over the current area"),
    Command("timer set", _ANY, "write down your own timer in ops.md"),
)

NAMES: Final = frozenset(command.name for command in COMMANDS)
