"""The one table of what may follow what. Commands, check and audit all read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

RunStatus = Literal["active", "exit-ready", "stalled", "closed"]
GateState = Literal["open", "pending-audit", "passed", "n/a"]
RowState = Literal["open", "in-progress", "closed", "owner-blocked"]
Verdict = Literal["accept", "redo", "plan", "stop"]
StandingKind = Literal["AUTHORITY", "PRE-AUTH", "SCOPE"]

RUN: Final[Mapping[RunStatus, frozenset[RunStatus]]] = {
    "active": frozenset({"exit-ready", "stalled", "closed"}),
    "exit-ready": frozenset({"active", "closed"}),
    "stalled": frozenset({"active", "closed"}),
    "closed": frozenset(),
}
MILESTONE_GATE: Final[Mapping[GateState, frozenset[GateState]]] = {
    "open": frozenset({"pending-audit"}),
    "pending-audit": frozenset({"passed", "open"}),
    "passed": frozenset({"open"}),
    "n/a": frozenset(),
}

RUN_STATUSES: Final[tuple[RunStatus, ...]] = get_args(RunStatus)
GATE_STATES: Final[tuple[GateState, ...]] = get_args(GateState)
ROW_STATES: Final[tuple[RowState, ...]] = get_args(RowState)
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
STANDING_KINDS: Final[tuple[StandingKind, ...]] = get_args(StandingKind)
PRIORITIES: Final = ("P0", "P1", "P2", "P3")


def convergence_due(*, rounds: int, every: int, net: int, cap: int) -> bool:
    """Whether the next round must converge: rounds or net lines since the last one are used up."""
    return rounds >= every or net > cap
