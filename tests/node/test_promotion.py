"""A milestone is asked for, judged and left: what each step needs and what it leaves behind."""

from __future__ import annotations

import pytest

from loopgraph.model.spec import Milestone
from loopgraph.node import call as parts
from loopgraph.node import directives, gaps, gates, lane, promotion, results, rounds, slices
from loopgraph.node.directives import Packet
from loopgraph.node.results import Result
from loopgraph.node.rounds import Said
from loopgraph.plain import law
from tests.node.desk import NOW, Desk

LATER = "2026-01-02T09:00:00+00:00"
PLAN = Packet("plan", None, "R0", "name the unit", "pytest -q", "none")
GAP = gaps.Row("P2", None, "docs/a.md", "look", "no page")
ASKS = {"surface": "src/a.py", "evidence": "R1"}


@pytest.fixture
def desk():
    return Desk(name="deliver")


def closed(desk, name="M-1"):
    desk.do(gates.change, name, status="closed", evidence="seen")
    return desk


def stands(desk, gate, status="active"):
    desk.edit("ledger.md", f"Run status: `{desk.ledger.status}`", f"Run status: `{status}`")
    desk.edit("ledger.md", f"Milestone gate: `{desk.ledger.gate}`", f"Milestone gate: `{gate}`")
    return desk


def at(desk, milestone):
    old = desk.ledger.fields["Current milestone"].text
    desk.edit("ledger.md", f"Current milestone: {old} |", f"Current milestone: {milestone} |")
    return desk


def green(desk, *more, name="M-1", **changes):
    milestone = next(m for m in parts.spec(desk.run).milestones if m.id == name)
    one = Result("", "supervisor", NOW, passed=True, tree="t", evidence="seen")
    found = [one._replace(check=c.id) for c in promotion.wanted(desk.run, milestone)]
    return (*(result._replace(**changes) for result in found), *more)


def accept(desk, *more, name="M-1"):
    desk.do(promotion.accept, name, green(desk, *more), tree="t", by="supervisor")


def packet(desk):
    return {name: field.text for name, field in desk.directives.corrections[-1].fields.items()}


# Request ----------------------------------------------------------------------------------------


def test_a_request_fills_what_is_asked_for_and_closes_the_gate(desk):
    change = closed(desk).do(
        promotion.request, "M-01", surface=" src/a.py ", evidence=" R1, log ", context="C-01"
    )
    found = desk.ledger.promotion
    assert [field.text for field in (found.boundary, found.surface, found.evidence)] == [
        f"M-1 (asked {NOW} at R0)", "src/a.py", "R1, log",
    ]  # fmt: skip
    assert found.context.text == "C-01"
    assert desk.ledger.fields["Milestone gate"].text == "`pending-audit` (M-1, R0)"
    assert change.says == ("M-1 waits for its audit.",)


def test_a_run_with_a_single_goal_asks_without_a_gate():
    desk = Desk(name="deliver", milestones="single")
    closed(desk, "north star")
    before = desk.ledger.slice
    desk.do(promotion.request, "M-1", **ASKS)
    assert desk.ledger.gate == "n/a"
    assert not desk.ledger.promotion.empty
    assert desk.ledger.slice == before
    told = desk.refuse(promotion.request, "M-1", **ASKS)
    assert told.what == "M-1 already waits for its audit"


def test_only_the_milestone_that_is_under_way_is_asked_for(desk):
    told = desk.refuse(promotion.request, "M-2", **ASKS)
    assert told.what == "the run is at M-1, not at M-2"
    assert told.where == f"ledger.md:{desk.ledger.line('Current milestone')}"
    assert told.fix == "Ask for M-1."
    desk.do(gates.change, "M-2", status="closed", evidence="seen")
    at(desk, "none")
    desk.do(promotion.request, "M-2", **ASKS)


