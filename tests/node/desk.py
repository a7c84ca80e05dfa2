"""A run on a desk: commands as functions, texts in and texts out, and what must hold after each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from loopgraph.check.run_rules import findings
from loopgraph.edges import run as edge
from loopgraph.edges.change import Change
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.errors import LoopgraphError
from loopgraph.node import call as parts
from loopgraph.node import gates, lane, promotion
from loopgraph.node.call import Call
from loopgraph.node.speaker import Speaker
from tests.check import compiled

NOW = "2026-01-02T03:04:05+00:00"
OWNER = Speaker("owner", agent=False, sessions=())
EXECUTOR = Speaker("executor", agent=True, sessions=())
SUPERVISOR = Speaker("supervisor", agent=True, sessions=())
SCOUT = Speaker("scout", agent=True, sessions=())
PERSON = Speaker(None, agent=False, sessions=())
STRANGER = Speaker(None, agent=True, sessions=())
SAYS = {"executor": EXECUTOR, "supervisor": SUPERVISOR, "scout": SCOUT, "owner": OWNER}


class Desk:
    """The files of a run, carried from command to command without a disk."""

    def __init__(self, files: Mapping[str, str] | None = None, **answers: str) -> None:
        self.files = dict(compiled.files(**answers) if files is None else files)
        self.archive: dict[str, str] = {}
        self.evidence: dict[str, str] = {}
        self.last = Change()
        self._first = edge.read(self.files)

    @property
    def run(self) -> Run:
        return self._first._replace(files=dict(self.files))

    @property
    def ledger(self) -> Any:
        return self.run.ledger()

    @property
    def directives(self) -> Any:
        return self.run.directives()

    def do(self, command: Callable[..., Change], *values, by: str | Speaker = "executor", **named):
        """Ask a command, hold its change against the laws of every change, and carry it out."""
        speaker = SAYS[by] if isinstance(by, str) else by
        change = command(self.run, Call(speaker, NOW), *values, **named)
        for move in change.moves:
            assert move.text in "".join(self.files.values()), move
            assert move.text.endswith("\n")
            self.archive[move.archive] = self.archive.get(move.archive, "") + move.text
        self.files.update(change.live)
        self.evidence.update(change.evidence)
        self.last = change
        return change

    def refuse(
        self, command: Callable[..., Change], *values, by: str | Speaker = "executor", **named
    ) -> LoopgraphError:
        """Ask a command that must be refused; nothing has changed then."""
        before = dict(self.files)
        with pytest.raises(LoopgraphError) as refused:
            self.do(command, *values, by=by, **named)
        assert self.files == before
        return refused.value

    def ask(self, id_: str | None = None, surface="src/a.py", evidence="evidence/log.txt") -> None:
        """Close the exit-check row of the milestone, and ask for its audit."""
        name = id_ or self.ledger.milestone
        for row in lane.exit_rows(self.ledger, name):
            self.do(gates.change, row.gate, status="closed", evidence="green")
        self.do(promotion.request, name, surface=surface, evidence=evidence)

    def edit(self, file: str, old: str, new: str) -> None:
        """Somebody edits a file by hand."""
        assert self.files[file].count(old) == 1, (old, self.files[file].count(old))
        self.files[file] = self.files[file].replace(old, new)

    def found(self) -> tuple[str, ...]:
        """What check says now."""
        return tuple(
            f"{one.rule} {one.file}:{one.line} {one.message}" for one in findings(self.run)
        )

    def caps_hold(self) -> None:
        """Every live file is within its caps."""
        for name in contract.LIVE:
            text = self.files.get(name, "")
            assert text.count("\n") <= parts.knob(self.run, "FILE_LINE_CAP"), name
            assert len(text.encode()) <= parts.knob(self.run, "FILE_BYTE_CAP"), name

    def everything(self) -> str:
        """Live files and archives, as one text."""
        return "".join((*self.files.values(), *self.archive.values()))
