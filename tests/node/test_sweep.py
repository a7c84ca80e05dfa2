"""The Discovery tracker: which area is swept, by which detector, and when the sweeps are dry."""

from __future__ import annotations

import pytest

from loopgraph.node import gaps, sweep
from loopgraph.node.sweep import Tracker
from tests.node.desk import Desk

GAP = gaps.Row("P2", None, "docs/a.md", "look", "no page")
SECOND = "| knip | `knip` | types | `unmeasured` |\n"


@pytest.fixture
def desk():
    """A run with two areas and two detectors."""
    desk = Desk(name="converge")
    row = next(line for line in desk.files["ops.md"].split("\n") if line.startswith("| vulture "))
    desk.edit("ops.md", f"{row}\n", f"{row}\n{SECOND}")
    return desk


def swept(desk, area, detector, new=0):
    return desk.do(sweep.record, area=area, detector=detector, new=new)


def said(desk):
    return desk.ledger.fields["Discovery tracker"].text


def tracker(desk, text):
    desk.edit("ledger.md", said(desk), text)
    return desk


def test_an_area_is_left_when_each_detector_has_run_over_it(desk):
    assert swept(desk, "1", "knip", 2).says == ("Area 1: 2 new; still to run here: vulture",)
    assert said(desk) == (
        "area 1 of 2 | refill 2/0 | sweep yields none, none (floor 3) | this sweep 2, by 2"
    )
    swept(desk, "1", "knip", 1)
    assert swept(desk, "src/orders", "1", 4).says == ("Area 1: 7 new; on to area 2.",)
    assert said(desk) == (
        "area 2 of 2 | refill 0/0 | sweep yields none, none (floor 3) | this sweep 7"
    )


def test_behind_the_last_area_the_sweep_is_full_and_the_next_begins(desk):
    for detector in ("vulture", "knip"):
        swept(desk, "1", detector, 1)
    swept(desk, "2", "vulture", 3)
    assert swept(desk, "2", "knip").says == ("Area 2: 3 new; a full sweep found 5.",)
    assert said(desk) == (
        "area 1 of 2 | refill 0/0 | sweep yields none, 5 (floor 3) | this sweep 0"
    )
    for area in ("1", "2"):
        for detector in ("vulture", "knip"):
            swept(desk, area, detector)
    assert "sweep yields 5, 0 (floor 3)" in said(desk)


def test_a_run_with_one_area_sweeps_it_again_and_again(desk):
    text = desk.files["ops.md"]
    desk.files["ops.md"] = text.replace("1. `src/orders`\n2. `src/reports`\n", "")
    swept(desk, "1", "vulture", 2)
    assert swept(desk, "1", "knip").says == ("Area 1: 2 new; a full sweep found 2.",)
    assert said(desk).startswith("area 1 of 1 | ")
    told = desk.refuse(sweep.record, area="2", detector="knip", new=0)
    assert (told.where, told.what) == ("--area 2", "no such one in ops.md")


@pytest.mark.parametrize(
    ("named", "where", "what"),
    [
        ({"new": -1}, "--new -1", "no such number"),
        ({"area": "3"}, "--area 3", "no such one in ops.md"),
        ({"area": "0"}, "--area 0", "no such one in ops.md"),
        ({"area": "²"}, "--area ²", "no such one in ops.md"),
        ({"area": "9" * 5000}, f"--area {'9' * 5000}", "no such one in ops.md"),
        ({"detector": "٢"}, "--detector ٢", "no such one in ops.md"),
        ({"area": "src/order"}, "--area src/order", "no such one in ops.md"),
        ({"area": "2"}, "--area 2", "area 1 is swept now, not 2"),
        ({"area": "src/reports"}, "--area src/reports", "area 1 is swept now, not 2"),
        ({"detector": "kinp"}, "--detector kinp", "no such one in ops.md"),
        ({"detector": "3"}, "--detector 3", "no such one in ops.md"),
        ({"detector": ""}, "--detector ", "no such one in ops.md"),
    ],
)
def test_what_is_recorded_is_a_detector_over_the_area_that_is_swept(desk, named, where, what):
    told = desk.refuse(sweep.record, **{"area": "1", "detector": "knip", "new": 0, **named})
    assert (told.where, told.what) == (where, what)
    if "swept now" in what:
        assert told.fix == "Sweep them in their order; next is src/orders"
    if "kinp" in where:
        assert told.fix == "Did you mean knip?"


