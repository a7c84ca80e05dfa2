"""The end of a run: what must be true before it is said, who says it, and what it leaves behind."""

from __future__ import annotations

import pytest

from loopgraph.model import states
from loopgraph.node import directives, finish, gaps, gates
from loopgraph.node.directives import Packet
from tests.node.desk import Desk

PLAN = Packet("plan", None, "R0", "name the unit", "pytest -q", "none")
GAP = gaps.Row("P2", None, "docs/a.md", "look", "no page")


@pytest.fixture
def desk():
    return Desk(name="deliver")


def stands(desk, status, gate="open"):
    """Somebody has brought the run to another state."""
    now, here = desk.ledger.status, desk.ledger.gate
    desk.edit("ledger.md", f"Run status: `{now}`", f"Run status: `{status}`")
    desk.edit("ledger.md", f"Milestone gate: `{here}`", f"Milestone gate: `{gate}`")
    return desk


def at_last(desk):
    old = desk.ledger.fields["Current milestone"].text
    last = desk.run.record.spec.milestones[-1].id
    desk.edit("ledger.md", f"Current milestone: {old} |", f"Current milestone: {last} |")
    return desk


def done(desk):
    for row in desk.ledger.scoreboard:
        desk.do(gates.change, row.gate, status="closed", evidence="seen")
    return desk


def said(desk):
    return desk.ledger.fields["Run status"].text


ENDS = {
    "exit-ready": (finish.exit_ready, "executor"),
    "stalled": (finish.stalled, "executor"),
    "closed": (finish.closed, "owner"),
}


@pytest.mark.parametrize("now", states.RUN_STATUSES)
@pytest.mark.parametrize("to", ENDS)
def test_a_run_ends_only_by_the_table_of_states(desk, now, to):
    command, by = ENDS[to]
    stands(at_last(done(desk)), now, "passed")
    if to in states.RUN[now]:
        assert desk.do(command, why=" enough  now ", by=by).says[0] == f"Run status: {to}."
        assert desk.ledger.status == to
        assert "enough now" in said(desk)
        return
    told = desk.refuse(command, why="enough", by=by)
    after = ", ".join(sorted(states.RUN[now])) or "nothing"
    assert told.what == f"the run is {now} and cannot become {to}"
    assert told.fix == f"After {now} comes: {after}."
    assert told.where == f"ledger.md:{desk.ledger.line('Run status')}"


@pytest.mark.parametrize("to", ENDS)
def test_an_end_says_why(desk, to):
    command, by = ENDS[to]
    told = stands(at_last(done(desk)), "active", "passed").refuse(command, why=" ", by=by)
    assert (told.where, told.what) == ("--why", "nothing is said")


@pytest.mark.parametrize(("priority", "may"), [("P0", False), ("P1", False), ("P2", True)])
def test_urgent_debt_keeps_a_run_from_its_end(desk, priority, may):
    stands(at_last(done(desk)), "active", "passed")
    desk.do(gaps.add, GAP._replace(priority=priority))
    desk.do(gaps.add, GAP._replace(priority=priority))
    if may:
        desk.do(finish.exit_ready, why="the proof passed")
        return
    told = desk.refuse(finish.exit_ready, why="the proof passed")
    assert told.what == "GAP-004, GAP-005 must be closed first"
    assert told.where == f"ledger.md:{desk.ledger.gaps[3].line}"


def test_an_open_row_keeps_a_run_from_its_end_and_is_named_with_its_line(desk):
    rows = at_last(desk).ledger.scoreboard
    told = desk.refuse(finish.exit_ready, why="x")
    assert (
        told.what == f"{len(rows)} rows of the Gate scoreboard are not closed, first {rows[0].gate}"
    )
    assert told.where == f"ledger.md:{rows[0].line}"
    for row in rows[:-1]:
        desk.do(gates.change, row.gate, status="closed", evidence="seen")
    told = desk.refuse(finish.exit_ready, why="x")
    assert told.what.startswith("1 rows of the Gate scoreboard are not closed, first G-2 lint")


