"""What a verdict does: who may give it, over which results, and what folding it leaves to do."""

from __future__ import annotations

from typing import Any

import pytest

from loopgraph.edges.beside import Beside
from loopgraph.model.errors import LoopgraphError
from loopgraph.node import call as parts
from loopgraph.node import (
    directives,
    finish,
    fire,
    fire_parts,
    gaps,
    gates,
    lane,
    promotion,
    results,
    rounds,
)
from loopgraph.node.directives import Packet
from loopgraph.node.results import Result
from loopgraph.node.rounds import Said
from tests.node.desk import NOW, Desk

LATER = "2026-01-02T09:00:00+00:00"
PLAN = Packet("plan", None, "R0", "name the unit of M-1", "pytest -q", "none")


def refused(desk: Desk, command: Any, *values: Any, by: str = "executor", **named: Any) -> str:
    before = dict(desk.files)
    with pytest.raises(LoopgraphError) as caught:
        desk.do(command, *values, by=by, **named)
    assert desk.files == before
    return str(caught.value)


def result(check: str, *, passed: bool = True, time: str = NOW, tree: str = "t") -> Result:
    return Result(check, "supervisor", time, passed=passed, tree=tree, evidence="exit 0")


def green(desk: Desk, *more: Result) -> tuple[Result, ...]:
    """A fresh pass of everything that an accept needs."""
    milestone = next(
        m for m in parts.spec(desk.run).milestones if lane.is_same(m.id, desk.ledger.milestone)
    )
    return (*(result(check.id) for check in promotion.wanted(desk.run, milestone)), *more)


def accept(desk: Desk, *more: Result) -> str:
    desk.do(promotion.accept, desk.ledger.milestone, green(desk, *more), tree="t", by="supervisor")
    return str(desk.directives.corrections[-1].id)


def redo(desk: Desk, missing: str = "prove the limit", **more: Any) -> str:
    desk.do(
        promotion.redo, desk.ledger.milestone, missing=missing, verify="pytest -q tests/limit.py",
        by="supervisor", **more,
    )  # fmt: skip
    return str(desk.directives.corrections[-1].id)


def fold(desk: Desk, id_: str) -> None:
    desk.do(directives.fold, id_, effect="taken up")


def at_last(desk: Desk) -> None:
    """The run is at its last milestone, with every row closed and no P1 left."""
    last = parts.spec(desk.run).milestones[-1].id
    old = desk.ledger.fields["Current milestone"].text
    desk.edit("ledger.md", f"Current milestone: {old} |", f"Current milestone: {last} |")
    for row in desk.ledger.scoreboard:
        desk.do(gates.change, row.gate, status="closed", evidence="seen")


def told(desk: Desk, role: Any = "executor", **more: Any) -> dict[str, Any]:
    found = fire.hot_start(desk.run, more.pop("beside", Beside()), role, **more)
    return {part.kind: part for part in reversed(found.parts)}


@pytest.fixture
def desk() -> Desk:
    return Desk(name="deliver")


# Redo ------------------------------------------------------------------------------------------


def test_a_redo_opens_gate_and_rows_and_is_the_next_item(desk):
    proof = desk.ledger.scoreboard[0].gate
    desk.do(gates.change, proof, status="closed", evidence="seen")
    desk.ask()
    fold(desk, redo(desk))
    rows = {row.gate: row for row in desk.ledger.scoreboard}
    for name in (proof, "M-1: exit checks"):
        assert rows[name].status == "open"
        assert rows[name].evidence == "D-001: prove the limit"
    assert desk.ledger.gate == "open"
    assert desk.ledger.next_item == desk.ledger.slice.item.text == "D-001: prove the limit"
    assert desk.ledger.slice.verify.text == "pytest -q tests/limit.py"
    part = told(desk)["item"]
    assert part.says == "D-001: prove the limit"
    assert part.commands == ("loopgraph round start --as executor",)
    assert desk.found() == ()


def test_what_a_redo_misses_is_work_also_where_the_slice_went_elsewhere(desk):
    desk.ask()
    fold(desk, redo(desk))
    said = Said("else", ("src/a.py",), "ok", ("log",), "+1/-0", "more of else")
    desk.do(rounds.record, said)
    part = told(desk)["work"]
    assert (part.id, part.says) == ("D-001", "prove the limit (M-1: exit checks)")
    desk.do(rounds.record, said._replace(item="D-001: prove the limit"))
    assert "work" not in told(desk)
    desk.do(gates.change, "M-1", status="closed", evidence="R2")


