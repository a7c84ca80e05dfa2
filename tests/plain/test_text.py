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
