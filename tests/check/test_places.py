"""Where a pattern stands, and what of a line is code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.check import places
from loopgraph.edges import run as edge


@pytest.mark.parametrize(
    ("line", "spans"),
    [
        ("no code", []),
        ("`a` and `b`", [(1, "a"), (9, "b")]),
        ("``a ` b`` c", [(2, "a ` b")]),
        ("`open", []),
        ("``open ` and `", [(8, " and ")]),
        ("``` a", []),
    ],
)
def test_code_spans_are_found_with_their_places(line, spans):
    assert places.code_spans(line) == spans


@given(st.text("`a \\"))
def test_blanking_code_moves_nothing(line):
    blanked = places.outside_code(line)
    assert len(blanked) == len(line)
    for start, span in places.code_spans(line):
        assert line[start : start + len(span)] == span
        assert not blanked[start : start + len(span)].strip()


def test_a_place_names_line_and_column_from_one():
    run = edge.read({"a.md": "x\n  yes, yes and yep\n", "b.md": "no\n"})
    found = list(places.search(run, ("a.md", "b.md", "c.md"), "ye[sp]", hints=("ye",)))
    assert [(place.file, place.line, place.column, place.mark) for place in found] == [
        ("a.md", 2, 3, "yes"),
        ("a.md", 2, 16, "yep"),
    ]
    assert {place.text for place in found} == {"  yes, yes and yep"}


def test_a_file_full_of_matches_is_told_up_to_a_thousand_of_them():
    run = edge.read({"a.md": "x\n" * 5000, "b.md": "x\n"})
    found = list(places.search(run, ("a.md", "b.md"), "x"))
    assert [place.file for place in found] == ["a.md"] * 1000 + ["b.md"]
