"""The hot start: what a node is told when it wakes, in which order, and by which command."""

from __future__ import annotations

import pytest

from loopgraph.edges.beside import Beside, Stopped
from loopgraph.edges.stops import Stop
from loopgraph.node import call as parts
from loopgraph.node import directives, fire, gaps, gates, owner, results, rounds
from loopgraph.node.directives import Packet
from loopgraph.node.owner import Question
from loopgraph.node.results import Result
from loopgraph.node.rounds import Said
from tests.check import compiled
from tests.node.desk import NOW, Desk

PASSED = True
NOTHING = Beside()
STOPPED = Beside(stops=(Stopped(".longgraph/STOP", Stop("owner", NOW, "lunch")),))


def started(desk, role="executor", beside=NOTHING, **more):
    return fire.hot_start(desk.run, beside, role, **more)


def of(found, kind):
    return [part for part in found.parts if part.kind == kind]


def record(desk, **more):
    said = {"item": "build", "changed": ("src/a.py",), "result": "ok", "evidence": ("log",)}
    said |= {"net": "+3/-1", "next": "build more"}
    desk.do(rounds.record, Said(**{**said, **more}))


def test_a_fresh_run_begins_with_its_slice_and_the_ops_that_it_cites():
    found = started(Desk())
    (item,) = of(found, "item")
    assert found.work
    assert [line.partition(":")[0] for line in item.details] == [
        "Write set", "Context", "Verify", "Done when",
    ]  # fmt: skip
    assert item.commands == ("loopgraph round start --as executor",)
    assert [part.id for part in of(found, "context")]
    assert "policies and budget" in of(found, "ops")[0].says


def test_a_stop_is_all_that_a_stopped_node_is_told():
    for role in ("executor", "supervisor", "scout"):
        found = started(Desk(), role, STOPPED)
        assert not found.work
        assert "end your timer" in of(found, "stop")[0].says
    assert {part.kind for part in started(Desk(), "executor", STOPPED).parts} == {"stop"}


@pytest.mark.parametrize(
    ("status", "says"),
    [("closed", "closed: end your timer"), ("stalled", "owner resumes it: end your timer"),
     ("exit-ready", "waits to be judged: end the fire")],
)  # fmt: skip
def test_a_run_that_is_over_ends_the_timer_or_the_fire(status, says):
    desk = Desk()
    desk.edit("ledger.md", "Run status: `active`", f"Run status: `{status}`")
    found = started(desk)
    assert says in of(found, "end")[0].says
    assert not found.work
    assert not of(found, "item")


def test_an_unknown_status_is_a_problem_and_no_work():
    desk = Desk()
    desk.edit("ledger.md", "Run status: `active`", "Run status: `resting`")
    found = started(desk)
    assert "no known Run status" in of(found, "problem")[0].says
    assert not found.work


def test_corrections_come_first_with_their_text_and_one_fold_command():
    desk = Desk()
    for what in ("mend the limit", "name the rows"):
        desk.do(directives.add, Packet("plan", None, "R0", what, "pytest", "none"), by="supervisor")
    found = started(desk)
    first, second = of(found, "fold")
    assert first.details == (
        "Context: R0", "Action: mend the limit", "Verify: pytest", "Stop: none",
    )  # fmt: skip
    assert first.commands == (
        "loopgraph directive fold D-001 --effect WHAT_IT_CHANGED --as executor",
    )
    assert not second.commands
    assert found.parts.index(first) == 0
    assert started(desk, named="r").parts[0].commands[0].endswith("--run r --as executor")


def test_a_due_convergence_comes_before_the_item():
    desk = Desk()
    for _ in range(5):
        record(desk)
    found = started(desk)
    kinds = [part.kind for part in found.parts]
    assert found.due
    assert kinds.index("converge") < kinds.index("item")
    assert "--converge" in of(found, "converge")[0].commands[0]
    ways = of(found, "item")[0].commands
    assert not [way for way in ways if "round start" in way]  # it would be refused


