"""Text folded to columns: Chinese and English, marks, words that no line can hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.model.columns import fold, hang, pad, width

MIXED = st.text(alphabet="ab 中文，。（）“”`/-.", max_size=80)


def test_a_cjk_letter_and_a_full_width_mark_take_two_columns() -> None:
    assert width("ab") == 2
    assert width("门禁，ab") == 8


@given(MIXED, st.integers(min_value=6, max_value=40))
def test_no_line_is_wider_and_nothing_but_blanks_is_left_out(text: str, columns: int) -> None:
    lines = fold(text, columns)
    assert max(map(width, lines)) <= columns
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_no_line_begins_with_a_closing_mark_or_ends_with_an_opening_one() -> None:
    text = "把这一行粘贴到新的会话（最好是空的），然后等它“跑起来”。"
    for columns in range(8, width(text)):
        for line in fold(text, columns):
            assert line[0] not in "），”。", (columns, line)
            assert line[-1] not in "（“", (columns, line)


def test_english_folds_at_blanks_and_chinese_between_letters() -> None:
    assert fold("one two three", 8) == ["one two", "three"]
    assert fold("一二三四五", 6) == ["一二三", "四五"]
    assert fold("跑 pytest 一次", 10) == ["跑 pytest", "一次"]


def test_a_word_that_no_line_can_hold_is_cut_or_left_whole() -> None:
    assert fold("see /a/long/path now", 8) == ["see", "/a/long/", "path now"]
    assert fold("see /a/long/path now", 8, cut=False) == ["see", "/a/long/path", "now"]


def test_later_lines_hang_below_the_first() -> None:
    assert hang("一二三四", 6, "- ") == "- 一二\n  三四"


@pytest.mark.parametrize(
    ("text", "columns"),
    [("e\u0301", 1), ("中\u200d", 2), ("é", 1), ("ｱ", 1), ("Ａ", 2), ("", 0)],
)
def test_a_mark_on_a_letter_takes_no_column(text, columns) -> None:
    assert width(text) == columns


@pytest.mark.parametrize(
    ("text", "columns", "padded"),
    [("ab", 4, "ab  "), ("中", 4, "中  "), ("abcd", 3, "abcd"), ("ab", 2, "ab")],
)
def test_a_text_is_padded_to_its_columns_and_never_cut(text, columns, padded) -> None:
    assert pad(text, columns) == padded


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("", 8, [""]),
        ("a\n\nb", 8, ["a", "", "b"]),
        ("abcdef", 1, ["abcd", "ef"]),
        ("ab cd", 5, ["ab cd"]),
        ("ab   cd", 4, ["ab", "cd"]),
        ("ab  cd", 6, ["ab  cd"]),
        ("one two   ", 7, ["one two"]),
        ("中文 ab", 7, ["中文 ab"]),
        ("a中b文", 4, ["a中b", "文"]),
        ("abcdefgh", 4, ["abcd", "efgh"]),
        ("ab（中", 4, ["ab", "（中"]),
    ],
)
def test_a_text_is_folded_where_one_would_fold_it(text, columns, lines) -> None:
    assert fold(text, columns) == lines


@pytest.mark.parametrize(
    ("text", "columns", "first", "rest", "hung"),
    [
        ("one two", 7, "- ", "> ", "- one\n> two"),
        ("one two", 9, "- ", None, "- one two"),
        ("one two", 5, "", "  ", "one\n  two"),
        ("one two", 8, "- ", "      ", "- one\n      two"),
        ("", 8, "- ", None, "-"),
        ("one\n\ntwo", 8, "- ", None, "- one\n  \n  two"),
    ],
)
def test_a_text_hangs_behind_what_it_is_told(text, columns, first, rest, hung) -> None:
    assert hang(text, columns, first, rest) == hung


def test_a_word_that_is_longer_than_a_line_is_cut_unless_it_must_stay_whole() -> None:
    assert hang("abcdefgh", 6, "- ") == "- abcd\n  efgh"
    assert hang("abcdefgh", 6, "- ", cut=False) == "- abcdefgh"
    assert fold("中文中文", 5) == ["中文", "中文"]
    assert fold("中中中", 4, cut=True) == ["中中", "中"]
