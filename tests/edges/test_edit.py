"""Edits of a table: a row, a cell, and what an edit needs to find first."""

from __future__ import annotations

import pytest

from loopgraph.edges import document, edit
from loopgraph.model.errors import UnreadableError

SOURCE = """## Rows

| ID | **Line** | More |
|---|---|---|
| A-1 | one | x |
| A-2 | two

below
"""
NAMES = ("ID", "Line")


def parts(source=SOURCE):
    parsed = document.parse(source)
    part = parsed.section("Rows")
    assert part
    return parsed, part


@pytest.mark.parametrize(
    ("line", "cells", "after"),
    [
        (5, {1: "new"}, "| A-1 | new | x |"), (5, {0: "a", 2: "b"}, "| a | one | b |"),
        (5, {1: "a | b"}, "| A-1 | a \\| b | x |"), (6, {0: "a"}, "| a | two"),
        (6, {1: "new"}, "| A-2 | new |"),
    ],
)  # fmt: skip
def test_cells_are_written_by_their_place_and_the_others_stay(line, cells, after):
    done = edit.set_cells(parts()[0], "f.md", line, cells)
    lines = "".join(done.lines).split("\n")
    assert lines[line - 1] == after
    del lines[line - 1]
    before = SOURCE.split("\n")
    del before[line - 1]
    assert lines == before


def test_a_row_with_too_few_columns_is_named_by_its_line():
    with pytest.raises(UnreadableError, match=r"f\.md:6: the row has too few columns\. Complete"):
        edit.set_cells(parts()[0], "f.md", 6, {2: "x"})


def test_a_row_is_added_behind_the_last_with_a_cell_for_every_column():
    parsed, part = parts()
    done = edit.add_row(parsed, "f.md", part, NAMES, ("A-3", "a|b"))
    assert "".join(done.lines).split("\n")[5:8] == ["| A-2 | two", "| A-3 | a\\|b |  |", ""]


def test_a_row_is_added_to_a_table_without_rows():
    parsed, part = parts("## Rows\n\n| ID | Line |\n|---|---|\n\nbelow\n")
    done = edit.add_row(parsed, "f.md", part, NAMES, ("A-1", "a"))
    assert "".join(done.lines).split("\n")[3:6] == ["|---|---|", "| A-1 | a |", ""]


@pytest.mark.parametrize(
    ("source", "line"), [(SOURCE.replace("ID", "Id x"), 3), ("## Rows\n\nnothing\n", 1)]
)
def test_a_table_of_other_columns_is_refused_with_its_line(source, line):
    parsed, part = parts(source)
    with pytest.raises(UnreadableError, match=rf"f\.md:{line}: no table with the columns ID, Line"):
        edit.table(parsed, "f.md", part, NAMES)


def test_a_table_is_known_by_its_first_columns_however_they_are_marked_and_cased():
    parsed, part = parts(SOURCE.replace("**Line**", "_LINE_"))
    assert edit.table(parsed, "f.md", part, NAMES).line == 3


HEAD = "## Head\n\nCurrent: M-1 | Round: 3 | Net: +1/-0\nNext: **a** | b\nStatus: `x`\n"
FIELDS = ("Current", "Round", "Net", "Next", "Status", "Gate")


def with_field(name, said, source=HEAD):
    parsed = document.parse(source)
    part = parsed.section("Head")
    assert part
    return edit.set_field(parsed, part, FIELDS, name, said).text()


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("Current", "Current: M-1 |", "Current: new |"), ("Round", "Round: 3 |", "Round: new |"),
        ("Net", "Net: +1/-0\n", "Net: new\n"), ("Next", "Next: **a** | b\n", "Next: new\n"),
        ("Status", "Status: `x`\n", "Status: new\n"),
    ],
)  # fmt: skip
def test_a_field_is_written_in_its_place_up_to_the_next_one(name, old, new):
    assert with_field(name, "new") == HEAD.replace(old, new)


def test_a_field_that_is_not_there_comes_last():
    assert with_field("Gate", "open") == f"{HEAD}Gate: open\n"
    assert with_field("Gate", "open", f"{HEAD}\n## Next\n") == f"{HEAD}Gate: open\n\n## Next\n"