def test_a_round_under_way_and_a_red_verify_are_named():
    desk = Desk()
    record(desk, failed=True, next=None)
    assert "R1 was red" in of(started(desk), "red")[0].says
    desk.do(rounds.start, repair=True)
    found = started(desk)
    (part,) = of(found, "round")
    assert part.says.startswith("R2 is under way")
    assert part.commands[0].startswith("loopgraph round record ")
    assert "R1 was red" in of(found, "red")[0].says


def test_under_audit_only_a_debt_row_that_touches_nothing_of_it_is_work():
    desk = Desk()
    desk.do(gaps.add, gaps.Row("P1", None, "src/orders/far.py", "pytest -q", "far"))
    desk.ask(surface="src/orders/totals")
    found = started(desk)
    assert "src/orders/totals" in of(found, "audit")[0].details[0]
    assert found.item is not None
    assert "totals" not in " ".join(of(found, "item")[0].details)


def test_the_judge_sees_each_exit_check_with_its_own_fresh_result():
    desk = Desk()
    desk.ask(surface="src/a.py")
    checks = results.checks("M-1", parts.spec(desk.run).milestones[0].exit_checks)
    lines = of(started(desk, "supervisor"), "judge")[0].details
    assert sum("no result" in line for line in lines) == len(checks)
    given = tuple(
        Result(check.id, "supervisor", "2026-01-03T00:00:00+00:00", PASSED, "t", "exit 0")
        for check in checks
    )
    (part,) = of(started(desk, "supervisor", gathered=given), "judge")
    assert sum("passed 2026-01-03" in line for line in part.details) == len(checks)
    assert part.commands[0] == "loopgraph promote accept M-1 --as supervisor"
    old = tuple(one._replace(time="2025-01-01T00:00:00+00:00") for one in given)
    (part,) = of(started(desk, "supervisor", gathered=old), "judge")
    assert sum("before the request" in line for line in part.details) == len(checks)
    other = tuple(one._replace(node="executor") for one in given)
    (part,) = of(started(desk, "supervisor", gathered=other), "judge")
    assert sum("no result" in line for line in part.details) == len(checks)


def test_the_judge_is_told_what_to_audit_and_what_to_rotate():
    desk = Desk()
    assert not started(desk, "supervisor").work
    record(desk)
    desk.do(
        directives.add, Packet("plan", None, "R1", "mend it", "pytest", "none"), by="supervisor"
    )
    desk.do(directives.fold, "D-001", effect="mended")
    found = started(desk, "supervisor")
    assert of(found, "audit")[0].says == "audited through R0 of R1"
    assert of(found, "audit")[0].commands == (
        "loopgraph rounds --since R1",
        "loopgraph audited --through R1 --as supervisor",
    )
    (part,) = of(
        started(desk, "supervisor", Beside(snapshots=frozenset({"R1.start", "R1"}))), "audit"
    )
    assert part.commands[1] == "loopgraph diff R1.start R1"
    assert of(found, "rotate")[0].says == "folded, to rotate: D-001"
    desk.do(directives.audited, through=1, by="supervisor")
    assert not started(desk, "supervisor").work


def test_a_card_waits_and_its_answer_is_told_to_the_node_that_asked():
    desk = Desk()
    desk.do(owner.ask, Question("Drop it?", "it is twice", ("keep it", "drop it")))
    found = started(desk)
    assert of(found, "card")[0].says.startswith("OB-001 waits for the owner: Drop it?")
    asked = started(desk, "owner")
    assert of(asked, "card")[0].details == ("A: keep it", "B: drop it")
    desk.do(owner.answer, "OB-001", "B", by="owner")
    (part,) = of(started(desk), "answer")
    assert "answered B after R0, by the owner" in part.says
    assert not of(started(desk), "card")


def test_a_passed_gate_names_the_way_on():
    desk = Desk()
    desk.edit("ledger.md", "Milestone gate: `open`", "Milestone gate: `passed` (M-1 by D-001)")
    assert of(started(desk), "milestone")[0].commands == ("loopgraph milestone next --as executor",)


