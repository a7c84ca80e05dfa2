"""Tables: every row that somebody wrote is there, with the columns that its header names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.plain import tables

HEAD = ["| ID | One line |", "|---|---|"]
CASES = [
    ("a table", [*HEAD, "| 1 | a |"], [(["ID", "One line"], ["1"])]),
    ("no rows", HEAD, [(["ID", "One line"], [])]),
    (
        "rows below a blank line",
        [*HEAD, "| 1 | a |", "", "| 2 | b |"],
        [(["ID", "One line"], ["1", "2"])],
    ),
    ("rows that look like a delimiter", [*HEAD, "| - | --- |"], [(["ID", "One line"], ["-"])]),
    ("no header", ["| 1 | a |", "| 2 | b |"], [([], ["1", "2"])]),
    (
        "two tables",
        [*HEAD, "| 1 | a |", "", "| X |", "|---|", "| 2 |"],
        [(["ID", "One line"], ["1"]), (["X"], ["2"])],
    ),
    ("a table right below text", ["text", *HEAD, "| 1 | a |"], [(["ID", "One line"], ["1"])]),
    ("a header and no delimiter", ["| ID | One line |", "| 1 | a |"], [([], ["ID", "1"])]),
    ("code by indentation", ["    | 1 | a |", "\t| 2 | b |"], []),
    ("nothing", ["text", ""], []),
]


@pytest.mark.parametrize(("what", "lines", "found"), CASES, ids=[case[0] for case in CASES])
def test_rows_stand_below_their_header(what, lines, found):
    told = tables.tables(list(enumerate(lines, 1)))
    assert [(header, [row[0] for _, row in rows]) for _, header, rows in told] == found
    for line, header, rows in told:
        for number, cells in [(line, header), *rows] if header else rows:
            assert lines[number - 1].strip("| ").split(" ")[0] == cells[0].split(" ")[0]


@given(st.lists(st.sampled_from([*HEAD, "| 1 | a |", "|", "x", "", "    | b |"]), max_size=9))
def test_no_row_is_lost(lines):
    told = tables.tables(list(enumerate(lines, 1)))
    seen = {number for line, header, rows in told for number, _ in rows}
    heads = {line for line, header, _ in told if header}
    wanted = {number for number, line in enumerate(lines, 1) if line.startswith("| ")}
    assert wanted <= seen | heads
    assert not seen & heads


NAMES = (("id",), ("why", "reason"), ("verify",))
COLUMNS = [
    (["ID", "Why now", "Verify by"], [0, 1, 2]),
    (["**Verify**", "`id`"], [1, -1, 0]),
    (["The reason", "Idea"], [1, -1, -1]),
    (["one", "two"], None),
    ([], None),
]


@pytest.mark.parametrize(("header", "places"), COLUMNS)
def test_columns_are_found_by_how_their_titles_begin(header, places):
    assert tables.columns(header, NAMES) == places
