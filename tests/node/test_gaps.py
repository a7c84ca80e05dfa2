"""Debt rows: what a new one takes over, which one gives way, and how two become one."""

from __future__ import annotations

import pytest

from loopgraph.node import finish, gaps
from tests.node.desk import Desk

GAP = gaps.Row("P2", None, "docs/a.md", "look", "no page")


@pytest.fixture
def desk():
    return Desk(name="deliver")


def registered(desk, *priorities):
    """These rows and no others, from GAP-004 on."""
    for row in desk.ledger.gaps:
        desk.do(gaps.close, row.id, evidence="seen")
    for place, priority in enumerate(priorities):
        desk.do(gaps.add, GAP._replace(priority=priority, line=f"line {place}"))
    desk.archive.clear()
    return desk


def test_a_run_that_is_closed_takes_no_new_row(desk):
    desk.do(finish.stalled, why="no key")
    desk.do(gaps.add, GAP)  # it may go on
    desk.do(finish.closed, why="enough", by="owner")
    said = desk.refuse(gaps.add, GAP)
    assert (said.what, said.exit_code) == ("the run is closed", 1)
    assert said.where.startswith("ledger.md:")
    assert said.fix.startswith("To go on with what is open: loopgraph new --from ")


def ids(desk):
    return [row.id for row in desk.ledger.gaps]


def test_a_new_row_belongs_to_the_milestone_that_is_under_way(desk):
    change = desk.do(gaps.add, GAP)
    row = desk.ledger.gaps[-1]
    assert change.says == ("GAP-004 registered.",)
    assert (row.id, row.priority, row.milestone, row.write_set, row.verify, row.text) == (
        "GAP-004", "P2", "M-1", "docs/a.md", "look", "no page",
    )  # fmt: skip
    assert "Highest ids: GAP-004 | OB none\n" in desk.files["ledger.md"]
    desk.do(gaps.add, GAP._replace(milestone="M-3"))
    assert desk.ledger.gaps[-1].milestone == "M-3"


def test_a_run_that_says_no_milestone_has_its_first(desk):
    old = desk.ledger.fields["Current milestone"].text
    desk.edit("ledger.md", f"Current milestone: {old} |", "Current milestone: none |")
    desk.do(gaps.add, GAP)
    assert desk.ledger.gaps[-1].milestone == "M-1"


@pytest.mark.parametrize(
    ("field", "value", "where"),
    [
        ("priority", "P4", "--priority P4"), ("priority", "p1", "--priority p1"),
        ("milestone", " ", "--milestone"), ("write_set", "", "--write-set"),
        ("verify", " ", "--verify"), ("line", "", "the line"),
    ],
)  # fmt: skip
def test_a_row_lacks_nothing(desk, field, value, where):
    assert desk.refuse(gaps.add, GAP._replace(**{field: value})).where == where


def test_without_highest_ids_no_id_is_given(desk):
    desk.edit("ledger.md", "Highest ids: GAP-003 | OB none\n", "")
    told = desk.refuse(gaps.add, GAP)
    assert (told.where, told.what) == (
        "ledger.md", "the Status header does not say Highest ids",
    )  # fmt: skip


def test_where_no_row_was_ever_registered_the_first_is_one(desk):
    registered(desk)
    desk.edit("ledger.md", "Highest ids: GAP-003 | OB none", "Highest ids: see below")
    assert desk.do(gaps.add, GAP).says == ("GAP-001 registered.",)


# Which row gives way ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("priorities", "parked"),
    [
        (("P2", "P3", "P1"), "GAP-005"),
        (("P3", "P2", "P3", "P2"), "GAP-006"),
        (("P2", "P2"), "GAP-005"),
        (("P1", "P2", "P0"), "GAP-005"),
    ],
)
def test_the_newest_row_of_the_lowest_priority_is_parked(desk, priorities, parked):
    registered(desk, *priorities)
    kept = [id_ for id_ in ids(desk) if id_ != parked]
    row = next(row for row in desk.files["ledger.md"].split("\n") if row.startswith(f"| {parked}"))
    assert desk.do(gaps.park).says == (f"{parked} parked in archive/gaps.md.",)
    assert ids(desk) == kept
    assert desk.archive == {"gaps": f"{row}\n"}


def test_another_row_of_the_same_priority_may_be_parked_and_a_higher_one_may_not(desk):
    registered(desk, "P2", "P3", "P3")
    told = desk.refuse(gaps.park, "GAP-004")
    assert told.what == "GAP-004 is P2, and GAP-006 is P3"
    assert told.where == f"ledger.md:{desk.ledger.gaps[0].line}"
    assert told.fix == "Park the lowest first: loopgraph gap park GAP-006"
    desk.do(gaps.park, "gap-5".upper())
    assert ids(desk) == ["GAP-004", "GAP-006"]


@pytest.mark.parametrize("priority", ["P0", "P1"])
def test_urgent_debt_is_never_parked(desk, priority):
    registered(desk, priority)
    told = desk.refuse(gaps.park)
    assert told.what == f"GAP-004 is {priority}"
    assert told.fix == "Close or merge it."