def test_what_is_nearly_full_is_told_with_the_way_to_make_room():
    desk = Desk()
    while len(desk.ledger.gaps) < 11:
        number = len(desk.ledger.gaps)
        desk.do(gaps.add, gaps.Row("P2", None, f"src/x{number}.py", "pytest", "x"))
    (part,) = of(started(desk), "cap")
    assert part.says == "11 of 12 debt rows (GAP_CAP)"
    assert part.commands == ("loopgraph gap park --as executor",)


def test_without_a_supervisor_the_owner_judges():
    desk = Desk(supervisor="no")
    desk.ask(surface="src/a.py")
    assert of(started(desk, "owner"), "judge")


def test_beside_a_debt_row_only_rows_that_are_legal_too_are_told():
    desk = Desk()
    for name in ("totals", "far", "near"):
        row = gaps.Row("P1", None, f"src/orders/{name}.py", "pytest -q", f"mend {name}")
        desk.do(gaps.add, row)
    desk.ask(surface="src/orders/totals.py")
    told = [part.says for part in started(desk).parts if part.kind in ("item", "lane")]
    assert any("mend far" in said or "mend near" in said for said in told)
    assert not any("mend totals" in said for said in told)


def test_a_discovery_driven_run_is_told_where_its_sweep_stands():
    (part,) = of(started(Desk(compiled.files("converge"))), "sweep")
    assert part.says.startswith("area src/orders of 2")
    assert part.commands[0].startswith("loopgraph sweep record --area 1 ")
    assert not of(started(Desk()), "sweep")


def test_a_checkpoint_is_due_where_commits_are_granted_and_audited_rounds_are_newer():
    desk = Desk()
    record(desk)
    desk.do(directives.audited, through=1, by="supervisor")
    early, late = "2026-01-02T00:00:00+00:00", "2026-01-03T00:00:00+00:00"
    for done, due in (
        ({"audited": late}, True),
        ({"audited": late, "checkpoint": early}, True),
        ({"audited": early, "checkpoint": late}, False),
        ({}, False),
    ):
        found = started(desk, "supervisor", Beside(done=done))
        assert bool(of(found, "checkpoint")) == due, done
    (part,) = of(started(desk, "supervisor", Beside(done={"audited": late})), "checkpoint")
    assert part.commands == ("loopgraph checkpoint --as supervisor",)
    bare = Desk(authority="B")
    record(bare)
    bare.do(directives.audited, through=1, by="supervisor")
    assert not of(started(bare, "supervisor", Beside(done={"audited": late})), "checkpoint")


def ran(passed, hour, check="G-1", node="executor"):
    return Result(check, node, f"2026-01-02T{hour:02}:00:00+00:00", passed, "t", "exit 1")


GREEN, RED = True, False


@pytest.mark.parametrize(
    ("gathered", "red"),
    [
        ((ran(GREEN, 4), ran(RED, 5)), ["G-1"]),
        ((ran(RED, 5, node="supervisor"), ran(GREEN, 4)), ["G-1"]),
        ((ran(RED, 4), ran(GREEN, 5)), []),
        ((ran(RED, 4, check="G-9"),), []),
        ((), []),
    ],
)
def test_a_gate_that_was_red_when_it_was_run_last_comes_before_other_work(gathered, red):
    desk = Desk(name="deliver")
    record(desk)
    found = started(desk, gathered=gathered)
    parts_ = of(found, "red")
    assert [part.id for part in parts_] == red
    for part in parts_:
        kinds = [one.kind for one in found.parts]
        assert part.commands == ("loopgraph gate run G-1 --as executor",)
        assert "failed 2026-01-02T05:00:00" in part.says
        assert kinds.index("red") < kinds.index("item")


def test_what_was_red_before_the_first_edit_is_told_once_its_row_was_closed():
    desk = Desk(name="deliver")
    assert not of(started(desk, gathered=(ran(RED, 2),)), "red")
    desk.do(rounds.start, baseline="G-1 fails")
    record(desk)
    assert not of(started(desk, gathered=(ran(RED, 5),)), "red")
    desk.do(gates.change, "G-1", status="closed", evidence="green")
    assert of(started(desk, gathered=(ran(RED, 5),)), "red")