def test_what_was_sent_back_comes_before_a_plan(desk):
    desk.ask()
    fold(desk, redo(desk))
    desk.do(directives.add, PLAN, by="supervisor")
    fold(desk, "D-002")
    kinds = [part.kind for part in fire.hot_start(desk.run, Beside(), "executor").parts]
    assert kinds.index("item") < kinds.index("work")


def test_an_open_row_of_the_proof_stays_as_it_is(desk):
    before = desk.ledger.scoreboard[0]
    desk.ask()
    fold(desk, redo(desk))
    assert desk.ledger.scoreboard[0]._replace(line=0) == before._replace(line=0)


def test_a_redo_behind_the_accept_opens_the_milestone_again(desk):
    desk.ask()
    fold(desk, accept(desk))
    assert desk.ledger.gate == "passed"
    fold(desk, redo(desk))
    assert desk.ledger.gate == "open"
    assert desk.ledger.promotion.empty
    desk.ask()
    assert desk.ledger.gate == "pending-audit"


def test_a_milestone_that_is_left_is_mended_by_a_plan(desk):
    desk.ask()
    fold(desk, accept(desk))
    desk.do(promotion.go_on)
    said = refused(desk, promotion.redo, "M-1", missing="x", verify="y", by="supervisor")
    assert "M-1 is left already" in said
    assert "loopgraph directive add plan --milestone M-1" in said


def test_a_redo_by_hand_of_a_milestone_that_is_left_becomes_work_and_moves_no_gate(desk):
    desk.ask()
    fold(desk, accept(desk))
    desk.do(promotion.go_on)
    desk.do(directives.add, PLAN._replace(boundary="M-1"), by="supervisor")
    desk.edit("directives.md", "· plan · M-1", "· redo · M-1")
    fold(desk, "D-002")
    assert (desk.ledger.milestone, desk.ledger.gate) == ("M-2", "open")
    assert [id_ for id_, _row in lane.owed(desk.ledger)] == ["D-002"]


def test_no_milestone_is_left_with_a_packet_unfolded(desk):
    desk.ask()
    fold(desk, accept(desk))
    desk.do(directives.add, PLAN, by="supervisor")
    said = refused(desk, promotion.go_on)
    assert "D-002 must be folded first" in said
    assert "loopgraph directive fold D-002" in said


def test_a_redo_names_the_round_and_what_was_red(desk):
    desk.ask()
    bad = result("G-1", passed=False, time=LATER)._replace(evidence="exit 1, see C-99")
    redo(desk, gathered=(bad, result("G-2", passed=False, time="2026-01-01T00:00:00+00:00")))
    said = desk.directives.corrections[-1].fields["Context"].text
    assert said == "R0; G-1 failed: see evidence/"


# Plan ------------------------------------------------------------------------------------------


def test_a_plan_is_work_until_a_round_names_it(desk):
    desk.do(directives.add, PLAN, by="supervisor")
    fold(desk, "D-001")
    desk.do(directives.turned, by="supervisor")
    said: dict[str, Any] = {
        "item": "else", "changed": (), "result": "ok", "net": None, "next": "more",
    }  # fmt: skip
    desk.do(rounds.record, Said(**said, evidence=("log",)))
    part = told(desk)["work"]
    assert (part.id, part.says.partition(" (")[0]) == ("D-001", "name the unit of M-1")
    assert part.commands[0] == (
        "loopgraph round start --item 'D-001: name the unit of M-1' --as executor"
    )
    desk.do(rounds.record, Said(**said, evidence=("D-001 units.md",), failed=True))
    assert "work" in told(desk)
    desk.do(rounds.record, Said(**said, evidence=("D-001 units.md",)))
    assert "work" not in told(desk)
    assert desk.ledger.scoreboard[-1].status == "closed"
    assert desk.ledger.scoreboard[-1].evidence == "R3: ok"
    desk.do(gates.change, "M-1", status="closed", evidence="the row of a plan is not meant")
    assert desk.found() == ()


def test_a_stop_leaves_no_work(desk):
    desk.do(directives.add, PLAN._replace(verdict="stop"), by="supervisor")
    fold(desk, "D-001")
    assert lane.owed(desk.ledger) == []