@pytest.mark.parametrize(
    ("milestone", "way"),
    [
        ("M-1", "Go on: loopgraph milestone next"),
        ("M-4", "Go on: loopgraph finish exit-ready --why PROOF"),
    ],
)
def test_a_milestone_that_is_passed_is_not_asked_for_again(desk, milestone, way):
    at(closed(stands(desk, "passed")), milestone)
    told = desk.refuse(promotion.request, milestone, **ASKS)
    assert (told.what, told.fix) == (f"{milestone} is passed already", way)
    assert told.where == f"ledger.md:{desk.ledger.line('Milestone gate')}"


@pytest.mark.parametrize(("gate", "asked"), [("pending-audit", False), ("open", True)])
def test_a_milestone_waits_once(desk, gate, asked):
    stands(closed(desk), gate)
    if asked:
        desk.edit("ledger.md", "- Boundary: none", "- Boundary: M-1 (asked)")
    told = desk.refuse(promotion.request, "M-1", **ASKS)
    assert told.what == "M-1 already waits for its audit"
    assert told.where == f"ledger.md:{desk.ledger.line('Milestone gate')}"


def test_its_exit_check_row_is_closed_first(desk):
    told = desk.refuse(promotion.request, "M-1", **ASKS)
    assert told.what == "the row “M-1: exit checks” is not closed"
    row = next(row for row in desk.ledger.scoreboard if row.gate == "M-1: exit checks")
    assert told.where == f"ledger.md:{row.line}"
    assert told.fix == (
        "Once its checks are green: loopgraph gate set 'M-1' --status closed --evidence …"
    )
    desk.edit("ledger.md", "| M-1: exit checks |", "| M-1：出口检查 |")
    assert "gate set 'M-1' --status" in desk.refuse(promotion.request, "M-1", **ASKS).fix


@pytest.mark.parametrize("evidence", ["none", "—", "", "n/a"])
def test_a_request_shows_that_the_checks_are_green(desk, evidence):
    told = closed(desk).refuse(promotion.request, "M-1", surface="src/a.py", evidence=evidence)
    assert (told.where, told.what) == (
        "--evidence", "nothing shows that its exit checks are green",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("surface", "there", "may"),
    [
        ("src/a.py", {"src/a.py"}, True), ("src/a.py", set(), False), ("src/a.py", None, True),
        ("G-1", set(), True), ("g-1", set(), False), ("G-9", set(), False), ("G-01", set(), True),
        ("none", None, False), ("a b.py、c.py", {"a b.py"}, True),
        ("`a b.py`; c", {"a b.py"}, True), ("x， a b.py", {"a b.py"}, True),
        ("M-1 and GAP-1", set(), False),
    ],
)  # fmt: skip
def test_a_surface_names_a_path_that_is_there_or_a_gate(desk, surface, there, may):
    seen = None if there is None else frozenset(there)
    if may:
        closed(desk).do(promotion.request, "M-1", surface=surface, evidence="R1", there=seen)
        return
    told = closed(desk).refuse(promotion.request, "M-1", surface=surface, evidence="R1", there=seen)
    assert told.where == f"--surface {surface}"
    assert told.what == "it names neither a path of the workspace nor a gate"


@pytest.mark.parametrize(
    ("surface", "says"),
    [
        ("src/a.py, src/b.py", "Not in the workspace: src/b.py"),
        ("src/a.py, the docs", ""),
        ("src/a.py, b.md, c/d", "Not in the workspace: b.md, c/d"),
        ("src/a.py", ""),
    ],
)
def test_paths_of_a_surface_that_are_not_there_are_told(desk, surface, says):
    change = closed(desk).do(
        promotion.request, "M-1", surface=surface, evidence="R1", there=frozenset({"src/a.py"})
    )
    assert change.says[1:] == ((says,) if says else ())


# The slice under audit --------------------------------------------------------------------------


def test_a_slice_beside_the_surface_goes_on(desk):
    desk.do(slices.change, {"Item": "else", "Write set": "docs/x.md", "Verify": "look"})
    closed(desk).do(promotion.request, "M-1", **ASKS)
    assert desk.ledger.slice.item.text == "else"
    assert not any(line.startswith("Meanwhile") for line in desk.last.says)


