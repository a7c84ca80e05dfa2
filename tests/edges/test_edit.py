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