def test_a_due_convergence_comes_after_what_was_just_folded_and_before_what_was_folded_long_ago(
    desk,
):
    for number in range(5):
        said = Said(f"a {number}", ("src/a.py",), "ok", ("log",), "+3/-1", "more")
        desk.do(rounds.record, said)
    desk.do(directives.add, PLAN, by="supervisor")
    fold(desk, "D-001")
    kinds = [part.kind for part in fire.hot_start(desk.run, Beside(), "executor").parts]
    assert kinds.index("work") < kinds.index("converge")
    assert told(desk)["work"].commands[0].endswith("--repair --as executor")
    desk.do(rounds.start, item="D-001", repair=True)


# Accept ----------------------------------------------------------------------------------------


def test_a_gate_of_the_surface_needs_a_fresh_pass(desk):
    desk.ask(surface="src/orders, G-2")
    exits = results.checks("M-1", parts.spec(desk.run).milestones[0].exit_checks)
    known = tuple(result(check.id) for check in exits if check.id != "G-2")
    said = refused(desk, promotion.accept, "M-1", known, tree="t", by="supervisor")
    assert "G-2 has no fresh result" in said
    assert "loopgraph gate run G-2 --as supervisor" in said
    bad = (*known, result("G-2", passed=False))
    assert "G-2 failed" in refused(desk, promotion.accept, "M-1", bad, tree="t", by="supervisor")
    desk.do(promotion.accept, "M-1", (*known, result("G-2")), tree="t", by="supervisor")


def named_gate(desk: Desk) -> str:
    """A gate that neither the exit checks of M-1 nor its surface name."""
    wanted = [one.check for one in green(desk)]
    return next(one.id for one in parts.spec(desk.run).gates if one.id not in wanted)


@pytest.mark.parametrize(
    ("baseline", "tree", "time", "vetoes"),
    [
        ("nothing fails", "t", LATER, True),
        ("unmeasured", "t", LATER, True),
        ("{gate} passes, the others fail", "t", LATER, True),
        ("nothing but {gate} fails", "t", LATER, False),
        ("G-9 is green; {gate} 失败", "t", LATER, False),
        ("nothing fails", "another", LATER, True),
        ("nothing fails", "t", "2026-01-01T00:00:00+00:00", False),
    ],
)
def test_nothing_is_accepted_over_a_gate_that_the_judge_saw_turn_red(
    desk, baseline, tree, time, vetoes
):
    desk.ask()
    gate = named_gate(desk)
    desk.edit("ledger.md", "- Baseline: unmeasured", f"- Baseline: {baseline.format(gate=gate)}")
    given = green(desk, Result(gate, "supervisor", time, passed=False, tree=tree, evidence="2"))
    if vetoes:
        said = refused(desk, promotion.accept, "M-1", given, tree="t", by="supervisor")
        assert f"{gate} failed" in said
        way = "promote redo M-1" if tree == "t" else f"gate run {gate}"
        assert f"loopgraph {way}" in said
    else:
        desk.do(promotion.accept, "M-1", given, tree="t", by="supervisor")


def test_a_gate_that_was_mended_since_is_no_veto(desk):
    desk.ask()
    gate = named_gate(desk)
    accept(desk, result(gate, passed=False), result(gate, time=LATER))


def test_a_milestone_is_judged_once(desk):
    desk.ask()
    accept(desk)
    for command, named in (
        (promotion.accept, {"gathered": green(desk), "tree": "t"}),
        (promotion.redo, {"missing": "x", "verify": "y"}),
    ):
        said = refused(desk, command, "M-1", by="supervisor", **named)
        assert "D-001 (accept) of M-1 is not folded yet" in said
    found = told(desk, "supervisor")
    assert found["judged"].says == "D-001 accept, not folded yet"
    assert "judge" not in found
    fold(desk, "D-001")
    found = told(desk, "supervisor", beside=Beside(done={"audited": LATER}))
    assert not {"judge", "judged", "checkpoint"} & found.keys()
    again = refused(desk, promotion.accept, "M-1", green(desk), tree="t", by="supervisor")
    assert "M-1 is passed already" in again
    assert "loopgraph milestone next" in refused(
        desk, promotion.request, "M-1", surface="G-1", evidence="log"
    )


def test_what_is_observed_is_never_said_in_advance(desk):
    desk.ask()
    ways = told(desk, "supervisor")["judge"].commands
    assert any("=pass|fail" in way for way in ways)
    assert not any("=pass" in way.replace("=pass|fail", "") for way in ways)