def test_a_slice_that_says_no_write_set_stays_under_audit(desk):
    old = desk.ledger.slice.write_set.text
    desk.edit("ledger.md", f"- Write set: {old}\n", "")
    item = desk.ledger.slice.item.text
    closed(desk).do(promotion.request, "M-1", **ASKS)
    assert desk.ledger.slice.item.text == item


@pytest.mark.parametrize(
    ("priorities", "surface", "row"),
    [
        ({}, "src/orders/x", "GAP-001"),
        ({"GAP-003": "P1"}, "src/orders/x", "GAP-003"),
        ({}, "src/orders/x, src/orders/totals", "GAP-002"),
        ({"GAP-003": "P1"}, "src/orders/x, src/orders/stock", "GAP-001"),
    ],
)
def test_a_slice_on_the_surface_gives_way_to_the_most_urgent_row_beside_it(
    desk, priorities, surface, row
):
    for id_, priority in priorities.items():
        desk.edit("ledger.md", f"| {id_} | P2 |", f"| {id_} | {priority} |")
    desk.do(slices.change, {"Item": "it", "Write set": "src/orders/x/y.py", "Verify": "look"})
    change = closed(desk).do(promotion.request, "M-1", surface=surface, evidence="R1")
    text = next(gap.text for gap in desk.ledger.gaps if gap.id == row)
    assert desk.ledger.next_item == desk.ledger.slice.item.text == f"{row} {text}"
    assert desk.ledger.slice.write_set.text.startswith("src/orders/")
    assert change.says == (f"Meanwhile: {row} {text}", "M-1 waits for its audit.")
    assert desk.found() == ()


def test_where_no_row_is_beside_it_nothing_is_under_way_meanwhile(desk):
    desk.do(slices.change, {"Item": "it", "Write set": "src/orders/x.py", "Verify": "look"})
    desk.do(gaps.add, GAP._replace(write_set="none"))
    change = closed(desk).do(promotion.request, "M-1", surface="src/orders", evidence="R1")
    assert desk.ledger.slice.item.text == "none: the milestone is under audit"
    assert change.says == (
        "Meanwhile: none: the milestone is under audit", "M-1 waits for its audit.",
    )  # fmt: skip


# Accept -----------------------------------------------------------------------------------------


def test_an_accept_is_a_packet_with_what_was_seen(desk):
    desk.do(rounds.record, Said("a", ("src/a.py",), "ok", ("log",), "+1/-0", "b"))
    desk.ask(surface="src/a.py, G-2")
    accept(desk)
    assert desk.directives.corrections[-1].boundary == "M-1"
    assert desk.directives.corrections[-1].verdict == "accept"
    assert packet(desk) == {
        "Context": "R1",
        "Action": "go on behind M-1; it is accepted",
        "Verify": "M-1.1 seen; M-1.2 seen; G-2 seen",
        "Stop": "none",
    }
    assert desk.last.says == ("D-001 accepts M-1; the executor folds it.",)


def test_what_was_seen_is_said_as_far_as_a_field_has_room(desk):
    desk.ask()
    results_ = green(desk, evidence="x" * 400)
    desk.do(promotion.accept, "M-1", results_, tree="t", by="supervisor")
    said = packet(desk)["Verify"]
    assert len(said) == parts.LONGEST
    assert said.endswith("x…")


def test_results_of_the_owner_count_as_the_judges_own(desk):
    desk.ask()
    desk.do(
        promotion.accept, "M-1", green(desk, node="owner"), tree="t", by="supervisor"
    )  # fmt: skip


@pytest.mark.parametrize(("time", "may"), [(NOW, True), ("2026-01-02T03:04:04+00:00", False)])
def test_a_result_of_the_moment_of_the_request_is_fresh(desk, time, may):
    desk.ask()
    if may:
        desk.do(promotion.accept, "M-1", green(desk, time=time), tree="t", by="supervisor")
        return
    told = desk.refuse(promotion.accept, "M-1", green(desk, time=time), tree="t", by="supervisor")
    assert f"that of {time} was recorded before the request" in told.what


