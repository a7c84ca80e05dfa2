"""What the laws of a run refuse: each names the rule and the way forward."""

import pytest

from loopgraph.model.errors import RefusedError, UnreadableError, UsageError
from loopgraph.node import (
    directives,
    findings,
    finish,
    gaps,
    gates,
    metrics,
    opsfacts,
    owner,
    promotion,
    results,
    rounds,
    slices,
    standing,
    sweep,
)
from loopgraph.node.directives import Packet
from loopgraph.node.owner import Question
from loopgraph.node.results import Result
from tests.node.desk import NOW, PERSON, STRANGER, Desk

GAP = gaps.Row("P2", None, "docs/a.md", "look", "no page")
PLAN = Packet("plan", None, "none", "test it", "pytest", "none")
CARD = Question("Go?", "the path needs it", ("wait", "go | 走", "drop"))


@pytest.fixture
def desk():
    return Desk(name="deliver")


@pytest.fixture
def sweeping():
    return Desk(name="converge")


def refused(desk, command, *values, error=RefusedError, **named):
    before = dict(desk.files)
    with pytest.raises(error) as found:
        desk.do(command, *values, **named)
    assert desk.files == before
    return str(found.value)


# Ids -------------------------------------------------------------------------------------------


def test_an_id_that_somebody_used_again_by_hand_is_refused_with_its_line(desk):
    row = next(
        line for line in desk.files["ledger.md"].splitlines() if line.startswith("| GAP-001 ")
    )
    desk.edit("ledger.md", f"{row}\n", f"{row}\n{row}\n")
    said = refused(desk, gaps.add, GAP)
    assert "GAP-001 is used twice" in said
    assert "ledger.md:" in said


def test_an_id_above_highest_ids_is_refused(desk):
    desk.edit("ledger.md", "| GAP-003 |", "| GAP-030 |")
    assert "GAP-030 is in use, but Highest ids says GAP-003" in refused(desk, gaps.add, GAP)


def test_ids_are_never_used_again(desk):
    desk.do(gaps.add, GAP)
    desk.do(gaps.close, "GAP-004", evidence="seen")
    desk.do(gaps.add, GAP)
    assert desk.ledger.gaps[-1].id == "GAP-005"
    assert desk.archive["gaps"].startswith("| GAP-004 | P2 | M-1 | docs/a.md | look | no page |")


# Writers ---------------------------------------------------------------------------------------


def test_a_person_whom_nobody_named_may_do_anything(desk):
    desk.do(gaps.add, GAP, by=PERSON)
    desk.do(directives.add, PLAN, by=PERSON)
    desk.do(standing.add, "SCOPE", "docs only", by=PERSON)
    assert desk.directives.corrections[-1].fields["Action"].text == "owner: test it"


# Caps ------------------------------------------------------------------------------------------


def test_the_thirteenth_gap_names_what_to_park(desk):
    while len(desk.ledger.gaps) < 12:
        desk.do(gaps.add, GAP)
    said = refused(desk, gaps.add, GAP)
    assert "GAP_CAP is 12" in said
    assert "loopgraph gap park GAP-012" in said
    desk.do(gaps.park)
    assert [row.id for row in desk.ledger.gaps][-1] == "GAP-011"


def test_a_p1_is_never_parked(desk):
    for row in desk.ledger.gaps:
        desk.do(gaps.close, row.id, evidence="seen")
    desk.do(gaps.add, GAP._replace(priority="P1"))
    assert "is P1" in refused(desk, gaps.park)


def test_where_no_row_may_be_parked_a_full_register_names_rows_to_close_or_merge(desk):
    for row in desk.ledger.gaps:
        desk.do(gaps.close, row.id, evidence="seen")
    while len(desk.ledger.gaps) < 12:
        desk.do(gaps.add, GAP._replace(priority="P1"))
    said = refused(desk, gaps.add, GAP)
    assert "Close or merge one, such as GAP-004, GAP-005, GAP-006, GAP-007: a P0 or P1" in said