@pytest.mark.parametrize("gate", ["open", "pending-audit", "passed"])
def test_the_last_milestone_is_asked_for_before_the_end(desk, gate):
    stands(at_last(done(desk)), "active", gate)
    if gate != "open":
        desk.do(finish.exit_ready, why="x")
        return
    told = desk.refuse(finish.exit_ready, why="x")
    assert told.what == "M-4 was not asked for"
    assert told.where == f"ledger.md:{desk.ledger.line('Milestone gate')}"


def test_before_the_last_milestone_no_run_is_at_its_end(desk):
    told = stands(done(desk), "active", "passed").refuse(finish.exit_ready, why="x")
    assert told.what == "M-1 is not the last milestone"
    assert told.where == f"ledger.md:{desk.ledger.line('Current milestone')}"
    assert told.fix == "M-4 comes last: loopgraph milestone next"


def test_without_a_record_the_milestone_that_stands_there_is_the_last(desk):
    files = {name: text for name, text in desk.files.items() if name != "run.yaml"}
    Desk(stands(done(Desk(files)), "active", "passed").files).do(finish.exit_ready, why="x")


def test_a_sweep_that_still_finds_something_keeps_a_run_from_its_end():
    desk = done(Desk(name="converge"))
    told = desk.refuse(finish.exit_ready, why="x")
    assert told.what == "fewer than two full sweeps are recorded"
    assert told.where == f"ledger.md:{desk.ledger.line('Discovery tracker')}"


# Closed -----------------------------------------------------------------------------------------


def test_the_owner_ends_a_run_at_any_time_and_what_was_open_is_named(desk):
    for row in desk.ledger.scoreboard[1:]:
        desk.do(gates.change, row.gate, status="closed", evidence="seen")
    desk.do(directives.add, PLAN, by="supervisor")
    desk.do(finish.closed, why="enough", by="owner")
    assert said(desk) == (
        "`closed` (owner: enough; dropped: North Star: its proof, GAP-001, GAP-002, GAP-003)"
    )


def test_a_run_that_is_closed_says_what_is_left_around_it(desk):
    slug = desk.run.record.spec.slug
    told = desk.do(finish.closed, why="enough", by="owner").says
    assert told[0] == "Run status: closed."
    assert f"loopgraph rounds {slug} --all" in told[1]
    assert "timer of each node" in told[2]
    assert told[3].endswith(f"loopgraph new --from {slug}")


def test_where_nothing_was_open_nothing_is_dropped(desk):
    done(desk)
    for gap in desk.ledger.gaps:
        desk.do(gaps.close, gap.id, evidence="seen")
    desk.do(finish.closed, why="enough", by="owner")
    assert said(desk) == "`closed` (owner: enough)"


def test_the_supervisor_ends_no_run_that_is_active(desk):
    told = desk.refuse(finish.closed, why="x", by="supervisor")
    assert told.what == "the run is active"
    assert told.where == f"ledger.md:{desk.ledger.line('Run status')}"


@pytest.mark.parametrize("status", ["exit-ready", "stalled"])
def test_the_supervisor_ends_a_run_once_its_corrections_are_folded(desk, status):
    desk.do(directives.add, PLAN, by="supervisor")
    stands(desk, status, "passed")
    told = desk.refuse(finish.closed, why="x", by="supervisor")
    assert told.what == "D-001 is not folded"
    assert told.where.startswith("directives.md:")
    desk.do(directives.fold, "D-001", effect="x")
    desk.do(finish.closed, why="goal met", by="supervisor")
    assert said(desk).startswith("`closed` (goal met; dropped: ")


