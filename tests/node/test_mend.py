"""What a finding of form is mended to, by the numbers in the same file."""

from __future__ import annotations

import pytest

from loopgraph.node import call as parts
from loopgraph.node import directives, gaps, gates, mend, owner, standing
from loopgraph.node.directives import Packet
from loopgraph.node.owner import Question
from tests.node.desk import Desk

GAP = gaps.Row("P2", None, "docs/a.md", "look", "no page")
PLAN = Packet("plan", None, "R0", "name the unit", "pytest -q", "none")
CARD = Question("Go?", "the path needs it", ("wait", "go"))
LINE = "- R{} 2026-01-02 | a | changed: b | verify: c | net +1/-0 | next: d"


@pytest.fixture
def desk():
    return Desk(name="deliver")


def mended(desk, *rules, by="owner"):
    return desk.do(mend.mend, rules, by=by)


def logged(desk, *lines):
    desk.files["ledger.md"] += "\n" + "".join(f"{line}\n" for line in lines)
    return desk


# The number of the last round -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "said", "mends"),
    [
        ((1, 2, 3), "0", "3"),
        ((1, 2), "2", ""),
        ((1, 2), "7", ""),
        ((), "0", ""),
        ((2, 1), "1", "2"),
    ],
)  # fmt: skip
def test_the_count_of_rounds_is_the_newest_of_the_log(desk, numbers, said, mends):
    logged(desk, *map(LINE.format, numbers))
    desk.edit("ledger.md", "Round: 0 |", f"Round: {said} |")
    change = mended(desk, "LG211")
    assert change.says == (("LG211: mended",) if mends else ())
    assert desk.ledger.round == int(mends or said)


def test_a_round_that_is_under_way_is_not_counted_yet(desk):
    logged(desk, LINE.format(1), "", "### Round 2", "", "- **Item**: a")
    mended(desk, "LG211")
    assert desk.ledger.round == 1


def test_a_count_that_nobody_can_read_is_left(desk):
    desk.edit("ledger.md", "Round: 0 |", "Round: many |")
    assert mended(logged(desk, LINE.format(1)), "LG211").live == {}


# Highest ids ------------------------------------------------------------------------------------


def test_the_highest_ids_of_the_ledger_are_raised_to_those_in_use_and_never_lowered(desk):
    desk.do(gaps.add, GAP)
    desk.do(owner.ask, CARD)
    desk.edit("ledger.md", "GAP-004 | OB-001\n", "GAP-002 | OB none\n")
    mended(desk, "LG216")
    assert desk.ledger.highest == {"GAP": 4, "OB": 1}
    desk.edit("ledger.md", "GAP-004 | OB-001\n", "GAP-009 | OB-007\n")
    assert mended(desk, "LG216").live == {}
    assert desk.ledger.highest == {"GAP": 9, "OB": 7}


def test_a_row_without_an_id_of_ours_raises_none(desk):
    desk.edit("ledger.md", "| GAP-003 |", "| a note |")
    assert mended(desk, "LG216").live == {}


def test_the_highest_ids_of_the_queue_are_raised_kind_by_kind(desk):
    desk.do(directives.add, PLAN, by="supervisor")
    desk.do(owner.ask, CARD, by="supervisor")
    desk.do(standing.add, "SCOPE", "docs", by="owner")
    whole = "Highest ids: D-001 | S-002 | OB-001"
    for lower in (
        "Highest ids: D none | S-002 | OB-001",
        "Highest ids: D-001 | S-001 | OB-001",
        "Highest ids: D-001 | S-002 | OB none",
    ):
        desk.edit("directives.md", whole, lower)
        assert mended(desk, "LG308").says == ("LG308: mended",)
        assert whole in desk.files["directives.md"]
    higher = "Highest ids: D-009 | S-009 | OB-009"
    desk.edit("directives.md", whole, higher)
    assert mended(desk, "LG308").live == {}


def test_a_queue_that_says_no_highest_ids_is_left_and_it_is_said(desk):
    desk.edit("directives.md", " | Highest ids: D none | S-001 | OB none", "")
    change = mended(desk, "LG308")
    assert change.live == {}
    assert change.says[0].startswith("LG308: left as it is: directives.md")