def test_without_a_detector_nothing_is_swept(desk):
    kept = [
        line
        for line in desk.files["ops.md"].split("\n")
        if not line.startswith(("| vulture ", "| knip "))
    ]
    desk.files["ops.md"] = "\n".join(kept)
    told = desk.refuse(sweep.record, area="1", detector="1", new=0)
    assert (told.where, told.what) == ("ops.md", "ops.md has no detectors")
    assert "loopgraph ops set NAME BASELINE --section Detectors" in told.fix


def test_a_run_that_is_no_sweep_keeps_no_tracker():
    desk = Desk()
    told = desk.refuse(sweep.record, area="1", detector="1", new=0)
    assert told.what == "the run keeps no Discovery tracker"
    assert told.where == "ledger.md"
    assert sweep.dry(desk.run) == ""
    before = said_of(desk)
    desk.do(gaps.close, "GAP-001", evidence="seen")
    assert said_of(desk) == before


def said_of(desk):
    return desk.files["ledger.md"].split("## Current slice")[0]


def test_a_closed_row_counts_for_the_area_that_is_swept(desk):
    swept(desk, "1", "knip", 2)
    desk.do(gaps.close, "GAP-001", evidence="seen")
    desk.do(gaps.close, "GAP-002", evidence="seen")
    assert "| refill 2/2 |" in said(desk)
    desk.do(gaps.park)
    assert "| refill 2/2 |" in said(desk)
    swept(desk, "1", "vulture")
    assert "| refill 0/0 |" in said(desk)


@pytest.mark.parametrize(
    "text",
    ["area x of 2 | refill 0/0 | sweep yields none, none", "area 1 | refill 0/0 | sweep yields 1"],
)
def test_a_tracker_that_nobody_can_read_is_refused_with_its_line(desk, text):
    line = desk.ledger.line("Discovery tracker")
    told = tracker(desk, text).refuse(sweep.record, area="1", detector="1", new=0)
    assert told.where == f"ledger.md:{line}"
    assert "does not say Discovery tracker" in told.what


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("area 2 of 3 | refill 4/1 | sweep yields 7, 5 (floor 2) | this sweep 9, by 1 3",
         (2, 3, 4, 1, 7, 5, 3, 9, frozenset({1, 3}))),
        ("area 1 of 2", (1, 2, 0, 0, None, None, 3, 0, frozenset())),
        ("area 1 of 2 | this sweep 12", (1, 2, 0, 0, None, None, 3, 12, frozenset())),
    ],
)  # fmt: skip
def test_what_the_tracker_does_not_say_begins_at_nothing(desk, text, found):
    assert sweep.read(tracker(desk, text).run) == Tracker(*found)


@pytest.mark.parametrize(
    ("yields", "why"),
    [
        ("none, none", "fewer than two full sweeps are recorded"),
        ("none, 1", "fewer than two full sweeps are recorded"),
        ("2, 2", ""), ("0, 0", ""),
        ("3, 0", "the last two full sweeps found 3 and 0; YIELD_FLOOR is 3"),
        ("0, 3", "the last two full sweeps found 0 and 3; YIELD_FLOOR is 3"),
        ("9, 1", "the last two full sweeps found 9 and 1; YIELD_FLOOR is 3"),
    ],
)  # fmt: skip
def test_two_sweeps_below_the_floor_allow_the_end(desk, yields, why):
    text = f"area 1 of 2 | refill 0/0 | sweep yields {yields} (floor 3)"
    assert sweep.dry(tracker(desk, text).run) == why


def test_the_floor_is_the_records_whatever_the_tracker_says(desk):
    tracker(desk, "area 1 of 2 | refill 0/0 | sweep yields 2, 2 (floor 1)")
    assert sweep.dry(desk.run) == ""
    swept(desk, "1", "knip")
    assert "(floor 3)" in said(desk)
