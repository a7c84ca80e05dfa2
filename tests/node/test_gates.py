"""The Gate scoreboard: which row is meant, which words it takes, and which rows leave it."""

from __future__ import annotations

import pytest

from loopgraph.model import contract
from loopgraph.node import gates
from loopgraph.node.results import Result
from tests.node.desk import Desk


@pytest.fixture
def desk():
    return Desk(name="deliver")


def row(desk, gate):
    return next(row for row in desk.ledger.scoreboard if row.gate == gate)


@pytest.mark.parametrize(
    ("said", "gate"),
    [
        ("G-1 tests", "G-1 tests"),
        ("G-1", "G-1 tests"),
        ("g-2", "G-2 lint"),
        ("north star", "North Star: its proof"),
        ("M-1", "M-1: exit checks"),
        ("m-4: exit", "M-4: exit checks"),
    ],
)
def test_a_row_is_meant_by_its_name_its_beginning_or_its_id(desk, said, gate):
    names = [one.gate for one in desk.ledger.scoreboard]
    change = desk.do(gates.change, said, status="in-progress", evidence="half of it")
    assert [one.gate for one in desk.ledger.scoreboard] == names
    assert (row(desk, gate).status, row(desk, gate).evidence) == ("in-progress", "half of it")
    assert change.says == (f"{gate}: in-progress",)


def test_a_row_whose_id_stands_behind_other_words_is_meant_by_it(desk):
    desk.edit("ledger.md", "| G-1 tests |", "| tests of G-1 |")
    desk.do(gates.change, "G-1", status="closed", evidence="green")
    assert row(desk, "tests of G-1").status == "closed"
    desk.edit("ledger.md", "| tests of G-1 |", "| tests of GAP-1 |")
    desk.do(gates.change, "GAP-1", status="closed", evidence="green")
    assert row(desk, "GAP-1").status == "closed"


@pytest.mark.parametrize("said", ["lint", "a new check", "GAP-001", "G force", "G-force", "grey 1"])
def test_what_no_row_is_called_becomes_a_new_one(desk, said):
    before = len(desk.ledger.scoreboard)
    change = desk.do(gates.change, said, status="open", evidence="to be shown")
    assert len(desk.ledger.scoreboard) == before + 1
    assert desk.ledger.scoreboard[-1][1:] == (said, "open", "open", "to be shown")
    assert change.says == (f"{said}: open",)


@pytest.mark.parametrize(
    ("said", "fix"),
    [
        ("G-9", "Did you mean G-2?"), ("g-9 tests", "Did you mean G-1 tests?"),
        ("G1 tests", "Did you mean G-1 tests?"), ("g2", "Did you mean G-2 lint?"),
        ("G-1 tets", "Did you mean G-1 tests?"), ("G_1", "Did you mean G-1 tests?"),
    ],
)  # fmt: skip
def test_a_name_that_begins_like_a_gate_and_is_none_is_refused(desk, said, fix):
    told = desk.refuse(gates.change, said, status="closed", evidence="x")
    assert (told.what, told.where) == ("no such gate", said)
    assert told.fix == fix


def test_a_gate_whose_row_is_in_the_archive_gets_a_row_again(desk):
    line = next(x for x in desk.files["ledger.md"].split("\n") if x.startswith("| G-1 tests"))
    desk.edit("ledger.md", f"{line}\n", "")
    assert desk.refuse(gates.change, "G1", status="open", evidence="x").fix == "Did you mean G-1?"
    desk.do(gates.change, "G-1 tests", status="open", evidence="it is red again")
    assert row(desk, "G-1 tests").status == "open"


def test_a_new_row_much_like_another_is_told(desk):
    change = desk.do(gates.change, "north star: its prof", status="open", evidence="x")
    assert change.says == (
        "north star: its prof: open",
        "It is a new row; there is one “North Star: its proof”, too.",
    )
    desk.do(gates.change, "check 1", status="open", evidence="x")
    assert desk.do(gates.change, "check 2", status="open", evidence="x").says == ("check 2: open",)