def test_the_ninth_directive_and_the_seventh_card_are_refused(desk):
    for _ in range(8):
        desk.do(directives.add, PLAN, by="supervisor")
    said = refused(desk, directives.add, PLAN, by="supervisor")
    assert "OPEN_DIRECTIVE_CAP is 8" in said
    assert "D-001, D-002" in said
    for _ in range(6):
        desk.do(owner.ask, CARD)
    assert "OWNER_CAP is 6" in refused(desk, owner.ask, CARD)
    desk.do(owner.ask, CARD, by="supervisor")
    assert desk.directives.cards[-1].id == "OB-007"
    assert desk.found() == ()


def test_the_thirteenth_standing_entry_is_refused(desk):
    while len(desk.directives.standing) < 12:
        desk.do(standing.add, "SCOPE", "docs", by="owner")
    assert "STANDING_CAP is 12" in refused(desk, standing.add, "SCOPE", "docs", by="owner")


def test_closed_rows_beyond_twelve_go_to_the_archive(desk):
    for number in range(14):
        desk.do(gates.change, f"check {number}", status="closed", evidence="seen")
    assert "| check 0 | closed | seen |" in desk.archive["gates"]
    assert desk.found() == ()


# Directives ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("packet", "says"),
    [
        (PLAN._replace(action="Do not touch the tests."), "only forbids"),
        (PLAN._replace(action="none", stop="src/a.py"), "only forbids"),
        (PLAN._replace(stop="src/orders/ until D-009"), "closes src/orders/"),
        (PLAN._replace(stop="src/**"), "closes src/**"),
        (PLAN._replace(verdict="stop", action="leave tests/ alone until M-2"), "forbids"),
    ],
)
def test_what_leaves_no_lawful_work_is_refused(desk, packet, says):
    assert says in refused(desk, directives.add, packet, by="supervisor")


def test_a_stop_that_says_what_stays_allowed_is_taken(desk):
    desk.do(
        directives.add,
        PLAN._replace(stop="src/orders/ but totals.py stays allowed"),
        by="supervisor",
    )
    assert desk.found() == ()


def test_a_boundary_is_an_id_and_nothing_else(desk):
    for said in ("GAP-001\n## Corrections", "M-9", "the first", ""):
        packet = PLAN._replace(boundary=said)
        refused(desk, directives.add, packet, by="supervisor", error=UsageError)
    desk.do(directives.add, PLAN._replace(boundary="GAP-001"), by="supervisor")
    assert desk.directives.corrections[-1].boundary == "GAP-001"


@pytest.mark.parametrize("verdict", ["accept", "redo"])
def test_a_verdict_on_a_promotion_goes_through_promote(desk, verdict):
    said = refused(
        desk, directives.add, PLAN._replace(verdict=verdict), by="supervisor", error=UsageError
    )
    assert f"loopgraph promote {verdict}" in said


def test_folding_goes_one_by_one_and_only_forward(desk):
    for _ in range(2):
        desk.do(directives.add, PLAN, by="supervisor")
    assert "D-001 comes first" in refused(desk, directives.fold, "D-002", effect="x")
    desk.do(directives.fold, "D-001", effect="tested")
    assert "folded already" in refused(desk, directives.fold, "D-001", effect="x")
    assert "no such directive" in refused(
        desk, directives.fold, "D-007", effect="x", error=UsageError
    )


def test_a_watermark_ahead_of_the_queue_is_refused(desk):
    desk.do(directives.add, PLAN, by="supervisor")
    desk.edit("ledger.md", "Last directive folded: none", "Last directive folded: D-009")
    assert "D-009 is folded, but the queue goes to D-001" in refused(
        desk, directives.fold, "D-001", effect="x"
    )


def test_the_next_packet_moves_what_is_folded_word_for_word(desk):
    desk.do(directives.add, PLAN, by="supervisor")
    before = desk.files["directives.md"]
    packet = before[before.index("D-001 ·") :]
    desk.do(directives.fold, "D-001", effect="tested")
    desk.do(directives.add, PLAN, by="supervisor")
    assert packet.rstrip("\n") in desk.archive["directives"]
    assert [one.id for one in desk.directives.corrections] == ["D-002"]


