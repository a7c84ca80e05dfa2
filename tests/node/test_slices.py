"""The Current slice: which of its fields a command sets, and what it may not say."""

from __future__ import annotations

import pytest

from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.node import slices
from tests.node.desk import Desk


@pytest.fixture
def desk():
    return Desk(name="deliver")


def now(desk):
    found = desk.ledger.slice
    fields = (found.item, found.write_set, found.context, found.verify, found.done_when)
    return tuple(field.text for field in fields)


def test_the_fields_that_are_named_change_and_the_others_stay(desk):
    item, _, context, verify, done = now(desk)
    change = desk.do(slices.change, {"Write set": " src/a.py ", "Verify": None})
    assert now(desk) == (item, "src/a.py", context, verify, done)
    assert change.says == (f"Slice: {item}",)
    desk.do(slices.change, {"Context": "C-02", "Verify": "pytest -q", "Done when": "it passes"})
    assert now(desk) == (item, "src/a.py", "C-02", "pytest -q", "it passes")
    assert desk.ledger.next_item == item


def test_a_new_item_is_the_next_one_of_the_header_too(desk):
    change = desk.do(slices.change, {"Item": " build the limit "})
    assert now(desk)[0] == desk.ledger.next_item == "build the limit"
    assert change.says == ("Slice: build the limit",)


@pytest.mark.parametrize("name", slices.OPTIONS)
def test_a_field_that_is_set_says_something(desk, name):
    told = desk.refuse(slices.change, {name: " "})
    assert (told.where, told.what) == (slices.OPTIONS[name], "nothing is said")


@pytest.mark.parametrize("values", [{}, {"Item": None, "Verify": None}])
def test_something_is_set(desk, values):
    told = desk.refuse(slices.change, values)
    assert (told.where, told.what) == ("slice set", "nothing to set")
    assert told.fix == "Say --item or --write-set or --context or --verify or --done-when."


def test_a_slice_cites_rows_of_the_context_index_that_are_there(desk):
    told = desk.refuse(slices.change, {"Context": "C-01, C-99"})
    assert isinstance(told, UsageError)
    assert (told.where, told.what) == ("--context C-99", "no such row in the context index")
    desk.do(slices.change, {"Context": "C-01, GAP-099"})
    assert now(desk)[2] == "C-01, GAP-099"


def test_where_there_is_no_context_index_any_row_may_be_cited(desk):
    desk.edit("ops.md", "## Context index\n", "## Pointers\n")
    desk.do(slices.change, {"Context": "C-99"})


def test_what_is_under_audit_is_no_write_set(desk):
    desk.ask(surface="src/a.py")
    told = desk.refuse(slices.change, {"Write set": "src/b.py, src/a.py"})
    assert isinstance(told, RefusedError)
    assert (told.where, told.what) == (
        "--write-set", "src/a.py is under audit, or planned for the next milestone",
    )  # fmt: skip
    desk.do(slices.change, {"Write set": "src/b.py", "Verify": "pytest src/a.py"})


@pytest.mark.parametrize(("more", "may"), [(1, True), (2, False)])
def test_a_slice_has_as_many_lines_as_are_allowed_and_no_more(desk, more, may):
    last = now(desk)[-1]
    lines = "".join(f"  more {number}\n" for number in range(more))
    desk.edit("ledger.md", f"- Done when: {last}\n", f"- Done when: {last}\n{lines}")
    if may:
        desk.do(slices.change, {"Verify": "pytest"})
        return
    told = desk.refuse(slices.change, {"Verify": "pytest"})
    assert told.what == "the slice would have 7 lines; 6 are allowed"
    assert told.where == f"ledger.md:{desk.ledger.slice.line}"


def test_a_slice_without_an_item_says_so(desk):
    item = desk.ledger.slice.item.text
    desk.edit("ledger.md", f"- Item: {item}\n", "")
    assert desk.do(slices.change, {"Verify": "pytest"}).says == ("Slice: ?",)