def test_where_several_rows_begin_so_the_whole_name_decides(desk):
    for name in ("login works", "login fails"):
        desk.do(gates.change, name, status="open", evidence="x")
    first, second = (row(desk, name).line for name in ("login works", "login fails"))
    told = desk.refuse(gates.change, "login", status="closed", evidence="y")
    assert (told.where, told.what) == ("login", "several rows begin so")
    assert told.fix == f"Write one out: ledger.md:{first}, ledger.md:{second}"
    desk.edit("ledger.md", "| login fails |", "| login |")
    desk.do(gates.change, "login", status="closed", evidence="y")
    assert (row(desk, "login").status, row(desk, "login works").status) == ("closed", "open")


@pytest.mark.parametrize("status", ["pending-audit", "passed", "n/a"])
def test_what_only_the_milestone_gate_says_is_no_status_of_a_row(desk, status):
    told = desk.refuse(gates.change, "G-1", status=status, evidence="x")
    assert told.what == (
        f"{status} is said by the milestone gate alone, once an accept for it is folded"
    )
    assert told.where == f"ledger.md:{desk.ledger.line('Milestone gate')}"


@pytest.mark.parametrize(
    ("named", "where"),
    [
        ({"status": "clsed"}, "--status clsed"), ({"evidence": " "}, "--evidence"),
        ({"gate": " "}, "the gate"),
    ],
)  # fmt: skip
def test_a_row_says_which_gate_how_it_is_and_what_shows_it(desk, named, where):
    said = {"gate": "G-1", "status": "closed", "evidence": "x", **named}
    assert desk.refuse(gates.change, said.pop("gate"), **said).where == where


def test_the_newest_closed_rows_stay_and_the_oldest_go_word_for_word(desk):
    for one in desk.ledger.scoreboard:
        desk.do(gates.change, one.gate, status="closed", evidence="green")
    rows = len(desk.ledger.scoreboard)
    for number in range(contract.CLOSED_ROWS - rows):
        desk.do(gates.change, f"check {number}", status="closed", evidence="seen")
    assert desk.archive == {}
    desk.do(gates.change, "open", status="open", evidence="to be shown")
    assert desk.archive == {}
    desk.do(gates.change, "one more", status="closed", evidence="seen")
    assert desk.archive == {"gates": "| North Star: its proof | closed | green |\n"}
    assert desk.last.moves[0].id == "North Star: its proof"
    closed = [one for one in desk.ledger.scoreboard if one.status == "closed"]
    assert len(closed) == contract.CLOSED_ROWS


def ran(passed, *, node="executor", hour=4, check="G-1"):
    return Result(check, node, f"2026-01-02T{hour:02}:00:00+00:00", passed, "t", "exit 1")


GREEN, RED = True, False


@pytest.mark.parametrize("said", ["G-1", "G-1 tests"])
def test_a_gate_that_was_red_when_it_was_run_last_is_not_closed(desk, said):
    told = desk.refuse(
        gates.change, said, status="closed", evidence="x",
        gathered=(ran(GREEN, hour=3), ran(RED), ran(GREEN, hour=5, check="G-2")),
    )  # fmt: skip
    assert told.what == (
        "G-1 failed when it was run last, 2026-01-02T04:00:00+00:00 by executor: exit 1"
    )
    assert told.fix == "Mend it, and run it again until it passes: loopgraph gate run G-1"


@pytest.mark.parametrize(
    ("status", "gathered"),
    [
        ("in-progress", (ran(RED),)), ("closed", (ran(RED), ran(GREEN, hour=5))),
        ("closed", (ran(RED, check="G-2"),)), ("closed", ()),
    ],
)  # fmt: skip
def test_a_gate_is_set_otherwise_or_closed_once_it_has_passed_again(desk, status, gathered):
    desk.do(gates.change, "G-1", status=status, evidence="x", gathered=gathered)
    assert row(desk, "G-1 tests").status == status
