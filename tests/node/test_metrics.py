"""A metric is measured against a baseline and a target that stay where they were set."""

from __future__ import annotations

import pytest

from loopgraph.node import call as parts
from loopgraph.node import metrics
from tests.node.desk import Desk


@pytest.fixture
def desk():
    desk = Desk(name="deliver")
    columns = f"| {' | '.join(metrics.COLUMNS)} |\n|---|---|---|---|---|"
    section = f"## Metric snapshot\n\n{columns}\n\n"
    desk.edit("ledger.md", "## owner-blocked\n", f"{section}## owner-blocked\n")
    return desk


def rows(desk):
    return [row.cells for row in desk.ledger.metrics]


def test_a_new_metric_takes_what_is_measured_first_as_its_baseline(desk):
    change = desk.do(metrics.change, "p95", now="90 ms", target="50 ms", evidence="bench.txt")
    assert rows(desk) == [("p95", "90 ms", "90 ms", "50 ms", "bench.txt")]
    assert change.says == ("p95: 90 ms",)
    desk.do(metrics.change, "size", now="3", baseline="4", target="2", evidence="du")
    assert rows(desk)[1] == ("size", "4", "3", "2", "du")


@pytest.mark.parametrize(
    ("named", "where"),
    [
        ({"target": None}, "--target"), ({"target": " "}, "--target"), ({"now": ""}, "--now"),
        ({"evidence": ""}, "--evidence"), ({"baseline": " "}, "--baseline"),
    ],
)  # fmt: skip
def test_a_new_metric_lacks_nothing(desk, named, where):
    told = desk.refuse(
        metrics.change, "p95", **{"now": "9", "target": "5", "evidence": "log", **named}
    )
    assert (told.where, told.what) == (where, "nothing is said")


def test_measured_again_only_the_value_and_its_evidence_change(desk):
    desk.do(metrics.change, "p95", now="90", target="50", evidence="bench")
    change = desk.do(metrics.change, " p95 ", now=" 70 ", evidence="bench 2", target="50 ")
    assert rows(desk) == [("p95", "90", "70", "50", "bench 2")]
    assert change.says == ("p95: 70",)


@pytest.mark.parametrize(("option", "old"), [("baseline", "90"), ("target", "50")])
def test_a_bar_that_is_set_stays(desk, option, old):
    desk.do(metrics.change, "p95", now="90", target="50", evidence="bench")
    told = desk.refuse(metrics.change, "p95", now="60", evidence="x", **{option: "80"})
    assert str(told) == (
        f"--{option}: p95 has '{old}' there, and it stays. Only the owner moves a bar."
    )


def test_a_bar_that_nobody_set_can_be_set_once(desk):
    desk.do(metrics.change, "p95", now="90", target="50", evidence="bench")
    desk.edit("ledger.md", "| p95 | 90 | 90 | 50 | bench |", "| p95 | none | 90 | — | bench |")
    desk.do(metrics.change, "p95", now="80", baseline="95", target="40", evidence="b2")
    assert rows(desk) == [("p95", "95", "80", "40", "b2")]
    assert "it stays" in desk.refuse(metrics.change, "p95", now="1", target="2", evidence="x").what


@pytest.mark.parametrize("named", [{}, {"target": "40"}])
def test_a_row_with_too_few_columns_is_named_by_its_line(desk, named):
    desk.do(metrics.change, "p95", now="90", target="50", evidence="bench")
    desk.edit("ledger.md", "| p95 | 90 | 90 | 50 | bench |", "| p95 | 90 | 90 |")
    told = desk.refuse(metrics.change, "p95", now="80", evidence="b2", **named)
    assert told.what == "the row has too few columns"
    assert told.where == f"ledger.md:{desk.ledger.metrics[0].line}"


def test_as_many_metrics_as_the_cap_says_are_live_and_no_more(desk):
    cap = parts.knob(desk.run, "METRIC_CAP")
    for number in range(cap):
        desk.do(metrics.change, f"m{number}", now="1", target="0", evidence="x")
    told = desk.refuse(metrics.change, "one more", now="1", target="0", evidence="x")
    assert told.what == f"{cap} metrics are live; METRIC_CAP is {cap}"
    assert told.where == f"ledger.md:{desk.ledger.metrics[0].line}"
    desk.do(metrics.change, "m3", now="0", evidence="y")
    assert len(rows(desk)) == cap


def test_a_run_that_measures_nothing_has_no_such_section():
    told = Desk().refuse(metrics.change, "p95", now="9", target="5", evidence="x")
    assert told.what == "no section “Metric snapshot”"