def test_what_is_red_is_told_before_what_is_missing(desk):
    desk.ask()
    one, two = green(desk)
    bad = (one._replace(passed=False, evidence="exit 1"), two._replace(tree="u"))
    told = desk.refuse(promotion.accept, "M-1", bad, tree="t", by="supervisor")
    assert told.what == (
        f"M-1.1 failed: exit 1; M-1.2 has no fresh result of the supervisor: that of {NOW} was "
        "recorded on another tree"
    )
    assert told.where == "M-1"
    assert "promote redo M-1" in told.fix


def test_what_is_missing_is_told_with_its_command(desk):
    desk.ask(surface="G-1")
    told = desk.refuse(promotion.accept, "M-1", green(desk)[:2], tree="t", by="supervisor")
    assert told.what == "G-1 has no fresh result of the supervisor: there is none"
    assert told.fix == "Run it on this tree: loopgraph gate run G-1 --as supervisor"
    told = desk.refuse(promotion.accept, "M-1", green(desk)[1:], tree="t", by="supervisor")
    assert told.fix == (
        "Look whether “Its proof failed before and passes now through the real entry point”, "
        'then say: loopgraph gate run --result "M-1.1=pass|fail" --evidence POINTER '
        "--as supervisor"
    )


@pytest.mark.parametrize(
    ("asked", "what", "fix"),
    [
        ("none", "nobody asked for M-1", "The executor asks: loopgraph promote request M-1"),
        (f"M-2 (asked {NOW} at R0)", "M-2 waits for its audit, not M-1", "Judge M-2."),
        ("the lot", "nothing waits for its audit, not M-1", ""),
    ],
)
def test_what_nobody_asked_for_is_not_judged(desk, asked, what, fix):
    desk.edit("ledger.md", "- Boundary: none", f"- Boundary: {asked}")
    stands(desk, "pending-audit")
    for command, more in (
        (promotion.accept, {"gathered": green(desk), "tree": "t"}),
        (promotion.redo, {"missing": "x", "verify": "y"}),
    ):
        told = desk.refuse(command, "M-1", by="supervisor", **more)
        assert (told.what, told.fix) == (what, fix)
        assert told.where.startswith("ledger.md:")


def test_without_its_section_nothing_is_asked_for(desk):
    head = desk.files["ledger.md"].index("## Pending promotion")
    end = desk.files["ledger.md"].index("## owner-blocked")
    desk.files["ledger.md"] = desk.files["ledger.md"][:head] + desk.files["ledger.md"][end:]
    told = desk.refuse(promotion.accept, "M-1", (), tree="t", by="supervisor")
    assert (told.where, told.what) == ("ledger.md", "nobody asked for M-1")


@pytest.mark.parametrize(
    ("surface", "named"),
    [("src/a.py", []), ("G-1, G-2", ["G-1", "G-2"]), ("G-01", ["G-1"]), ("M-1 GAP-1 G-9", [])],
)
def test_an_accept_wants_the_exit_checks_and_the_gates_of_the_surface(desk, surface, named):
    desk.edit("ledger.md", "- Audit surface: none", f"- Audit surface: {surface}")
    milestone = parts.spec(desk.run).milestones[0]
    found = promotion.wanted(desk.run, milestone)
    assert [check.id for check in found if check.exits] == ["M-1.1", "M-1.2"]
    assert [check.id for check in found if not check.exits] == named
    assert all(check.says == {"G-1": "tests", "G-2": "lint"}[check.id] for check in found[2:])


def test_a_gate_that_an_exit_check_names_is_wanted_once(desk):
    milestone = parts.spec(desk.run).milestones[0]
    said = Milestone("M-1", milestone.outcome, "G-1 passes; seen", "x", "y")
    desk.edit("ledger.md", "- Audit surface: none", "- Audit surface: G-1")
    assert [check.id for check in promotion.wanted(desk.run, said)] == ["G-1", "M-1.2"]


# Redo -------------------------------------------------------------------------------------------


def test_a_redo_names_what_is_missing_and_its_verify(desk):
    desk.ask()
    desk.do(
        promotion.redo, "M-1", missing="prove it", verify="pytest", context="C-01",
        by="supervisor",
    )  # fmt: skip
    assert packet(desk) == {
        "Context": "C-01", "Action": "prove it", "Verify": "pytest", "Stop": "none",
    }  # fmt: skip
    assert desk.last.says == ("D-001 sends M-1 back; the executor folds it.",)