@pytest.mark.parametrize("order", [1, -1])
def test_a_pipe_in_somebodys_text_is_no_field_where_a_line_begins_with_it(order):
    lines = ["Next: wait for | Round: 9\n", "Round: 3\n"][::order]
    source = "## Head\n\n" + "".join(lines)
    assert with_field("Round", "4", source) == source.replace("Round: 3", "Round: 4")


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("**Round**: 3", "**Round**: 4"), ("**Round:** 3", "**Round:** 4"),
        ("- Round: 3 | Net: +1", "- Round: 4 | Net: +1"), ("Round：3", "Round： 4"),
        ("Round:3｜Net: +1", "Round: 4 ｜Net: +1"),
    ],
)  # fmt: skip
def test_the_marks_around_a_fields_name_stay(line, after):
    assert with_field("Round", "4", f"## Head\n\n{line}\n") == f"## Head\n\n{after}\n"


@pytest.mark.parametrize(
    ("body", "after"),
    [
        ("- Item: a\n- Verify: b\n", "- Item: new\n- Verify: b\n"),
        ("- Item: a\n  goes on\n  and on\n- Verify: b\n", "- Item: new\n- Verify: b\n"),
        ("- Item: a\n\nmore\n- Verify: b\n", "- Item: new\n\nmore\n- Verify: b\n"),
        ("- Verify: b\n", "- Verify: b\n- Item: new\n"),
        ("- Item: a\n- Item: c\n", "- Item: new\n- Item: c\n"),
        ("- Item: a", "- Item: new\n"),
    ],
)
def test_an_entry_is_written_with_the_lines_that_go_on_below_it(body, after):
    parsed = document.parse(f"## Slice\n\n{body}")
    part = parsed.section("Slice")
    assert part
    done = edit.set_entry(parsed, part, ("Item", "Verify"), "Item", "new")
    assert done.text() == f"## Slice\n\n{after}"


@pytest.mark.parametrize(
    ("source", "after"),
    [
        ("## A\n", "## A\n\nx\ny\n"), ("## A\n\na\n", "## A\n\na\nx\ny\n"),
        ("## A\n\na\n\n\n", "## A\n\na\nx\ny\n\n\n"),
        ("## A\n## B\n", "## A\n\nx\ny\n\n## B\n"), ("## A\r\n", "## A\r\n\r\nx\r\ny\r\n"),
        ("## A\n\na", "## A\n\na\nx\ny\n"),
    ],
)  # fmt: skip
def test_lines_come_behind_the_last_one_that_says_something(source, after):
    parsed = document.parse(source)
    part = parsed.section("A")
    assert part
    assert edit.append(parsed, part, ["x", "y"]).text() == after


@pytest.mark.parametrize(
    ("first", "last", "lines", "after"),
    [
        (1, 1, ["x"], "x\nb\nc"), (2, 3, ["x", "y"], "a\nx\ny\n"), (2, 1, ["x"], "a\nx\nb\nc"),
        (1, 0, ["x"], "x\na\nb\nc"), (4, 3, ["x"], "a\nb\nc\nx\n"), (2, 3, [], "a\n"),
    ],
)  # fmt: skip
def test_lines_are_replaced_put_in_and_taken_out(first, last, lines, after):
    assert edit.splice(document.parse("a\nb\nc"), first, last, lines).text() == after


def test_one_line_keeps_its_own_end():
    parsed = document.parse("a\r\nb\nc")
    assert edit.replace_line(parsed, 1, "x").text() == "x\r\nb\nc"
    assert edit.replace_line(parsed, 2, "x").text() == "a\r\nx\nc"
    assert edit.replace_line(parsed, 3, "x").text() == "a\r\nb\nx"
    assert edit.remove_lines(parsed, 1, 2).text() == "c"
    assert edit.taken(parsed, 2, 3) == "b\nc\r\n"
    assert edit.taken(parsed, 1, 2) == "a\r\nb\n"
    assert edit.line_end(document.parse("")) == "\n"


def test_the_first_section_that_an_edit_needs_stands_alone():
    one = document.parse("## A\n\n## B\n\n## A\n")
    assert edit.section(one, "f.md", "B").start == 2
    with pytest.raises(UnreadableError, match=r"f\.md:5: a second section “A”"):
        edit.section(one, "f.md", "A")
    with pytest.raises(UnreadableError, match=r"^f\.md: no section “C”"):
        edit.section(one, "f.md", "C")
