"""Lines: they join back to the same text, and split where Markdown splits and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from loopgraph.plain import text

ENDS = st.lists(st.sampled_from(["a", "\r", "\n", "\r\n", "\x0b", "\x0c", "\u2028", "\x85", " "]))


@given(st.one_of(st.text(), ENDS.map("".join)))
def test_lines_join_back_to_the_same_text(source):
    assert "".join(text.lines(source)) == source


@given(ENDS.map("".join))
def test_a_line_ends_with_lf_crlf_or_cr_and_holds_none_before(source):
    found = text.lines(source)
    for place, line in enumerate(found):
        body = text.bare(line)
        assert "\n" not in body
        assert "\r" not in body
        assert line != body or place == len(found) - 1
    plain = source.replace("\r\n", "\n").replace("\r", "\n")
    assert len(found) == plain.count("\n") + (plain[-1:] not in ("", "\n"))


HEADINGS = [
    ("# a", (1, "a")),
    ("###### a", (6, "a")),
    ("####### a", None),
    ("#a", None),
    ("#", (1, "")),
    ("#\ta", (1, "a")),
    ("   # a", (1, "a")),
    ("    # a", None),
    ("\t# a", None),
    ("# a ##  ", (1, "a")),
    ("# a#", (1, "a#")),
    ("# #", (1, "")),
    ("## a \\#", (2, "a \\#")),
    ("\\# a", None),
    ("a # b", None),
    ("＃ a", None),
]


@pytest.mark.parametrize(("line", "found"), HEADINGS)
def test_a_heading_is_what_markdown_takes_for_one(line, found):
    assert text.heading(f"{line}\r\n") == found
    tokens = MarkdownIt("commonmark").parse(line)
    assert (tokens[0].type == "heading_open") is (found is not None)


KINDS = [
    ("a fence in a list item ends with the item", "- a\n  ```\n## b\n", "TCT"),
    ("a fence inside a fence is code", "````\n```\n````\na\n", "CCCT"),
    ("tildes close no backticks", "```\n~~~\n```\n", "CCC"),
    ("a fence with a backtick behind it is none", "``` `\na\n", "TT"),
    ("a fence indented by four is none", "    ```\na\n", "TT"),
    ("a closing fence has nothing behind it", "```\n``` x\n```\na\n", "CCCT"),
    ("an unclosed fence goes on to the end", "```\na\n## b\n", "CCC"),
    ("a comment of one line", "<!-- a -->\nb\n", "MT"),
    ("a comment of three lines", "<!-- a\n## b\n-->\nc\n", "MMMT"),
    ("text behind a comment stays text", "<!-- a --> b\n", "T"),
    ("a comment that opens inside a line hides nothing below it", "a <!-- b\nc\n", "TT"),
    ("a fence in a comment is comment", "<!--\n```\n-->\na\n", "MMMT"),
    ("a comment in a fence is code", "```\n<!--\n```\na\n", "CCCT"),
    ("a quote's fence ends with the quote", "> ```\n> a\nb\n", "CCT"),
    ("a numbered item's fence", "1. a\n   ```\n   b\n   ```\nc\n", "TCCCT"),
]


@pytest.mark.parametrize(("why", "source", "kinds"), KINDS, ids=lambda value: str(value)[:50])
def test_each_line_has_its_kind(why, source, kinds):
    shown = {text.TEXT: "T", text.CODE: "C", text.COMMENT: "M"}
    assert "".join(shown[kind] for kind in text.kinds(text.lines(source))) == kinds


SHOWN = {text.TEXT: "T", text.CODE: "C", text.COMMENT: "M"}


def kinds(source):
    return "".join(SHOWN[kind] for kind in text.kinds(text.lines(source)))


def heads(source):
    return [(title, level, at) for level, title, at in text.blocks(text.lines(source))[1]]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        # Comments.
        ("<!-- c -->  \na", "MT"), ("<!-- c -->X\na", "TT"), ("<!-- c --> <!-- d -->\n", "M"),
        ("<!-- c\n--> x\n## b", "MMT"), ("- <!-- c\n  ## b\n  -->\na", "MMMT"),
        ("- <!-- c\na", "MT"), ("> <!-- c\na", "MT"), ("    <!-- c\na", "TT"),
        # Fences.
        ("```\n    ```\n```\na", "CCCT"), ("```\n   ```\na", "CCT"), ("```\n`````  \na", "CCT"),
        ("``\na", "TT"), ("~~~ `x`\na\n~~~", "CCC"), ("``` x`\na", "TT"), ("   ```\na", "CC"),
        ("a\n```\nb\n```\nc", "TCCCT"), ("> ```\n> a\n> ```\n> b", "CCCT"),
        ("- ```\n  a\n\n  b\n  ```\nc", "CCCCCT"), ("- a\n\n  ```\n  b", "TTCC"),
        ("- a\n ```\nb", "TCC"), ("10. ```\n    a\n    ```\nb", "CCCT"), ("10. ```\n   a", "CT"),
        ("\t```\na", "TT"), ("-\t```\n\ta\n\t```\nb", "CCCT"),
        ("> - ```\n>   a\n>   ```\n> b", "CCCT"), ("```\n```\n2. ```\n   a", "CCCC"),
        ("- a\n- ```\n  b\n- c\n  ```", "TCCTC"), (">```\n>a\n>```\n>b", "CCCT"),
        (">    ```\n>a", "CC"), (">     ```\n>a", "TT"), (">\t```\n>a", "CC"),
        ("- - ```\n    a\n  b", "CCT"), ("-     ```\n  a", "TT"), ("-\n```\na", "TCC"),
        ("1. a\n   - ```\n     b\n   c", "TCCT"),
        ("```\na\n```X\nb", "CCCC"), ("```\na\n```\t \nb", "CCCT"),
        # What ends a paragraph, and what begins one.
        ("# a\n2. ```\n   b", "TCC"), ("`a\n2. ```\nb", "TTT"), ("a\n===\n2. ```\n   b", "TTCC"),
        ("a\n---\n2. ```\n   b", "TTCC"), ("a\n***\n2. ```\n   b", "TTCC"),
        ("===\n2. ```\nb", "TTT"), ("a\n\n2. ```\n   b", "TTCC"), ("> a\n> 2. ```\n> b", "TTT"),
        ("<!-- a -->\n2. ```\n   b", "MCC"), ("- a\n  2. ```\n  b", "TTT"),
        ("a\n==-\n2. ```\nb", "TTTT"), ("a\n=\t\n2. ```\n   b", "TTCC"),
        # Numbers of a list.
        ("123456789. ```\n           a", "CC"), ("1234567890. ```\na", "TT"),
        ("1.```\na", "TT"), ("1) ```\n   a", "CC"), ("a\n2. ```\nb", "TTT"),
        ("a\n1. ```\nb", "TCT"),
        ("a\n-\n  ```\nb", "TTCC"), ("a\n- ```\nb", "TCT"),
    ],
)  # fmt: skip
def test_what_a_line_is_follows_from_the_blocks_that_are_open(source, told):
    assert kinds(source) == told


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("## a\nb\n## c", ["a", "c"]), ("- ## a\n## b", ["b"]), ("> ## a\n## b", ["b"]),
        ("- a\n## b", ["b"]), ("- a\n  ## b\n## c", ["c"]), ("> a\n## b", ["b"]),
        ("```\n## a\n```\n## b", ["b"]), ("<!--\n## a\n-->\n## b", ["b"]),
        ("-\n\n  ## a", ["a"]), ("-\n  ## a\n## b", ["b"]), ("- a\n\n\n  ## b\n## c", ["c"]),
        ("    ## a\n## b", ["b"]), ("a\n    ## b\n## c", ["c"]), ("\ufeff## a", ["a"]),
        ("## a\\\n##  b  ##", ["a\\", "b"]), ("##a\n##X\n## b", ["b"]), ("***\n## a", ["a"]),
        ("* * *\n  ## a", ["a"]), ("* *\n  ## a", []), ("- - -\n  ## a", ["a"]),
        ("**\n## a", ["a"]),
        ("--\n## a", ["a"]), ("a\n--\n    ## b\n## c", ["c"]),
        ("_ _ _\n## a", ["a"]), ("*\t*\t*\n  ## a", ["a"]),
    ],
)  # fmt: skip
def test_a_heading_is_the_files_where_no_block_holds_it(source, told):
    assert [title for title, _, _ in heads(source)] == told


def test_blocks_that_are_nested_too_deep_are_text():
    for deep, told in ((16, "C"), (17, "T")):
        assert kinds("> " * deep + "```")[0] == told


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        ("a\n1. b\n       ```\n", "TTT"),
        ("1. b\n\n       ```\n", "TTT"),
        ("> a\nb\n", "TT"),
        ("- a\nlazy\n  ```\n", "TTC"),
        ("- a\n***\n  ```\nb", "TTCC"),
    ],
)
def test_text_goes_on_lazily_and_nothing_else_does(lines, kept):
    assert kinds(lines) == kept


@pytest.mark.parametrize(
    ("found", "wanted", "rank"),
    [
        ("Rounds log", "Rounds log", 0), ("**rounds**  LOG", "Rounds log", 0),
        ("Rounds log — last 5", "Rounds log", 1), ("Rounds log（最近五轮）", "Rounds log", 1),
        ("Rounds log: x", "Rounds log", 1), ("Rounds log-book", "Rounds log", None),
        ("Rounds log/x", "Rounds log", None), ("Rounds log of M-1", "Rounds log", 2),
        ("Rounds logs", "Rounds log", None), ("Log", "Rounds log", None),
        ("Debt ＆ gap register", "Debt & gap register", 0), ("`Rounds` log", "Rounds log", 0),
        ("Rounds log -x", "Rounds log", 1), ("Rounds log /x", "Rounds log", 1),
    ],
)  # fmt: skip
def test_how_well_a_heading_bears_a_title(found, wanted, rank):
    assert text.titled(found, wanted) == rank


def test_a_section_ends_where_the_next_of_its_level_or_a_higher_one_begins():
    found = text.sections([(2, "a", 0), (3, "b", 2), (3, "c", 4), (2, "d", 6), (1, "e", 8)], 10)
    assert found == [
        ("a", 2, 0, 6), ("b", 3, 2, 4), ("c", 3, 4, 6), ("d", 2, 6, 8), ("e", 1, 8, 10),
    ]  # fmt: skip


def test_a_body_is_what_stands_below_the_first_heading_of_its_title():
    body = text.bodies("# x\n## A\na\n```\nb\n```\n### c\nd\n## A\ne\n### B\nf\n")
    assert body("A") == [(3, "a"), (7, "### c"), (8, "d")]
    assert body("B") == body("none") == []
    assert text.bodies("## A and more\na\n## A (x)\nb\n")("A") == [(4, "b")]
    assert text.bodies("## A and more\na\n")("A") == [(2, "a")]