# Promotion -------------------------------------------------------------------------------------


def passed(desk, *, node="supervisor", time=NOW, tree="t"):
    milestone = desk.run.record.spec.milestones[0]
    return tuple(
        Result(check.id, node, time, passed=True, tree=tree, evidence="seen")
        for check in results.checks(milestone.id, milestone.exit_checks)
    )


@pytest.fixture
def asked(desk):
    desk.ask(surface="src/orders/", evidence="evidence/m1")
    return desk


def test_a_request_takes_the_slice_off_the_surface(asked):
    assert asked.ledger.gate == "pending-audit"
    assert asked.found() == ()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"node": "executor"}, "there is none"),
        ({"time": "2026-01-02T03:04:04+00:00"}, "before the request"),
        ({"tree": "another"}, "another tree"),
    ],
)
def test_an_accept_needs_fresh_results_of_its_own(asked, changes, says):
    said = refused(
        asked, promotion.accept, "M-1", passed(asked, **changes), tree="t", by="supervisor"
    )
    assert says in said
    assert "loopgraph gate run" in said


def test_an_accept_of_another_boundary_is_refused(asked):
    said = refused(asked, promotion.accept, "M-2", passed(asked), tree="t", by="supervisor")
    assert "M-1 waits for its audit, not M-2" in said


def test_what_is_to_be_run_for_each_missing_result_can_be_told_apart(asked):
    said = refused(asked, promotion.accept, "M-1", (), tree="t", by="supervisor")
    assert said.count("--as supervisor") > 1
    assert all(part[:2] == "; " for part in said.split("--as supervisor")[1:-1]), said


def test_a_failed_result_is_no_ground_to_accept(asked):
    bad = tuple(one._replace(passed=False) for one in passed(asked))
    said = refused(asked, promotion.accept, "M-1", bad, tree="t", by="supervisor")
    assert "failed" in said
    assert "loopgraph promote redo M-1" in said


def test_accept_fold_next(asked):
    asked.do(promotion.accept, "M-1", passed(asked), tree="t", by="supervisor")
    assert "is pending-audit" in refused(asked, promotion.go_on)
    asked.do(directives.fold, "D-001", effect="passed")
    assert asked.ledger.gate == "passed"
    asked.do(promotion.go_on)
    assert (asked.ledger.milestone, asked.ledger.gate) == ("M-2", "open")
    assert "M-1 closed 2026-01-02, accepted by D-001" in asked.files["ledger.md"]
    assert asked.found() == ()


def test_passed_by_hand_opens_nothing(asked):
    field = next(
        line for line in asked.files["ledger.md"].splitlines() if line.startswith("Milestone gate")
    )
    asked.edit("ledger.md", field, "Milestone gate: `passed`")
    assert "no accept for it is folded" in refused(asked, promotion.go_on)


def test_the_scoreboard_says_no_passed(desk):
    said = refused(desk, gates.change, "G-1", status="passed", evidence="x")
    assert "directive fold" in said


def test_while_under_audit_nobody_writes_on_the_surface(asked):
    said = refused(asked, slices.change, {"Write set": "src/orders/totals.py"})
    assert "under audit" in said
    line = rounds.Said("a", ("src/orders/totals.py",), "ok", (), "+1/-0", "b")
    assert "under audit" in refused(asked, rounds.record, line)


def test_a_redo_opens_the_gate_again(asked):
    asked.do(promotion.redo, "M-1", missing="one more proof", verify="look", by="supervisor")
    asked.do(directives.fold, "D-001", effect="taken up")
    assert asked.ledger.gate == "open"
    assert asked.ledger.promotion.empty
    assert asked.found() == ()


# The owner -------------------------------------------------------------------------------------


def test_a_card_reads_as_the_owner_needs_it(desk):
    said = desk.do(owner.ask, CARD).says
    assert said[0].startswith("Decision needed: Go?")
    assert said[-1] == "Reply with: A / B / C"
    assert "B — go | 走" in said