def test_the_judge_is_not_offered_an_accept_over_red(desk):
    desk.ask()
    bad = result(named_gate(desk), passed=False, time=LATER)
    part = told(desk, "supervisor", gathered=green(desk, bad))["judge"]
    assert not any("promote accept" in way for way in part.commands)
    assert f"Gate {bad.check}: failed" in " ".join(part.details)
    part = told(desk, "supervisor", gathered=green(desk))["judge"]
    assert any("promote accept M-1" in way for way in part.commands)


# Request ---------------------------------------------------------------------------------------


def test_a_request_needs_its_row_closed_and_a_surface_that_is_there(desk):
    words: dict[str, Any] = {"surface": "src/a.py", "evidence": "log"}
    said = refused(desk, promotion.request, "M-1", **words)
    assert "M-1: exit checks” is not closed" in said
    assert "loopgraph gate set 'M-1' --status closed" in said
    assert "promote request" not in "".join(
        told(desk).get("ready", fire_parts.Part("ready", "", "")).commands
    )
    desk.do(gates.change, "M-1", status="closed", evidence="R1")
    (way,) = told(desk)["ready"].commands
    assert way.startswith("loopgraph promote request M-1 ")
    nothing = frozenset[str]()
    for surface in ("everything that matters", "G-77", "none", "src/gone.py"):
        said = refused(
            desk, promotion.request, "M-1", surface=surface, evidence="log", there=nothing
        )
        assert "neither a path of the workspace nor a gate" in said
    for evidence in ("none", "—", "n/a"):
        said = refused(desk, promotion.request, "M-1", surface="G-1", evidence=evidence)
        assert "nothing shows" in said
    there = frozenset({"src/a b.py", "src/a.py"})
    change = desk.do(
        promotion.request, "M-1", surface="`src/a.py`, src/a b.py, src/gone.py", evidence="log",
        there=there,
    )  # fmt: skip
    assert "Not in the workspace: src/gone.py" in change.says
    said = refused(desk, promotion.request, "M-1", **words)
    assert "M-1 already waits for its audit" in said
    assert "loopgraph next" in said


# The end ---------------------------------------------------------------------------------------


def test_the_last_accept_closes_a_run_that_is_exit_ready(desk):
    at_last(desk)
    desk.ask()
    desk.do(finish.exit_ready, why="the proof passed")
    kept = [gap.id for gap in desk.ledger.gaps]
    id_ = accept(desk)
    assert "end" not in told(desk)
    fold(desk, id_)
    said = desk.ledger.fields["Run status"].text
    assert said == f"`closed` (goal met: {id_}; dropped: {', '.join(kept)})"
    assert (desk.ledger.gate, desk.ledger.promotion.empty) == ("passed", True)
    assert f"accepted 2026-01-02 by {id_}, R0; evidence/log.txt" in desk.files["ledger.md"]
    assert "the run is closed" in refused(
        desk, promotion.accept, desk.ledger.milestone, green(desk), tree="t", by="supervisor"
    )
    assert not {"judge", "judged", "checkpoint"} & told(desk, "supervisor").keys()
    assert desk.found() == ()


def test_an_accept_before_exit_ready_closes_nothing(desk):
    at_last(desk)
    desk.ask()
    fold(desk, accept(desk))
    assert (desk.ledger.status, desk.ledger.gate) == ("active", "passed")
    assert desk.ledger.promotion.empty
    desk.do(finish.exit_ready, why="the proof passed")
    assert "finish closed" in told(desk, "supervisor")["judge"].commands[0]
    desk.do(finish.closed, why="goal met", by="supervisor")


def test_a_packet_behind_the_accept_keeps_the_run_from_closing(desk):
    at_last(desk)
    desk.ask()
    desk.do(finish.exit_ready, why="the proof passed")
    accept(desk)
    desk.do(directives.add, PLAN, by="supervisor")
    fold(desk, "D-001")
    assert desk.ledger.status == "exit-ready"
    assert "The run is not closed yet: D-002" in desk.last.says


def test_a_single_goal_is_closed_by_its_accept(desk):
    desk = Desk(name="deliver", milestones="single")
    for row in desk.ledger.scoreboard:
        desk.do(gates.change, row.gate, status="closed", evidence="seen")
    ways = told(desk)["ready"].commands
    assert [way.split()[1] for way in ways] == ["promote", "finish"]
    desk.ask()
    desk.do(finish.exit_ready, why="the proof passed")
    assert "judge" in told(desk, "supervisor")
    assert "waits for its audit" in refused(desk, finish.closed, why="x", by="supervisor")
    id_ = accept(desk)
    assert f"{id_} is not folded" in refused(desk, finish.closed, why="x", by="supervisor")
    fold(desk, id_)
    assert desk.ledger.status == "closed"
    assert desk.ledger.gate == "n/a"


