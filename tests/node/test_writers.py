"""Who may run a command: what the table of commands says is what the commands refuse by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from loopgraph.model.commands import COMMANDS
from loopgraph.model.errors import RefusedError
from loopgraph.node import call as parts
from loopgraph.node import (
    checkpoint,
    context,
    directives,
    findings,
    finish,
    gaps,
    gate_runs,
    gates,
    metrics,
    opsfacts,
    owner,
    promotion,
    restoring,
    results,
    rotate,
    rounds,
    slices,
    standing,
    sweep,
    timers,
)
from loopgraph.node.call import Call
from loopgraph.node.directives import Packet
from loopgraph.node.owner import Question
from loopgraph.node.results import Result
from loopgraph.node.rounds import Said
from tests.node.desk import EXECUTOR, NOW, PERSON, SAYS, STRANGER, Desk

LATER = "2026-01-02T09:00:00+00:00"
PLAN = Packet("plan", None, "R0", "name the unit", "pytest -q", "none")
CARD = Question("Go?", "the path needs it", ("wait", "go"))
ROUND = Said("a slice", ("src/a.py",), "ok", ("evidence/r.txt",), "+1/-0", "b")


# The run that each command finds ----------------------------------------------------------------


def fresh() -> Desk:
    return Desk(scout="Look for slow queries.")


def sweeping() -> Desk:
    return Desk(name="converge", scout="Look for slow queries.")


def measuring() -> Desk:
    columns = "| Metric | Baseline | Now | Target | Evidence |\n|---|---|---|---|---|"
    desk = fresh()
    desk.edit(
        "ledger.md", "## owner-blocked\n", f"## Metric snapshot\n\n{columns}\n\n## owner-blocked\n"
    )
    return desk


def carded() -> Desk:
    desk = fresh()
    desk.do(owner.ask, CARD)
    return desk


def judged() -> Desk:
    """A correction waits, and one round is audited."""
    desk = fresh()
    desk.do(rounds.record, ROUND)
    desk.do(directives.add, PLAN, by="supervisor")
    desk.do(directives.audited, through=1, by="supervisor")
    return desk


def closing() -> Desk:
    desk = fresh()
    desk.do(gates.change, "M-1", status="closed", evidence="seen")
    return desk


def asking() -> Desk:
    desk = fresh()
    desk.ask()
    return desk


def passing() -> Desk:
    desk = asking()
    desk.do(promotion.accept, "M-1", green(desk), tree="t", by="supervisor")
    desk.do(directives.fold, "D-001", effect="on")
    return desk


def over() -> Desk:
    """Everything is closed, and the last milestone is asked for."""
    desk = fresh()
    last = desk.run.record.spec.milestones[-1].id  # type: ignore[union-attr]
    old = desk.ledger.fields["Current milestone"].text
    desk.edit("ledger.md", f"Current milestone: {old} |", f"Current milestone: {last} |")
    for row in desk.ledger.scoreboard:
        desk.do(gates.change, row.gate, status="closed", evidence="seen")
    desk.ask()
    return desk


def ready() -> Desk:
    desk = over()
    desk.do(finish.exit_ready, why="the proof passed")
    last = desk.ledger.milestone
    desk.edit("ledger.md", "Milestone gate: `pending-audit`", "Milestone gate: `passed`")
    assert desk.ledger.milestone == last
    return desk


def stalled() -> Desk:
    desk = fresh()
    desk.do(finish.stalled, why="no path")
    return desk


def green(desk: Desk) -> tuple[Result, ...]:
    milestone = desk.run.record.spec.milestones[0]  # type: ignore[union-attr]
    return tuple(
        Result(check.id, node, LATER, passed=True, tree="t", evidence="seen")
        for check in results.checks(milestone.id, milestone.exit_checks)
        for node in ("supervisor", "owner")
    )


# The commands -----------------------------------------------------------------------------------


class Act(NamedTuple):
    """A command on a run that lets whoever may run it do so."""

    begin: Callable[[], Desk]
    command: Callable[..., Any]
    values: tuple[Any, ...] = ()
    named: Mapping[str, Any] = {}
    names: str = ""
    """What a refusal says: the edge, or the thing that is another's."""


def _basis(run: Any, call: Call) -> Any:
    return checkpoint.basis(run, call, green(fresh()), "t")


def _may_restore(run: Any, call: Call) -> None:
    restoring.may(run, call, ["src/a.py"], ["src/a.py"])


def _gate(_run: Any, call: Call) -> Any:
    return gate_runs.store(call, green(fresh())[0], {})