def test_of_an_empty_register_nothing_is_parked(desk):
    told = registered(desk).refuse(gaps.park)
    assert (told.where, told.what) == ("gap park", "the register is empty")


def test_a_full_register_names_the_row_that_may_give_way(desk):
    registered(desk, "P1", *["P2"] * 10, "P1")
    told = desk.refuse(gaps.add, GAP)
    assert told.what == "12 debt rows are live; GAP_CAP is 12"
    assert told.fix == "Park the lowest: loopgraph gap park GAP-014; or close or merge one."
    desk.do(gaps.close, "GAP-004", evidence="seen")
    desk.do(gaps.add, GAP)
    assert len(ids(desk)) == 12


# Close and merge --------------------------------------------------------------------------------


def test_a_closed_row_goes_word_for_word_and_says_what_shows_it(desk):
    row = next(row for row in desk.files["ledger.md"].split("\n") if row.startswith("| GAP-002"))
    change = desk.do(gaps.close, "GAP-2", evidence=" R3, log.txt ")
    assert change.says == ("GAP-002 closed (R3, log.txt); it is in archive/gaps.md.",)
    assert desk.archive == {"gaps": f"{row}\n"}
    assert ids(desk) == ["GAP-001", "GAP-003"]
    assert desk.refuse(gaps.close, "GAP-001", evidence=" ").where == "--evidence"


@pytest.mark.parametrize(
    ("priorities", "urgent"), [(("P2", "P0"), "P0"), (("P1", "P2"), "P1"), (("P3", "P3"), "P3")]
)
def test_of_two_merged_rows_the_more_urgent_priority_holds(desk, priorities, urgent):
    registered(desk, *priorities)
    desk.do(gaps.merge, "GAP-004", into="GAP-005")
    (row,) = desk.ledger.gaps
    assert (row.id, row.priority, row.text) == ("GAP-005", urgent, "line 1; with GAP-004: line 0")


def test_both_rows_of_a_merge_are_in_the_archive_as_they_were(desk):
    registered(desk, "P2", "P2", "P2")
    lines = {
        row.split(" |")[0]: f"{row}\n"
        for row in desk.files["ledger.md"].split("\n")
        if row.startswith("| GAP-")
    }
    change = desk.do(gaps.merge, "GAP-004", into="GAP-006", line="both at once")
    assert change.says == ("GAP-004 merged into GAP-006; both as they were are in the archive.",)
    assert desk.archive == {"gaps": lines["| GAP-006"] + lines["| GAP-004"]}
    assert [(row.id, row.text) for row in desk.ledger.gaps] == [
        ("GAP-005", "line 1"), ("GAP-006", "both at once"),
    ]  # fmt: skip


def test_a_row_that_says_both_already_stays_as_it_is(desk):
    registered(desk, "P2", "P2")
    desk.do(gaps.merge, "GAP-005", into="GAP-004", line="line 0")
    assert [move.id for move in desk.last.moves] == ["GAP-005"]
    assert ids(desk) == ["GAP-004"]


def test_a_row_is_not_merged_into_itself_or_into_what_is_not_there(desk):
    told = desk.refuse(gaps.merge, "GAP-001", into="GAP-1")
    assert (told.where, told.what) == ("--into GAP-1", "a row is not merged into itself")
    assert desk.refuse(gaps.merge, "GAP-001", into="GAP-044").where == "GAP-044"
    assert desk.refuse(gaps.merge, "GAP-001", into="GAP-002", line=" ").where == "--line"


def test_the_register_is_listed_with_the_most_urgent_first(desk):
    registered(desk, "P2", "P0", "P3", "P0")
    assert [row.id for row in gaps.rows(desk.run)] == ["GAP-005", "GAP-007", "GAP-004", "GAP-006"]
    assert gaps.listed(desk.run)[0] == "GAP-005 P0 M-1 | line 1 | writes docs/a.md | look"


def test_a_row_without_an_id_of_ours_stands_first_among_its_priority(desk):
    registered(desk, "P2", "P2")
    desk.edit("ledger.md", "| GAP-005 |", "| a note |")
    assert [row.id for row in gaps.rows(desk.run)] == ["a note", "GAP-004"]
    desk.edit("ledger.md", "| a note |", "|  |")
    assert gaps.listed(desk.run)[0].startswith("? P2 M-1 | line 1 | ")


def test_a_register_without_a_column_of_ids_has_no_row_that_could_be_meant(desk):
    lines = desk.files["ledger.md"].split("\n")
    desk.files["ledger.md"] = "\n".join(
        "|" + line.partition("|")[2].partition("|")[2]
        if line.startswith(("| ID | Priority", "| GAP-"))
        else line
        for line in lines
    ).replace("|---|---|---|---|---|---|\n| P2", "|---|---|---|---|---|\n| P2")
    assert [row.id for row in desk.ledger.gaps] == [None] * 3
    told = desk.refuse(gaps.close, "GAP-001", evidence="x")
    assert (told.where, told.fix) == ("GAP-001", "The register is empty.")
    assert gaps.listed(desk.run)[0].startswith("? P2 M-1 | ")