def test_a_redo_of_a_run_that_is_exit_ready_makes_it_active(desk):
    at_last(desk)
    desk.ask()
    desk.do(finish.exit_ready, why="the proof passed")
    fold(desk, redo(desk))
    assert (desk.ledger.status, desk.ledger.gate) == ("active", "open")


def test_exit_ready_names_the_request_that_comes_first(desk):
    at_last(desk)
    said = refused(desk, finish.exit_ready, why="x")
    assert f"First loopgraph promote request {desk.ledger.milestone} " in said
    assert [way.split()[1] for way in told(desk)["ready"].commands] == ["promote", "finish"]
    desk.ask()
    assert [way.split()[1] for way in told(desk)["ready"].commands] == ["finish"]


# A fire ----------------------------------------------------------------------------------------


def test_a_fire_ends_at_its_cap_unless_something_waits_to_be_folded(desk):
    for number in range(8):
        said = Said(
            f"a {number}", ("src/a.py",), "ok", ("log",), "+0/-1", "more", converge=number == 4
        )
        desk.do(rounds.record, said)
    assert "end" not in told(desk)
    assert "end" not in told(desk, begun=1)
    found = told(desk, begun=0)
    assert found["end"].says == "8 of 8 rounds of this fire: end it"
    assert "item" not in found
    desk.do(directives.add, PLAN, by="supervisor")
    assert "end" not in told(desk, begun=0)


@pytest.mark.parametrize("status", ["closed", "stalled"])
def test_where_a_run_is_over_nothing_is_folded(desk, status):
    desk.do(directives.add, PLAN, by="supervisor")
    desk.edit("ledger.md", "Run status: `active`", f"Run status: `{status}`")
    assert "fold" not in told(desk)
    assert "end" in told(desk)


def test_a_round_that_is_measured_is_recorded_without_claims(desk):
    desk.do(rounds.start)
    assert "--net" in told(desk)["round"].commands[0]
    measured = Beside(snapshots=frozenset({"R1.start"}))
    assert "--net" not in told(desk, beside=measured)["round"].commands[0]


def test_a_survey_counts_what_it_has_registered(desk):
    desk.edit("ledger.md", f"- Item: {desk.ledger.slice.item.text}", "- Item: Survey: look around")
    part = told(desk)["item"]
    assert part.details[-1] == "Registered: 3 of 5 debt rows"
    assert any("gap add" in way for way in part.commands)
    for name in ("far", "near"):
        row = gaps.Row("P2", None, f"src/{name}.py", "pytest", name)
        desk.do(gaps.add, row)
    part = told(desk)["item"]
    assert part.details[-1] == "Registered: 5 of 5 debt rows"
    assert not any("gap add" in way for way in part.commands)


def test_a_survey_asks_for_no_more_rows_than_the_register_may_hold():
    desk = Desk(GAP_CAP="4")
    desk.edit("ledger.md", f"- Item: {desk.ledger.slice.item.text}", "- Item: Survey: look around")
    assert told(desk)["item"].details[-1] == "Registered: 3 of 4 debt rows"


# Rounds ----------------------------------------------------------------------------------------


def test_rows_that_come_next_together_bring_all_their_paths(desk):
    said = Said("a", ("src/a.py",), "ok", ("log",), "+1/-0", "GAP-002, GAP-003")
    desk.do(rounds.record, said)
    cut = desk.ledger.slice
    assert cut.item.text == "GAP-002: no test reads export; GAP-003: no test reads stock"
    assert cut.write_set.text == "src/orders/export, src/orders/stock"
    assert cut.verify.text == "pytest -q"
    assert desk.ledger.rounds[-1].next == "GAP-002, GAP-003"
    desk.do(rounds.record, said._replace(next="GAP-001 and more"))
    assert desk.ledger.slice.item.text == "GAP-001 and more"
    desk.do(rounds.record, said._replace(next="GAP-001"))
    assert desk.ledger.slice.item.text == "GAP-001: no test reads totals"


def test_a_convergence_round_that_grew_is_not_told_to_be_another_one_where_it_is_due(desk):
    grown = Said("a", ("src/a.py",), "ok", ("log",), "+3/-1", "b", converge=True)
    assert "or record it without --converge" in refused(desk, rounds.record, grown)
    for _ in range(5):
        desk.do(rounds.record, grown._replace(converge=False))
    assert "without --converge" not in refused(desk, rounds.record, grown)