LEDGER, QUEUE, OPS = (f"writes the edge {name}," for name in ("ledger", "directives", "ops"))
ROW = gaps.Row("P2", None, "docs/a.md", "look", "no page")
LEAD = {"where": "src/a.py:3", "what": "slow", "reproduce": "run it"}
ACTS: dict[str, Act] = {
    "audited": Act(judged, directives.audited, named={"through": 1}, names=QUEUE),
    "checkpoint": Act(judged, _basis, names=QUEUE),
    "context add": Act(
        fresh, context.add, named={"use_when": "a", "read": "b", "verify": "c"}, names=OPS
    ),
    "context replace": Act(fresh, context.replace, ("C-01",), {"read": "b"}, OPS),
    "directive add": Act(fresh, directives.add, (PLAN,), names=QUEUE),
    "directive fold": Act(judged, directives.fold, ("D-001",), {"effect": "x"}, LEDGER),
    "directive rotate": Act(judged, directives.turned, names=QUEUE),
    "finding add": Act(fresh, findings.add, named=LEAD, names="writes the edge findings,"),
    "finish closed": Act(ready, finish.closed, named={"why": "x"}, names="ends the run"),
    "finish exit-ready": Act(over, finish.exit_ready, named={"why": "x"}, names=LEDGER),
    "finish stalled": Act(fresh, finish.stalled, named={"why": "x"}, names=LEDGER),
    "gap add": Act(fresh, gaps.add, (ROW,), names=LEDGER),
    "gap close": Act(fresh, gaps.close, ("GAP-001",), {"evidence": "x"}, LEDGER),
    "gap merge": Act(fresh, gaps.merge, ("GAP-001",), {"into": "GAP-002"}, LEDGER),
    "gap park": Act(fresh, gaps.park, names=LEDGER),
    "gate run": Act(fresh, _gate, names="`gate run`"),
    "gate set": Act(fresh, gates.change, ("G-1",), {"status": "closed", "evidence": "x"}, LEDGER),
    "metric set": Act(
        measuring, metrics.change, ("p95",), {"now": "9", "target": "5", "evidence": "x"}, LEDGER
    ),
    "milestone next": Act(passing, promotion.go_on, names=LEDGER),
    "ops set": Act(fresh, opsfacts.change, ("Traps", "none"), names=OPS),
    "owner answer": Act(carded, owner.answer, ("OB-001", "A"), names="in the owner's name,"),
    "owner ask": Act(fresh, owner.ask, (CARD,), names=LEDGER),
    "promote accept": Act(
        asking, lambda run, call: promotion.accept(run, call, "M-1", green(asking()), tree="t"),
        names=QUEUE,
    ),
    "promote redo": Act(asking, promotion.redo, ("M-1",), {"missing": "x", "verify": "y"}, QUEUE),
    "promote request": Act(
        closing, promotion.request, ("M-1",), {"surface": "src/a.py", "evidence": "log"}, LEDGER
    ),
    "restore": Act(fresh, _may_restore, names="`restore`"),
    "resume": Act(stalled, finish.resume, named={"why": "x"}, names="the run's status,"),
    "rotate": Act(judged, rotate.rotate, names=LEDGER),
    "round record": Act(fresh, rounds.record, (ROUND,), names=LEDGER),
    "round start": Act(fresh, rounds.start, names=LEDGER),
    "slice set": Act(fresh, slices.change, ({"Verify": "pytest"},), names=LEDGER),
    "standing add": Act(fresh, standing.add, ("SCOPE", "docs"), names="writes STANDING,"),
    "standing replace": Act(fresh, standing.replace, ("S-001", "x"), names="writes STANDING,"),
    "standing retire": Act(fresh, standing.retire, ("S-001",), names="writes STANDING,"),
    "sweep record": Act(
        sweeping, sweep.record, named={"area": "1", "detector": "vulture", "new": 0}, names=LEDGER
    ),
}  # fmt: skip
"""Each command that some writer may not run; those of everybody, and of nobody, have no place."""

BEFORE = {"adopt", "snapshots prune"}
"""Refused by the command line, before a run's own files are read."""
SOME = {one.name: one.writers for one in COMMANDS if 0 < len(one.writers) < len(SAYS)}


def tried(name: str, by: Any) -> str:
    """What a speaker is told who runs this command: nothing, where they may."""
    act = ACTS[name]
    desk = act.begin()
    before = dict(desk.files)
    try:
        act.command(desk.run, Call(by, NOW), *act.values, **act.named)
    except RefusedError as error:
        assert desk.files == before
        return f"{error.what} → {error.fix}"
    return ""


