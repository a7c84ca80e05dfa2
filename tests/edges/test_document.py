"""Documents: lossless, linear, and read as Markdown is, but for differences with a reason."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from hypothesis import assume, example, given, reject
from hypothesis import strategies as st

from loopgraph.edges import document
from loopgraph.plain import text
from tests.edges import readings

CASES = sorted((Path(__file__).parents[1] / "cases" / "document").glob("*.md"))

ATOMS = [
    *("# h", "## h2 ##", "#", "a", "`", "===", "---", "-", "***"),
    *("```", "~~~", "````", "```x", "<!-- c", "-->", "<!-- x -->"),
    *("- ", "* ", "1. ", "2) ", "10. ", "> ", ">", " ", "  ", "   ", "    ", "\t"),
    *("\n", "\n", "\n", "\r\n", "\r"),
]
BLOCKS = st.lists(st.sampled_from(ATOMS), max_size=24).map("".join)

_FAR_QUOTE = re.compile(r"(?:    |\t)[ \t]*>")
"""A difference that has a case of its own."""
_BESIDE = re.compile(r"<!--[^\n]*-->[^\n]*[^\s]")
"""Text beside a comment on its line is text here, and not told apart by markdown-it."""


def read_by_oracle(source: str) -> list[str]:
    try:
        told = readings.theirs(source, underlined=False)
    except IndexError:  # of markdown-it itself, on an empty line at the end of a quote
        reject()
    return [line for line in told if line.split()[1] != "row"]


@given(BLOCKS)
@example(" - a\n  ```\n## Rounds log")
@example("- a\n  ```\n  ## Rounds log\n  ```\n## Next")
@example("- a\n\n\n  # in the item\n# out of it")
@example("1. a\n2. b\n   > # quoted\n# not")
@example("-\n\n  # the item has ended")
@example("a\n10. # no list begins in a paragraph\n   # but this is one")
def test_headings_fences_and_comments_are_those_of_markdown(source):
    assume(not _FAR_QUOTE.search(source) and not _BESIDE.search(source))
    mine = [line for line in readings.ours(source) if line.split()[1] != "row"]
    assert mine == read_by_oracle(source)


ROWS = [
    *("| a | b |\n", "| c | d |\n", "|---|---|\n", "| - | :-: |\n", "|:-|-:|", "\n", "x\n", "\n\n"),
    *("| e |\n", "| f | g | h |\n", "| \\| | `i\\|j` |\n", "| \\\\| k | l |\n", "   | m | n |\n"),
    *("    | o | p |\n", "# q\n", "```\n", "<!-- r -->\n", "- s\n", "> t\n", "| | |\n"),
]


@given(st.lists(st.sampled_from(ROWS), max_size=12).map("".join))
def test_a_row_of_markdown_is_a_row_with_the_same_cells(source):
    mine = readings.ours(source)
    for row in readings.theirs(source):
        number, kind, *cells = row.split()
        if not "".join(cells).strip("-:/"):
            continue  # of a table whose header has another width: see short_delimiter.md
        if kind == "row" and text.lines(source)[int(number) - 1].lstrip().startswith("|"):
            assert any(_same(found, row.rstrip(" /")) for found in mine), row


def _same(mine: str, oracle: str) -> bool:
    """Markdown gives each row as many cells as its header has; here a row keeps its own."""
    return mine.startswith(oracle) or mine.rstrip(" /") == oracle


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_difference_from_markdown_is_the_one_that_was_decided(case):
    page = document.parse(case.read_text("utf-8"))

    def listed(title: str) -> list[str]:
        section = page.section(title)
        assert section
        return [line.removeprefix("- ") for _, line in page.body(section) if line.startswith("- ")]

    section = page.section("Text")
    assert section
    inside = [
        page.lines[index]
        for index in range(section.start, section.end)
        if page.kinds[index] == text.CODE
    ]
    source = "".join(inside[1:-1])
    assert readings.ours(source) == listed("We read")
    assert readings.theirs(source) == listed("markdown-it reads")
    assert listed("We read") != listed("markdown-it reads")


@given(st.one_of(st.text(), BLOCKS))
def test_a_document_joins_back_to_the_same_text(source):
    found = document.parse(source)
    assert found.text() == source
    assert len(found.kinds) == len(found.lines)


@given(BLOCKS)
def test_sections_nest_and_end_where_the_next_heading_of_their_level_stands(source):
    found = document.parse(source)
    heads = {section.start: section.level for section in found.sections}
    for section in found.sections:
        assert section.start < section.end <= len(found.lines)
        inside = [heads[at] for at in range(section.start + 1, section.end) if at in heads]
        assert all(level > section.level for level in inside)
        if section.end < len(found.lines):
            assert heads[section.end] <= section.level


TITLES = [
    ("Rounds log", True),
    ("rounds LOG", True),
    ("Rounds log — last 5 only (older → `archive/rounds.md`)", True),
    ("Rounds log\u00a0— last 5", True),
    ("Rounds log\u3000（最近五轮）", True),
    ("Rounds log（最近五轮）", True),
    ("Rounds log: live", True),
    ("Rounds\u3000log", True),
    ("**Rounds log**", True),
    ("`Rounds log` (5)", True),
    ("Rounds log of this run", True),
    ("Rounds logbook", False),
    ("Rounds log-book", False),
    ("Rounds", False),
    ("Old Rounds log", False),
]


@pytest.mark.parametrize(("title", "found"), TITLES)
def test_a_heading_bears_a_title_with_or_without_a_suffix(title, found):
    page = document.parse(f"## {title}\n")
    assert (page.section("Rounds log") is not None) is found


def test_the_title_itself_comes_before_one_that_only_begins_with_it():
    page = document.parse("## Gates and policies\n## Gates\n## Gates (frozen)\n### Gates\n")
    assert [section.title for section in page.titled("Gates")] == ["Gates", "Gates (frozen)"]
    assert page.section("Gates", level=3)
    assert page.section("Gate") is None


def test_full_width_and_ascii_ampersand_are_the_same():
    assert document.parse("## Debt ＆ gap register\n").section("Debt & gap register")


def test_a_byte_order_mark_hides_no_heading():
    assert document.parse("\ufeff## Gates\r\n").section("Gates")


def test_the_body_is_text_without_code_comments_and_line_ends():
    page = document.parse("## A\r\none\r\n```\ntwo\n```\n<!-- three\n-->\n### B\nfour\r## C\n")
    (section,) = page.titled("A")
    assert list(page.body(section)) == [(2, "one"), (8, "### B"), (9, "four")]


def test_tables_come_with_their_header_and_line():
    page = document.parse(
        "## A\n| ID | X |\n|---|---|\n| 1 | a\\|b |\n\ntext\n\n| Y |\n|---|\n| 2 |\n"
    )
    (section,) = page.titled("A")
    first, second = page.tables(section)
    assert (first.line, first.columns) == (2, ("ID", "X"))
    assert [(row.line, row.cells) for row in first.rows] == [(4, ("1", "a|b"))]
    assert (second.columns, second.rows[0].cells) == (("Y",), ("2",))
    assert [row.line for row in page.table(section)] == [4, 10]


@pytest.mark.parametrize(
    "piece",
    [
        *("# a\n", "###### a\n", "> ", "- ", "- > ", "> \n", "-\n", "\n", "\t", "\r"),
        *("```\n", "`", "<!-- ", "<!--\n", "|", "| a | b |\n", "- - ", "    - a\n", "1. "),
    ],
)
def test_four_times_the_text_is_about_four_times_the_work(piece):
    def work(times: int) -> int:
        ran = 0

        def count(_frame, event, _argument):
            nonlocal ran
            ran += event in ("line", "call")
            return count

        sys.settrace(count)
        try:
            document.parse(piece * times)
        finally:
            sys.settrace(None)
        return ran

    assert work(2000) < 6 * max(work(500), 200)


def test_a_line_as_long_as_a_file_is_read_in_a_few_steps():
    for piece in ("> ", "- ", "- - - ", "` ", "``` ` ", "#", "| ", "\\|"):
        found = document.parse(piece * 1_000_000)
        assert len(found.lines) == 1