@pytest.mark.parametrize(
    ("changes", "red"),
    [
        ({}, "; M-1.1 failed: exit 1; M-1.2 failed: exit 1"),
        ({"passed": True}, ""), ({"node": "executor"}, ""),
        ({"time": "2026-01-01T00:00:00Z"}, ""),
        ({"evidence": "see C-01"}, "; M-1.1 failed: see evidence/; M-1.2 failed: see evidence/"),
        ({"evidence": "see G-1"}, "; M-1.1 failed: see G-1; M-1.2 failed: see G-1"),
    ],
)  # fmt: skip
def test_a_redo_without_words_says_what_was_red_since_the_request(desk, changes, red):
    desk.ask()
    seen = green(desk, **{"passed": False, "evidence": "exit 1", **changes})
    desk.do(
        promotion.redo, "M-1", missing="x", verify="y", gathered=seen, by="supervisor"
    )  # fmt: skip
    assert packet(desk)["Context"] == f"R0{red}"


def test_a_milestone_that_is_passed_is_sent_back_by_what_was_ever_red(desk):
    stands(desk, "passed")
    seen = green(desk, passed=False, time="2020-01-01T00:00:00Z", evidence="exit 1")
    desk.do(promotion.redo, "M-1", missing="x", verify="y", gathered=seen, by="supervisor")
    assert "M-1.1 failed: exit 1" in packet(desk)["Context"]


@pytest.mark.parametrize("command", ["accept", "redo"])
def test_a_run_that_is_closed_is_judged_no_more(desk, command):
    desk.ask()
    stands(desk, "pending-audit", "closed")
    acts = {
        "accept": (promotion.accept, {"gathered": green(desk), "tree": "t"}),
        "redo": (promotion.redo, {"missing": "x", "verify": "y"}),
    }
    act, named = acts[command]
    told = desk.refuse(act, "M-1", by="supervisor", **named)
    assert told.what == "the run is closed"
    assert told.where == f"ledger.md:{desk.ledger.line('Run status')}"


def test_a_milestone_ahead_of_the_run_is_no_one_that_it_has_left(desk):
    told = desk.refuse(promotion.redo, "M-3", missing="x", verify="y", by="supervisor")
    assert told.what == "nobody asked for M-3"
    at(desk, "M-3")
    told = desk.refuse(promotion.redo, "M-2", missing="x", verify="y", by="supervisor")
    assert told.what == "M-2 is left already; the run is at M-3"
    assert told.where == f"ledger.md:{desk.ledger.line('Current milestone')}"


# Next -------------------------------------------------------------------------------------------


@pytest.fixture
def passed(desk):
    desk.ask(evidence="R1, log")
    accept(desk)
    desk.do(directives.fold, "D-001", effect="on")
    return desk


def test_the_next_milestone_opens_with_its_own_slice(passed):
    change = passed.do(promotion.go_on)
    spec = parts.spec(passed.run).milestones[1]
    found = passed.ledger
    assert change.says == ("M-2 is open.",)
    assert found.fields["Current milestone"].text == f"M-2 {spec.outcome}"
    assert found.fields["Milestone gate"].text == "`open` (M-2)"
    assert found.promotion.empty
    assert (
        found.next_item == found.slice.item.text == ("M-2: the first slice towards its exit checks")
    )
    assert found.slice.write_set.text == spec.write_set
    assert found.slice.context.text == "none"
    assert found.slice.verify.text == spec.exit_checks
    assert found.slice.done_when.text == "the slice's own check passes"
    assert "- M-1 closed 2026-01-02, accepted by D-001, R0; R1, log\n" in passed.files["ledger.md"]


def test_a_milestone_that_nobody_showed_is_closed_without_a_pointer(passed):
    passed.edit("ledger.md", "- Evidence: R1, log", "- Evidence: none")
    passed.do(promotion.go_on)
    assert "- M-1 closed 2026-01-02, accepted by D-001, R0\n" in passed.files["ledger.md"]


