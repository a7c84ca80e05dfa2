"""Text folded to columns: Chinese and English, marks, words that no line can hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from loopgraph.model.columns import fold, hang, width

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