# Trackers ---------------------------------------------------------------------------------------


TRACKER = (
    "rounds since last {}: **{}** | net lines since last +{}: **{}** | **next round converges: {}**"
)


@pytest.mark.parametrize("rule", ["LG219", "LG236", "LG220"])
@pytest.mark.parametrize(
    ("k", "m", "due"), [("5", "+0", "yes"), ("4", "+401", "yes"), ("4", "+400", "no")]
)
def test_the_flag_of_the_tracker_follows_its_numbers_and_its_limits_the_record(rule, k, m, due):
    desk = Desk(name="deliver")
    wrong = "no" if due == "yes" else "yes"
    old = desk.ledger.fields["Convergence tracker"].text
    desk.edit("ledger.md", old, TRACKER.format(9, k, 9, m, wrong))
    mended(desk, rule)
    assert desk.ledger.fields["Convergence tracker"].text == TRACKER.format(5, k, 400, m, due)


@pytest.mark.parametrize("rule", ["LG219", "LG236"])
def test_a_tracker_without_its_numbers_is_left_and_it_is_said(desk, rule):
    desk.edit("ledger.md", "rounds since last 5: **0**", "rounds since last 5: many")
    change = mended(desk, rule)
    assert change.live == {}
    assert "does not say Convergence tracker" in change.says[0]
    assert mended(desk, "LG220").live == {}


def test_the_floor_of_the_sweeps_is_the_records():
    desk = Desk(name="converge")
    desk.edit("ledger.md", "(floor 3)", "(floor 9)")
    mended(desk, "LG220")
    assert "(floor 3)" in desk.files["ledger.md"]


# What leaves ------------------------------------------------------------------------------------


def test_what_is_settled_goes_where_it_belongs(desk):
    logged(desk, *(LINE.format(number) for number in range(1, 8)))
    rows = "".join(f"| old {number} | closed | seen |\n" for number in range(14))
    desk.edit("ledger.md", "| G-1 tests |", f"{rows}| G-1 tests |")
    desk.do(directives.add, PLAN, by="supervisor")
    desk.do(directives.fold, "D-001", effect="x")
    change = mended(desk, "LG208", "LG222", "LG309")
    assert change.says == ("LG208: mended", "LG222: mended", "LG309: mended")
    assert [move.id for move in change.moves] == ["R1", "R2", "old 0", "old 1", "D-001"]


def test_only_the_rules_that_were_found_are_mended(desk):
    logged(desk, *(LINE.format(number) for number in range(1, 8)))
    change = mended(desk, "LG222", "LG999")
    assert (change.live, change.says) == ({}, ())


def test_a_mend_that_would_make_a_file_too_large_is_left_and_it_is_said(desk):
    logged(desk, LINE.format(1000), "")
    free = parts.knob(desk.run, "FILE_BYTE_CAP") - len(desk.files["ledger.md"].encode())
    desk.files["ledger.md"] += "x" * (free - 1) + "\n"
    change = mended(desk, "LG211")
    assert change.live == {}
    assert "FILE_BYTE_CAP is 24576" in change.says[0]


@pytest.mark.parametrize(("by", "moves"), [("executor", "gates"), ("supervisor", "directives")])
def test_a_node_mends_its_own_edge_and_says_what_it_leaves(desk, by, moves):
    for row in desk.ledger.scoreboard:
        desk.do(gates.change, row.gate, status="closed", evidence="green")
    rows = "".join(f"| old {number} | closed | seen |\n" for number in range(9))
    desk.edit("ledger.md", "| G-1 tests |", f"{rows}| G-1 tests |")
    desk.do(directives.add, PLAN, by="supervisor")
    desk.do(directives.fold, "D-001", effect="x")
    desk.archive.clear()
    change = mended(desk, "LG222", "LG309", by=by)
    assert set(desk.archive) == {moves}
    (left,) = [line for line in change.says if "left as it is" in line]
    assert "`check --fix` writes the edge" in left