def test_an_answer_is_attributed_and_the_card_goes_word_for_word(desk):
    desk.do(owner.ask, CARD)
    row = next(
        line for line in desk.files["ledger.md"].splitlines() if line.startswith("| OB-001 ")
    )
    desk.do(owner.answer, "OB-001", "b", by="owner")
    assert desk.archive["decisions"] == f"{row}\n"
    assert desk.ledger.cards == ()
    assert "- OB-001 · B · owner · after R0 · Go?: go | 走" in desk.files["ledger.md"]
    said = desk.do(rounds.record, rounds.Said("a", (), "ok", ("e",), None, "b")).says
    assert "OB-001 was answered B (owner): Go?: go | 走" in said


def test_a_relayed_answer_never_opens_what_is_the_owners(desk):
    desk.do(owner.ask, CARD)
    desk.do(owner.answer, "OB-001", "B", relayed=True)
    assert [card.id for card in desk.ledger.cards] == ["OB-001"]
    assert "· relayed ·" in desk.files["ledger.md"]
    assert "relayed answer already" in refused(desk, owner.answer, "OB-001", "B", relayed=True)


def test_a_relayed_answer_will_do_where_the_card_says_so(desk):
    desk.do(owner.ask, CARD._replace(relay=True))
    desk.do(owner.answer, "OB-001", "C", relayed=True, by=STRANGER)
    assert desk.ledger.cards == ()
    assert "- OB-001 · C · relayed ·" in desk.files["ledger.md"]


def test_a_letter_that_the_card_does_not_have_is_refused(desk):
    desk.do(owner.ask, CARD._replace(options=("wait",)))
    refused(desk, owner.answer, "OB-001", "B", by="owner", error=UsageError)


# The end ---------------------------------------------------------------------------------------


def test_the_end_needs_closed_rows_folded_packets_and_no_p1(desk):
    assert "not closed" in refused(desk, finish.exit_ready, why="x")
    for row in desk.ledger.scoreboard:
        desk.do(gates.change, row.gate, status="closed", evidence="seen")
    desk.do(gaps.add, GAP._replace(priority="P0"))
    assert "must be closed first" in refused(desk, finish.exit_ready, why="x")
    desk.do(gaps.close, desk.ledger.gaps[-1].id, evidence="seen")
    desk.do(directives.add, PLAN, by="supervisor")
    assert "D-001 is not folded" in refused(desk, finish.exit_ready, why="x")
    desk.do(directives.fold, "D-001", effect="x")
    assert "first D-001: test it" in refused(desk, finish.exit_ready, why="x")
    desk.do(gates.change, "D-001", status="closed", evidence="tested")
    assert "is not the last milestone" in refused(desk, finish.exit_ready, why="x")


def test_stalled_resumes_by_the_owner_alone_and_closed_is_final(desk):
    desk.do(finish.stalled, why="no path")
    assert "the run is stalled" in refused(
        desk, rounds.record, rounds.Said("a", (), "b", (), None, "c")
    )
    refused(desk, finish.resume, why="x", by="supervisor")
    desk.do(finish.resume, why="a path", by="owner")
    assert desk.ledger.status == "active"
    assert "only the owner" in refused(desk, finish.closed, why="x", by="supervisor")
    desk.do(finish.closed, why="enough", by="owner")
    assert "dropped: " in desk.ledger.fields["Run status"].text
    for command in (finish.stalled, finish.exit_ready):
        assert "cannot become" in refused(desk, command, why="x")


# Discovery, metrics, timers --------------------------------------------------------------------