def test_every_command_with_writers_of_its_own_is_tried_here():
    assert set(ACTS) | BEFORE == set(SOME)


@pytest.mark.parametrize("role", SAYS)
@pytest.mark.parametrize("name", ACTS)
def test_a_command_is_its_writers_and_names_the_rule_to_anybody_else(name, role):
    told = tried(name, SAYS[role])
    if role in SOME[name]:
        assert not told
    else:
        what, fix = told.split(" → ")
        assert ACTS[name].names in what
        assert f"not the {role}'s" in what
        assert fix.count("loopgraph ") == 1


@pytest.mark.parametrize("name", ACTS)
def test_an_agent_that_nobody_named_runs_no_command_of_the_judge_or_of_the_owner(name):
    told = tried(name, STRANGER)
    if {"executor", "scout"} & set(SOME[name]):
        assert not told
    else:
        assert "nobody said who is speaking" in told
        assert ACTS[name].names in told
        assert ("--as" in told) == ("supervisor" in SOME[name])


@pytest.mark.parametrize("name", ACTS)
def test_a_person_whom_nobody_named_may_run_every_command(name):
    assert not tried(name, PERSON)


JUDGE = {name for name, act in ACTS.items() if act.names == QUEUE}


@pytest.mark.parametrize("name", sorted(JUDGE))
def test_without_a_supervisor_what_is_the_judges_is_the_owners(name):
    act = ACTS[name]
    desk = Desk(supervisor="no")
    with pytest.raises(RefusedError, match="is the owner's, not the executor's"):
        act.command(desk.run, Call(EXECUTOR, NOW), *act.values, **act.named)


TIMERS = Desk(host="grok", scout="Look for slow queries.").files


def timers_of(desk: Desk) -> dict[str | None, str | None]:
    ops = desk.run.ops()
    assert ops
    return {row.node: row.id for row in ops.timers or ()}


@pytest.mark.parametrize("role", ["executor", "supervisor", "scout"])
@pytest.mark.parametrize("whose", ["executor", "supervisor", "scout"])
def test_a_timer_is_written_down_by_its_own_node_alone(role, whose):
    desk = Desk(TIMERS)
    if role == whose:
        assert desk.do(timers.change, "t | 1", node=whose, by=role).says == (
            f"{whose}: timer t | 1",
        )
        assert timers_of(desk)[whose] == "t | 1"
    else:
        told = desk.refuse(timers.change, "t-1", node=whose, by=role)
        assert f"writes the edge timer:{whose}, which is the {whose}'s" in told.what


def test_a_timer_that_nobody_names_is_the_speakers_own():
    desk = Desk(TIMERS)
    desk.do(timers.change, "t-1", by="supervisor")
    desk.do(timers.change, "t-2", node="scout", by="owner")
    found = timers_of(desk)
    assert (found["supervisor"], found["scout"]) == ("t-1", "t-2")
    assert found["executor"] not in ("t-1", "t-2")
    assert str(desk.refuse(timers.change, "t-1", by=PERSON)) == (
        "timer set: whose timer? Say --as NODE."
    )
    assert desk.refuse(timers.change, "t-1", by="owner").what == "no such node in the table"
    assert desk.refuse(timers.change, " ").what == "nothing is said"


def test_a_host_whose_timers_stand_nowhere_needs_no_table():
    assert "ops.md has no Timers table" in desk_of("claude-code").refuse(timers.change, "t").what


def desk_of(host: str) -> Desk:
    return Desk(host=host)


RUN = fresh().run


@pytest.mark.parametrize(
    ("edge", "with_judge", "without"),
    [
        ("ledger", "executor", "executor"),
        ("directives", "supervisor", "owner"),
        ("ops", "executor", "executor"),
        ("findings", "scout", "scout"),
        ("timer:executor", "executor", "executor"),
        ("timer:supervisor", "supervisor", "supervisor"),
        ("timer:scout", "scout", "scout"),
    ],
)
def test_an_edge_has_its_writer_also_where_the_record_cannot_be_read(edge, with_judge, without):
    assert parts.writer(RUN, edge) == with_judge
    bare = RUN._replace(record=None)
    assert parts.writer(bare, edge) == with_judge
    files = {name: text for name, text in bare.files.items() if name != "supervisor.md"}
    assert parts.writer(bare._replace(files=files), edge) == without
