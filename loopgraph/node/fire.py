"""The hot start of a fire: what a node has to do now, in its order, each with its command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from loopgraph.edges.beside import Beside
from loopgraph.edges.run import Run
from loopgraph.model.graph import Writer
from loopgraph.node import fire_judge, fire_parts, fire_work
from loopgraph.node.call import LEDGER
from loopgraph.node.fire_parts import At, Part, Words
from loopgraph.node.results import Result
from loopgraph.plain import law


class Fire(NamedTuple):
    """What a node finds when it wakes."""

    role: Writer
    status: str | None
    gate: str | None
    milestone: str | None
    round: int | None
    due: bool | None
    """Whether a convergence round comes first, as the Stop hook sees it."""
    item: law.Item | None
    """The legal next item, as the Stop hook sees it."""
    work: bool
    """Whether this node has something to do now."""
    parts: tuple[Part, ...]


def hot_start(  # noqa: PLR0913  what is known beside the run
    run: Run,
    beside: Beside,
    role: Writer,
    *,
    named: str = "",
    gathered: tuple[Result, ...] = (),
    begun: int | None = None,
    told: tuple[str, ...] = (),
) -> Fire:
    """What this node has to do now; the caller has seen that there is a ledger.

    `named`: the run, where its commands have to name it. `gathered`: the results of gates.
    `begun`: the newest round when the fire that goes on now began; None where nobody knows.
    `told`: what was found of the rounds that are to be audited, as they were recorded.
    """
    board = law.Board(run.files.get(LEDGER, ""))
    planned = law.planned(run.files.get("executor.md", ""), board.milestone)
    lane_ = board.lane(planned)
    say = Words(role, f" --run {named}" if named else "")
    found = run.ledger()
    assert found is not None  # noqa: S101  the caller has seen it
    at = At(run, found, beside, say, board, lane_, gathered, begun, told)
    parts = tuple(_PARTS[role](at))
    kinds = {part.kind for part in parts}
    stopped = bool(kinds & {"stop", "end"})
    work = not stopped and bool(kinds & _WORK)
    if role == "owner":  # nothing wakes the owner: whatever waits is told
        work = any(part.commands for part in parts)
    return Fire(
        role,
        board.status,
        board.gate,
        found.milestone,
        board.round,
        board.due if found.convergence else None,
        board.legal(planned),
        work or (not beside.stops and "fold" in kinds),
        parts,
    )


_WORK: Final = {
    "fold", "round", "red", "converge", "work", "item", "milestone", "audit", "judge", "rotate",
    "checkpoint", "ready",
}  # fmt: skip
# Others ----------------------------------------------------------------------------------------


def _scout(at: At) -> Iterator[Part]:
    yield from fire_parts.stops(at)
    yield from fire_parts.end(at)
    if at.board.status == law.ACTIVE:
        say = at.say("finding add LEAD")
        yield Part("item", "", "look where scout.md says, and write leads down", (), (say,))
    yield from fire_parts.full(at, fire_parts.file_sizes(at, "findings.md", ""))


_PARTS: Final = {
    "executor": fire_work.executor,
    "supervisor": fire_judge.judge,
    "scout": _scout,
    "owner": fire_judge.owner,
}