@pytest.mark.parametrize(
    ("gate", "asked", "may"),
    [
        ("pending-audit", True, False), ("pending-audit", False, False), ("passed", True, True),
        ("n/a", True, False), ("n/a", False, True), ("open", True, True),
    ],
)  # fmt: skip
def test_what_waits_for_its_audit_is_judged_before_the_supervisor_ends_the_run(
    desk, gate, asked, may
):
    if asked:
        desk.edit("ledger.md", "- Boundary: none", "- Boundary: M-1 (asked)")
    stands(desk, "exit-ready", gate)
    if may:
        desk.do(finish.closed, why="goal met", by="supervisor")
        assert desk.ledger.status == "closed"
        return
    told = desk.refuse(finish.closed, why="goal met", by="supervisor")
    assert told.what == "M-1 waits for its audit"
    assert told.where == f"ledger.md:{desk.ledger.line('Milestone gate')}"


# Resume -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", states.RUN_STATUSES)
def test_only_a_run_that_is_stalled_is_taken_up_again(desk, status):
    stands(desk, status)
    if status == "stalled":
        desk.do(finish.resume, why="a  path", by="owner")
        assert said(desk) == "`active` (resumed by owner: a path)"
        return
    told = desk.refuse(finish.resume, why="x", by="owner")
    assert told.what == "it is not stalled"
    assert told.where == f"ledger.md:{desk.ledger.line('Run status')}"


def test_a_run_is_resumed_with_a_reason(desk):
    assert stands(desk, "stalled").refuse(finish.resume, why="", by="owner").where == "--why"


def test_a_status_that_cannot_be_read_is_refused_with_its_line(desk):
    line = desk.ledger.line("Run status")
    desk.edit("ledger.md", "Run status: `active`", "Run status: resting")
    told = desk.refuse(finish.stalled, why="x")
    assert told.where == f"ledger.md:{line}"
    assert told.what == "the Status header does not say Run status as it can be read"
    desk.edit("ledger.md", "Run status: resting\n", "")
    told = desk.refuse(finish.stalled, why="x")
    assert (told.where, told.what) == ("ledger.md", "the Status header does not say Run status")


# An accept of the last milestone ----------------------------------------------------------------


def accepted(desk):
    """The last milestone's accept is folded while the run is exit-ready."""
    desk.edit("ledger.md", "- Boundary: none", f"- Boundary: {desk.ledger.milestone} (asked)")
    packet = Packet("plan", desk.ledger.milestone, "R0", "go on", "seen", "none")
    desk.do(directives.add, packet, by="supervisor")
    desk.edit("directives.md", "· plan ·", "· accept ·")
    desk.do(directives.fold, "D-001", effect="on")
    return desk


@pytest.mark.parametrize(
    ("open_", "left"),
    [
        ({}, ""), ({"gap": "P0"}, "GAP-004"), ({"gap": "P1"}, "GAP-004"), ({"gap": "P2"}, ""),
        ({"row": "G-1"}, "G-1 tests"), ({"row": "G-1", "gap": "P0"}, "G-1 tests, GAP-004"),
    ],
)  # fmt: skip
def test_the_last_accept_closes_a_run_that_is_ready_unless_something_is_open(desk, open_, left):
    done(at_last(desk))
    if "gap" in open_:
        desk.do(gaps.add, GAP._replace(priority=open_["gap"]))
    if "row" in open_:
        desk.do(gates.change, open_["row"], status="open", evidence="red again")
    accepted(stands(desk, "exit-ready", "pending-audit"))
    if left:
        assert f"The run is not closed yet: {left}" in desk.last.says
        assert desk.ledger.status == "exit-ready"
    else:
        assert "Run status: closed." in desk.last.says
        assert said(desk).startswith("`closed` (goal met: D-001; dropped: ")


def test_the_last_accept_of_a_run_that_goes_on_closes_nothing(desk):
    accepted(stands(done(at_last(desk)), "active", "pending-audit"))
    assert (desk.ledger.status, desk.ledger.gate) == ("active", "passed")
