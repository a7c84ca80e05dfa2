"""The runs of a workspace, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from loopgraph.edges.run import Run
from loopgraph.model import columns
from loopgraph.model.messages import _
from loopgraph.model.states import GateState, RunStatus
from loopgraph.plain.quoting import visible
from loopgraph.views import shape

SCHEMA: Final = "loopgraph/runs/1"
_OVER: Final = ("closed",)
"""Where nothing is left that a stop could hold."""


class Line(NamedTuple):
    """One run; null is unknown."""

    run: str
    pack: str | None
    status: RunStatus | None
    milestone: str | None
    gate: GateState | None
    round: int | None
    cards: int | None
    """That wait for the owner."""
    stopped: bool
    """A stop holds it, or the whole workspace: `loopgraph resume` lifts it."""
    created: str | None
    problem: str | None
    """Why its ledger cannot be read."""


class Runs(NamedTuple):
    """All of them, in the order of their names."""

    runs: tuple[Line, ...]


def line(name: str, run: Run, *, stopped: bool = False) -> Line:
    """A run in short."""
    ledger, queue = run.ledger(), run.directives()
    spec = run.record.spec if run.record else None
    problem = run.others.get("ledger.md", _("no such file")) if ledger is None else None
    asked = (*(ledger.cards if ledger else ()), *(queue.cards if queue else ()))
    cards = sum(not card.chosen() for card in asked) if ledger else None
    return Line(
        name,
        spec.pack.name if spec else None,
        ledger.status if ledger else None,
        ledger.milestone if ledger else None,
        ledger.gate if ledger else None,
        ledger.round if ledger else None,
        cards,
        stopped,
        spec.created if spec else None,
        problem,
    )


def text(found: Sequence[Line]) -> str:
    """A line each, in columns."""
    if not found:
        return _("No run here. Make one with: loopgraph new") + "\n"
    table = [_cells(one) for one in found]
    widths = [max(columns.width(row[at]) for row in table) for at in range(len(table[0]))]
    padded = (
        "  ".join(columns.pad(cell, wide) for cell, wide in zip(row, widths, strict=True))
        for row in table
    )
    return "".join(f"{row.rstrip()}\n" for row in padded)


def _cells(one: Line) -> tuple[str, ...]:
    unknown = _("unknown")
    if one.problem:
        return visible(one.run), one.pack or "-", one.problem, "", "", ""
    waits = _("cards that wait: {count}", count=one.cards) if one.cards else ""
    held = _("stopped") if one.stopped and one.status not in _OVER else ""
    return (
        visible(one.run),
        visible(one.pack or "-"),
        one.status or unknown,
        f"R{one.round}" if one.round is not None else unknown,
        " ".join(filter(None, (one.milestone, one.gate))) or unknown,
        ", ".join(filter(None, (held, waits))),
    )


def data(found: Sequence[Line]) -> dict[str, Any]:
    """The same as plain data."""
    return {"schema": SCHEMA, **shape.plain(Runs(tuple(found)))}


def schema() -> dict[str, Any]:
    """The published schema of `data`."""
    return shape.schema(Runs, SCHEMA, "What loopgraph runs lists; null is unknown")