@pytest.mark.parametrize(
    ("outcome", "shown"),
    [("x" * 160, True), ("x" * 161, False), ("a | b", False), ("short", True)],
)
def test_the_header_carries_a_short_outcome(passed, outcome, shown):
    text = passed.files["run.yaml"]
    old = parts.spec(passed.run).milestones[1].outcome
    assert text.count(old) == 1
    passed.files["run.yaml"] = text.replace(old, f'"{outcome}"')
    desk = Desk(passed.files)
    desk.do(promotion.go_on)
    assert desk.ledger.fields["Current milestone"].text == (f"M-2 {outcome}" if shown else "M-2")


@pytest.mark.parametrize("gate", ["open", "pending-audit", "n/a"])
def test_only_behind_a_gate_that_is_passed_the_next_milestone_opens(desk, gate):
    stands(desk, gate)
    told = desk.refuse(promotion.go_on)
    assert told.what == f"the gate of M-1 is {gate}"
    assert told.where == f"ledger.md:{desk.ledger.line('Milestone gate')}"


@pytest.mark.parametrize("said", ["`passed`", "`passed` (M-1 by D-002)", "`passed` by S-001"])
def test_a_gate_that_is_passed_names_the_accept_that_is_folded(passed, said):
    old = passed.ledger.fields["Milestone gate"].text
    passed.edit("ledger.md", f"Milestone gate: {old}", f"Milestone gate: {said}")
    told = passed.refuse(promotion.go_on)
    assert told.what == "the gate says passed, but no accept for it is folded"


def test_every_correction_is_folded_before_a_milestone_is_left(passed):
    for _ in range(2):
        passed.do(directives.add, PLAN, by="supervisor")
    told = passed.refuse(promotion.go_on)
    assert told.what == "D-002, D-003 must be folded first"
    assert told.where == f"directives.md:{passed.directives.corrections[0].line}"
    assert told.fix == "loopgraph directive fold D-002 --effect …"


@pytest.mark.parametrize("milestone", ["M-4", "M-9"])
def test_behind_the_last_milestone_comes_the_end(passed, milestone):
    at(passed, milestone)
    told = passed.refuse(promotion.go_on)
    assert told.what == f"{milestone} is the last milestone"
    assert told.where == f"ledger.md:{passed.ledger.line('Current milestone')}"


# Lane -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("milestone", "gate", "last"),
    [("M-1", "open", False), ("M-4", "open", True), ("M-9", "open", None), ("M-9", "n/a", True)],
)
def test_a_milestone_is_the_last_where_the_record_says_so(desk, milestone, gate, last):
    at(stands(desk, gate), milestone)
    assert lane.last(desk.run, desk.ledger) is last
    assert lane.last(desk.run._replace(record=None), desk.ledger) is (
        True if gate == "n/a" else None
    )


@pytest.mark.parametrize(
    ("said", "id_"),
    [
        ("D-004: mend it", "D-004"), ("D-4: x", "D-4"), ("D-004", ""), ("see D-004: x", ""),
        ("D-004 and D-5: x", ""), ("GAP-004: x", ""), ("", ""), ("a: D-004", ""),
    ],
)  # fmt: skip
def test_an_item_is_a_corrections_where_it_begins_with_its_id(said, id_):
    assert law.correction(said) == id_


