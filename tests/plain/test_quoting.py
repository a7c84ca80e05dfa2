"""Owner text is data: it comes back unchanged, and whatever it is, it opens nothing."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from loopgraph.edges import document
from loopgraph.plain import quoting, text
from tests.edges import readings

HOSTILE = st.lists(
    st.one_of(
        st.sampled_from(
            [
                *(
                    "#",
                    "## ",
                    "```",
                    "~~~",
                    "`",
                    "|",
                    "\\",
                    "\\|",
                    "<!--",
                    "-->",
                    "---",
                    "===",
                    ">",
                ),
                *("- ", "* ", "+ ", "1. ", "2) ", "***", "___", ":--|", "|---|", "<div>", "</a>"),
                *("<script>", "<?", "<!X", "<![CDATA[", "[a]: b", "    ", "\t", " ", "\n", "\r\n"),
                *("\r", "\0", "\x1b", "\x0b", "\x85", "\u2028", "\u202e", "\ufeff", "\ud800", "a"),
                *(
                    "<U+",
                    "<U+0041>",
                    "<U+003C>",
                    "U+0041>",
                    "<U+110000>",
                    "<U+FFFFFF>",
                    "é",
                    "表",
                    "\u00a0",
                    "\u3000",
                ),
            ]
        ),
        st.characters(),
    ),
    max_size=12,
).map("".join)


@given(st.one_of(st.text(), HOSTILE))
@example("<U+0041>")
@example("<U+FFFFFF>")
def test_visible_and_inline_text_reads_back_unchanged(owner):
    assert quoting.unquote(quoting.visible(owner)) == owner
    assert quoting.unquote(quoting.inline(owner)) == owner
    assert quoting.unquote(quoting.visible(owner, keep="\n")) == owner


@given(HOSTILE, HOSTILE, HOSTILE)
def test_cells_read_back_unchanged_through_a_table(first, second, third):
    row = " | ".join(map(quoting.cell, (first, second, third)))
    page = document.parse(f"## T\n\n| A | B | C |\n|---|---|---|\n| {row} |\n")
    (section,) = page.sections
    assert [found.cells for found in page.table(section)] == [(first, second, third)]


@given(HOSTILE)
def test_a_code_span_reads_back_unchanged_in_a_line_and_in_a_cell(owner):
    span = quoting.code(owner)
    assert quoting.spans(f"- {span}, and `b`") == [owner, "b"]
    page = document.parse(f"## T\n\n| A |\n|---|\n| {quoting.cell(span)} |\n")
    (row,) = page.table(page.sections[0])
    assert quoting.spans(row.cells[0]) == [owner]


@given(HOSTILE, st.sampled_from(["\n", "\r\n"]))
def test_a_block_reads_back_unchanged_on_every_system(owner, end):
    assert quoting.unblock(quoting.block(owner).replace("\n", end)) == owner


@given(st.text())
def test_any_text_can_be_unquoted(found):
    assert isinstance(quoting.unquote(found), str)
    assert isinstance(quoting.uncell(found), str)
    assert isinstance(quoting.unblock(found), str)
    quoting.spans(found)
    quoting.cells(found)


@given(HOSTILE)
def test_no_harmful_character_is_written(owner):
    for write in (quoting.visible, quoting.inline, quoting.cell, quoting.code):
        written = write(owner)
        assert text.lines(f"{written}\n") == [f"{written}\n"]
        assert not set(written) & set("\0\x07\x1b\x7f\x85\u2028\u2029\u202e\u2066\ufeff\ud800")
        written.encode("utf-8")


PLACES = [
    ("at the beginning of a line", "one\n\n{}\n\n## Two\n", quoting.inline),
    ("right below text", "one\n{}\ntwo\n", quoting.inline),
    ("right above dashes", "one\n\n{} x\n\n---\n", quoting.inline),
    ("alone in a list item", "- {}\n- two\n\n## Two\n", quoting.inline),
    ("in a numbered item", "1. {}\n2. two\n", quoting.inline),
    ("in a quote", "> {}\n> two\n\n## Two\n", quoting.inline),
    ("in a heading", "# {} x\n\none\n", quoting.inline),
    ("behind a field's name", "Item: {}\nVerify: x\n\n## Two\n", quoting.inline),
    ("twice in lines that follow", "{0}\n{0}\n\n## Two\n", quoting.inline),
    ("below a table", "| A |\n|---|\n| b |\n\n{}\n", quoting.inline),
    ("a code span at the beginning of a line", "{}\ntwo\n\n## Two\n", quoting.code),
    ("a code span in a list item", "- {} (x)\n- two\n", quoting.code),
    ("a block", "## One\n\n{}\n\n## Two\n", quoting.block),
    ("the first cell", "| A | B |\n|---|---|\n| {} | b |\n| c | d |\n\n## Two\n", quoting.cell),
    ("the last cell", "| A | B |\n|---|---|\n| a | {} |\n| c | d |\n", quoting.cell),
    ("every cell", "| A | B |\n|---|---|\n|{0}|{0}|\n| c | d |\n", quoting.cell),
    ("a cell of the header", "| {} | B |\n|---|---|\n| c | d |\n", quoting.cell),
    (
        "a code span in a cell",
        "| A | B |\n|---|---|\n| {} | b |\n| c | d |\n",
        lambda owner: quoting.cell(quoting.code(owner)),
    ),
]


@pytest.mark.parametrize(("place", "template", "write"), PLACES, ids=[p[0] for p in PLACES])
@given(owner=HOSTILE)
def test_owner_text_opens_and_hides_nothing(place, template, write, owner):
    harmless = template.format(write("x"))
    written = template.format(write(owner))
    assert readings.shape(written) == readings.shape(harmless)
    assert _outline(written) == _outline(harmless)


def _outline(source: str) -> list[str]:
    """What there is for our reader: kinds of block in order, and how many cells each row has."""
    told: list[str] = []
    for line in readings.ours(source):
        kind = line.split()[1]
        if kind != "code" or told[-1:] != ["code"]:
            told.append(kind)
    page = document.parse(f"## T\n\n{source}")
    rows = [len(row.cells) for section in page.sections for row in page.table(section)]
    return [*told, *map(str, rows)]


SHOWN = [
    (quoting.inline, "plain `code` and a | pipe", "plain `code` and a | pipe"),
    (quoting.inline, "# heading", "<U+0023> heading"),
    (quoting.inline, "#123 is an issue", "#123 is an issue"),
    (quoting.inline, "*.py and -x", "*.py and -x"),
    (quoting.inline, "- item", "<U+002D> item"),
    (quoting.inline, "2. then", "<U+0032>. then"),
    (quoting.inline, "3.11 or later", "3.11 or later"),
    (quoting.inline, "a\r\nb", "a<U+000D><U+000A>b"),
    (quoting.inline, "see <!-- this", "see <U+003C>!-- this"),
    (quoting.inline, " padded ", "<U+0020>padded<U+0020>"),
    (quoting.cell, "a | b", "a \\| b"),
    (quoting.cell, "grep 'a\\|b'", "grep 'a<U+005C>\\|b'"),
    (quoting.cell, "C:\\", "C:<U+005C>"),
    (quoting.cell, "> 5 rows", "> 5 rows"),
    (quoting.code, "pytest -q", "`pytest -q`"),
    (quoting.code, "`a`", "`` `a` ``"),
    (quoting.code, "", "`  `"),
    (quoting.block, "a\n```\nb", "````text\na\n```\nb\n````"),
    (quoting.visible, "a\0<U+0000>", "a<U+0000><U+003C>U+0000>"),
]


@pytest.mark.parametrize(("write", "owner", "shown"), SHOWN)
def test_owner_text_is_shown_as_plainly_as_it_can_be(write, owner, shown):
    assert write(owner) == shown


SPANS = [
    ("`a` and ``b`c`` and d", ["a", "b`c"]),
    ("`` ` `` `  `", ["`", ""]),
    ("`open ``x`` y", ["x"]),
    ("```a``` `b", ["a"]),
    ("no span", []),
]


@pytest.mark.parametrize(("line", "found"), SPANS)
def test_code_spans_are_found_by_their_length(line, found):
    assert quoting.spans(line) == found


CELLS = [
    ("| a | b |", ["a", "b"]),
    ("|a|b", ["a", "b"]),
    ("| a | |", ["a", ""]),
    ("| |", [""]),
    ("|", []),
    ("a | b", []),
    ("", []),
    ("| a \\| b | `c\\|d` |", ["a \\| b", "`c\\|d`"]),
    ("  | a |  ", ["a"]),
    ("| a |X", ["a", "X"]),
    ("\t| a |\r\n", ["a"]),
]


@pytest.mark.parametrize(("row", "cells"), CELLS)
def test_a_row_is_cut_at_pipes_that_nothing_escapes(row, cells):
    assert quoting.cells(row) == cells


@pytest.mark.parametrize(
    "owner",
    [
        "> a", "| a", "```", "~~~x", "- a", "-", "+ a", "* a", "=", "==", "---", "***", "___",
        "- - -", "* *", "_ _ _", "-:|", ":-", "|-|", "</a", "<!X", "<?x", "<a", "[a]: b", "#",
        "# a", "###### a", "1. a", "12) a", "1.", "9)", "\ta", "\u3000a", "=  =",
    ],
)  # fmt: skip
def test_a_text_that_would_open_a_block_begins_with_an_escape(owner):
    shown = quoting.inline(owner)
    assert shown.startswith("<U+")
    assert quoting.unquote(shown) == owner
    assert f"{quoting.shown(owner[0])}{owner[1:]}" == shown


@pytest.mark.parametrize(
    "owner",
    [
        "a > b", "``a", "~~a", "-a", "+1", "*a*", "_a_", "=a", "-:a", "<3", "<", "<=", "[a] b",
        "[a](b)", "#a", "####### a", "1.a", "1 a", "a. b", "(1) a", "`a`", "a", "", "中",
    ],
)  # fmt: skip
def test_a_text_that_opens_nothing_stays_as_it_is(owner):
    assert quoting.inline(owner) == owner


@pytest.mark.parametrize(
    ("owner", "shown"),
    [
        ("<!-- a", "<U+003C>!-- a"), ("a <!-- b <!-- c", "a <U+003C>!-- b <U+003C>!-- c"),
        ("<! a", "<! a"), ("|", "\\|"), ("\\|", "<U+005C>\\|"), ("a\\", "a<U+005C>"),
        (" a", "<U+0020>a"), ("a ", "a<U+0020>"), ("\t", "<U+0009>"), ("# a", "# a"), ("", ""),
    ],
)  # fmt: skip
def test_a_cell_holds_no_comment_and_ends_nowhere_but_at_its_end(owner, shown):
    assert quoting.cell(owner) == shown
    assert quoting.uncell(shown) == owner


@pytest.mark.parametrize(
    ("char", "shown"),
    [
        ("\x00", "<U+0000>"), ("\x1f", "<U+001F>"), ("\x7f", "<U+007F>"), ("\x9f", "<U+009F>"),
        ("\u061c", "<U+061C>"), ("\u200e", "<U+200E>"), ("\u2029", "<U+2029>"),
        ("\u202e", "<U+202E>"), ("\u2069", "<U+2069>"), ("\udfff", "<U+DFFF>"),
        ("\ufeff", "<U+FEFF>"), ("\u00a0", "\u00a0"), ("\u200b", "\u200b"), ("\u2027", "\u2027"),
        ("\uff00", "\uff00"), ("\u206a", "\u206a"), ("\ufefe", "\ufefe"),
        ("\u202f", "\u202f"), ("\ue000", "\ue000"), (" ", " "), ("\U000e0001", "\U000e0001"),
    ],
)  # fmt: skip
def test_a_character_that_could_do_harm_is_shown_and_no_other(char, shown):
    assert quoting.visible(f"a{char}b") == f"a{shown}b"
    assert quoting.visible(f"a{char}b", keep=char) == f"a{char}b"


@pytest.mark.parametrize(
    ("written", "owner"),
    [
        ("<U+0041>", "A"), ("<U+00041>", "A"), ("<U+000041>", "A"), ("<U+041>", "<U+041>"),
        ("<U+0000041>", "<U+0000041>"), ("<U+10FFFF>", "\U0010ffff"), ("<U+110000>", "<U+110000>"),
        ("<U+004g>", "<U+004g>"), ("<U+0041", "<U+0041"), ("<U+<U+0041>", "<U+A"),
        ("<U+004a>", "<U+004a>"), ("a<U+0020>b", "a b"),
    ],
)  # fmt: skip
def test_an_escape_has_four_to_six_digits(written, owner):
    assert quoting.unquote(written) == owner


@pytest.mark.parametrize(
    ("owner", "span"),
    [
        ("a", "`a`"), ("a`", "`` a` ``"), ("`", "`` ` ``"), (" a ", "`  a  `"), (" a", "` a`"),
        ("a ``` b", "````a ``` b````"), ("`a```b``", "```` `a```b`` ````"), ("", "`  `"),
        (" ", "`   `"),
    ],
)  # fmt: skip
def test_a_code_span_is_one_backtick_longer_than_any_inside(owner, span):
    assert quoting.code(owner) == span
    assert quoting.spans(span) == [owner]


def test_a_fence_is_longer_than_any_run_inside():
    for text_, fence in (("a", "```"), ("``", "```"), ("```", "````"), ("a\n`````\nb", "``````")):
        assert quoting.block(text_) == f"{fence}text\n{text_}\n{fence}"
    assert quoting.unblock("```text\na\n\n```") == "a\n"


@pytest.mark.parametrize(
    ("line", "pieces"),
    [("a|b", ["a", "b"]), ("a\\|b|c", ["a\\|b", "c"]), ("", [""]), ("|", ["", ""]), ("a", ["a"])],
)
def test_a_line_is_cut_at_each_pipe(line, pieces):
    assert quoting.pieces(line) == pieces
    assert quoting.pieces(f"x{line}", 1) == pieces
