"""An error says what, where and what to do, in one line, and has the exit code of its kind."""

from __future__ import annotations

import pytest

from loopgraph.model import errors


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.LoopgraphError, 2), (errors.UsageError, 2), (errors.UnreadableError, 2),
        (errors.RefusedError, 1), (errors.BusyError, 75),
    ],
)  # fmt: skip
def test_an_error_has_the_exit_code_of_its_kind(kind, code):
    assert kind("no").exit_code == code
    assert code in dict(errors.EXIT_CODES)


def test_the_exit_codes_are_those_of_the_contract():
    assert [code for code, _ in errors.EXIT_CODES] == [0, 1, 2, 75, 130]


@pytest.mark.parametrize(
    ("where", "fix", "line"),
    [
        ("", "", "no"),
        ("a.md:3", "", "a.md:3: no"),
        ("", "Do this.", "no. Do this."),
        ("a.md:3", "Do this.", "a.md:3: no. Do this."),
    ],
)
def test_an_error_is_one_line(where, fix, line):
    assert str(errors.RefusedError("no", where=where, fix=fix)) == line


@pytest.mark.parametrize(
    ("what", "line"), [("which one?", "which one? This."), ("哪一个？", "哪一个？This.")]
)
def test_a_question_ends_its_own_sentence(what, line):
    assert errors.told(what, "", "This.") == line
    assert errors.told(what, "", "") == what


def test_the_nearest_known_word_is_offered_in_its_own_letters():
    assert errors.nearest("GAPCAP", ("gap_cap", "Owner_Cap")) == "Did you mean gap_cap?"
    assert errors.nearest("owner_cap", ("gap_cap", "Owner_Cap")) == "Did you mean Owner_Cap?"


def test_where_no_word_is_near_all_are_told_in_order():
    assert errors.nearest("xyz", ("two", "one")) == "Known: one, two"
    assert errors.nearest("list", ("lift",)) == "Did you mean lift?"
    assert errors.nearest("abcd", ("abxy",)) == "Known: abxy"