def test_the_open_item_is_the_slices_else_the_headers(desk):
    item = desk.ledger.slice.item.text
    assert lane.open_item(desk.ledger) == item
    desk.edit("ledger.md", f"- Item: {item}", "- Item: none")
    assert lane.open_item(desk.ledger) == item
    desk.edit("ledger.md", f"Next unclosed work item: {item}", "Next unclosed work item: another")
    assert lane.open_item(desk.ledger) == "another"
    desk.edit("ledger.md", "Next unclosed work item: another", "Next unclosed work item: none")
    assert lane.open_item(desk.ledger) == ""


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (["M-1: exit checks", "M-1: docs"], ["M-1: exit checks"]),
        (["M-1 — Exit checks", "M-2: exit checks"], ["M-1 — Exit checks"]),
        (["M1：出口检查"], ["M1：出口检查"]),
        (["M-1: docs", "M-1: tests"], ["M-1: docs", "M-1: tests"]),
        (["G-1"], []),
    ],
)
def test_the_exit_check_row_of_a_milestone_is_found_by_its_words(desk, rows, found):
    lines = desk.files["ledger.md"].split("\n")
    names = tuple(f"| {row.gate} |" for row in desk.ledger.scoreboard)
    kept = [line for line in lines if not line.startswith(names)]
    place = kept.index("| Gate | Status | Evidence / next action |") + 2
    kept[place:place] = [f"| {row} | open | x |" for row in ("North Star: proof", *rows)]
    desk.files["ledger.md"] = "\n".join(kept)
    assert [row.gate for row in lane.exit_rows(desk.ledger, "M-1")] == found
    stands(desk, "n/a")
    assert [row.gate for row in lane.exit_rows(desk.ledger, "M-1")] == (
        found or ["North Star: proof"]
    )


def test_results_by_place_are_those_of_the_record(desk):
    checks = results.checks("M-1", parts.spec(desk.run).milestones[0].exit_checks)
    assert [check.id for check in checks] == ["M-1.1", "M-1.2"]


@pytest.fixture
def planned():
    """The record plans paths for each milestone."""
    desk = Desk(name="deliver")
    for milestone in parts.spec(desk.run).milestones:
        text = f"src/{milestone.id}, the rest"
        desk.edit("run.yaml", milestone.write_set, text)
    return Desk(desk.files)


def test_under_audit_the_surface_and_the_next_milestones_paths_are_taken_and_no_others(planned):
    planned.edit("ledger.md", "- Audit surface: none", "- Audit surface: docs/a.md and more")
    assert lane.taken(planned.run, planned.ledger) == [
        "docs/a.md", "and", "more", "src/M-2", "the", "rest",
    ]  # fmt: skip
    at(planned, "M-4")
    assert lane.taken(planned.run, planned.ledger) == ["docs/a.md", "and", "more"]
    at(planned, "M-9")
    assert lane.taken(planned.run, planned.ledger) == ["docs/a.md", "and", "more"]
    assert lane.taken(planned.run._replace(record=None), planned.ledger)[:1] == ["docs/a.md"]


@pytest.mark.parametrize("gate", ["open", "pending-audit", "passed"])
@pytest.mark.parametrize(
    ("path", "free"),
    [
        ("docs/a.md", False), ("docs", True), ("docs/", False), ("src/M-2/x.py", False),
        ("src/M-1/x.py", True), ("src/M-3/x.py", True), ("more", True), ("rest", True),
    ],
)  # fmt: skip
def test_only_while_a_milestone_is_under_audit_its_paths_are_closed(planned, gate, path, free):
    planned.edit("ledger.md", "- Audit surface: none", "- Audit surface: docs/a.md and more")
    stands(planned, gate)
    if free or gate != "pending-audit":
        planned.do(slices.change, {"Write set": path})
        return
    told = planned.refuse(slices.change, {"Write set": path})
    assert told.what == f"{path} is under audit, or planned for the next milestone"


def test_a_slice_on_what_is_planned_next_gives_way_too(planned):
    planned.do(slices.change, {"Item": "it", "Write set": "src/M-2/x.py", "Verify": "look"})
    change = closed(planned).do(promotion.request, "M-1", surface="docs/a.md", evidence="R1")
    assert change.says[0] == "Meanwhile: GAP-001 no test reads totals"


def test_a_redo_puts_the_plan_of_its_milestone_back_into_the_slice(planned):
    planned.ask(surface="docs/a.md")
    planned.do(
        promotion.redo, "M-1", missing="prove it", verify="none yet", context="C-01, C-03, R1",
        by="supervisor",
    )  # fmt: skip
    planned.do(directives.fold, "D-001", effect="x")
    now = planned.ledger.slice
    assert (now.item.text, now.write_set.text) == ("D-001: prove it", "src/M-1, the rest")
    assert now.context.text == "C-01, C-03"
    assert now.done_when.text == "the verify passes, and so do the exit checks"