def test_two_dry_sweeps_of_every_area_by_every_detector_allow_the_end(sweeping):
    ops = sweeping.run.ops()
    detectors = [row.name for row in ops.detectors]
    assert detectors
    assert "fewer than two" in sweep.dry(sweeping.run)
    refused(sweeping, sweep.record, area="nowhere", detector=detectors[0], new=0, error=UsageError)
    if len(ops.areas) > 1:
        assert "area 1 is swept now" in refused(
            sweeping, sweep.record, area=ops.areas[1], detector=detectors[0], new=0
        )
    for found in (9, 1, 2):
        for area in ops.areas:
            for detector in detectors:
                new = found if (area, detector) == (ops.areas[0], detectors[0]) else 0
                sweeping.do(sweep.record, area=area, detector=detector, new=new)
                assert sweeping.found() == ()
        if found == 1:
            assert "found 9 and 1" in sweep.dry(sweeping.run)
    assert sweep.dry(sweeping.run) == ""
    assert (sweeping.ledger.discovery.previous, sweeping.ledger.discovery.last) == (1, 2)


def test_a_metric_keeps_its_target():
    desk = Desk(name="deliver")
    columns = "| Metric | Baseline | Now | Target | Evidence |\n|---|---|---|---|---|"
    section = f"## Metric snapshot\n\n{columns}\n\n"
    desk.edit("ledger.md", "## owner-blocked\n", f"{section}## owner-blocked\n")
    desk.do(metrics.change, "p95 | 页", now="90", target="50", evidence="bench")
    desk.do(metrics.change, "p95 | 页", now="70", evidence="bench 2")
    assert [row.cells for row in desk.ledger.metrics][-1] == (
        "p95 | 页",
        "90",
        "70",
        "50",
        "bench 2",
    )
    assert "it stays" in refused(
        desk, metrics.change, "p95 | 页", now="60", target="80", evidence="x"
    )


def test_a_fact_of_a_frozen_section_is_refused(desk):
    assert "frozen" in refused(desk, opsfacts.change, "G-1", "echo", section="Gates")
    desk.do(opsfacts.change, "Set-up, build and test traps", "needs | 空格 `x`")
    assert "- Set-up, build and test traps: needs | 空格 `x`\n" in desk.files["ops.md"]
    assert desk.found() == ()


def test_a_detector_enters_with_its_command_and_its_blind_spot(sweeping):
    new = opsfacts.Detector("grep -c '|' x", "names | 拼接")
    assert "no such detector" in refused(
        sweeping, opsfacts.change, "twins | 双", "7", section="Detectors", error=UsageError
    )
    for half in (new._replace(command=""), new._replace(blind_spot="")):
        refused(
            sweeping,
            opsfacts.change,
            "a",
            "7",
            section="Detectors",
            detector=half,
            error=UsageError,
        )
    refused(sweeping, opsfacts.change, "a fact", "7", detector=new, error=UsageError)
    sweeping.do(opsfacts.change, "twins | 双", "7", section="Detectors", detector=new)
    sweeping.do(opsfacts.change, "twins | 双", "5", section="Detectors")
    (row,) = sweeping.run.ops().detectors[-1:]
    assert (row.name, row.command, row.blind_spot) == (
        "twins | 双",
        "`grep -c '|' x`",
        "names | 拼接",
    )
    assert sweeping.files["ops.md"].count("| 5 |") == 1
    sweeping.do(
        opsfacts.change, row.name, "4", section="Detectors", detector=opsfacts.Detector("knip")
    )
    (row,) = sweeping.run.ops().detectors[-1:]
    assert (row.command, row.blind_spot) == ("`knip`", "names | 拼接")
    assert sweeping.found() == ()


def test_a_lead_of_the_scout_has_an_id_and_a_place():
    desk = Desk(name="deliver", authority="B", scout="Look for slow queries.")
    desk.do(findings.add, where="src/a.py:3", what="slow | 慢", reproduce="run it", by="scout")
    assert "| F-001 | src/a.py:3 | slow \\| 慢 | run it | 2026-01-02 |" in desk.files["findings.md"]
    assert desk.found() == ()


def test_a_table_with_too_few_columns_is_named_by_line(desk):
    desk.edit(
        "ledger.md",
        "| ID | Priority | Milestone | Write set | Verify | One line |",
        "| ID | One line |",
    )
    said = refused(desk, gaps.add, GAP, error=UnreadableError)
    assert "no table with the columns" in said
    assert "ledger.md:" in said
