"""Rules as `--explain` and their page show them."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from loopgraph.audit.rule import Rule as Law
from loopgraph.audit.rules import RULES as HISTORY
from loopgraph.check.rule import Rule
from loopgraph.check.rules import RULES
from loopgraph.plain import quoting
from loopgraph.views import rules as view
from tests.conftest import PROJECT


def rule(bad: dict[str, str], good: dict[str, str]) -> Rule:
    return Rule(
        "LG199", "made-up", "It goes wrong.", "Mend it.", bad, good, lambda _: (), fixable="Never."
    )


def test_explain_says_why_what_to_do_and_shows_both_examples():
    same = {"b.md": "same\n"}
    shown = rule({"a.md": "wrong\nsame\n", **same}, {"a.md": "right\nsame\n", **same})
    assert view.explain(shown) == (
        "LG199 made-up (error)\n\nIt goes wrong.\nMend it.\nBy hand: Never.\n\n"
        "Bad:\n\n  a.md\n    wrong\n    same\n\n"
        "Good:\n\n  a.md\n    right\n    same\n"
    )


def test_a_file_that_only_one_example_has_is_shown_as_absent_in_the_other():
    shown = view.explain(rule({"a.md": "x\n", "b.md": "stray\n"}, {"a.md": "x\n"}))
    assert shown.endswith("Bad:\n\n  b.md\n    stray\n\nGood:\n\n  no b.md\n")


def test_of_a_long_example_only_the_difference_is_shown():
    lines = [f"line {number}" for number in range(40)]
    bad = "\n".join([*lines[:20], "wrong", *lines[20:]]) + "\n"
    good = "\n".join([*lines[:20], "right", *lines[20:]]) + "\n"
    shown = view.explain(rule({"a.md": bad}, {"a.md": good}))
    assert "    …\n    line 18\n    line 19\n    wrong\n    line 20\n    line 21\n    …\n" in shown
    assert "line 17" not in shown
    assert "line 22" not in shown


def test_of_a_long_difference_only_the_beginning_is_shown():
    shown = view.explain(rule({"a.md": "x\n" * 201}, {"a.md": "y\n"}))
    assert "… (201 lines in all)" in shown
    assert shown.count("    x\n") == 3


def test_an_example_with_a_control_character_is_shown_safely():
    shown = view.explain(rule({"a.md": "a\x1b\u202e\udce9\n"}, {"a.md": "a\n"}))
    assert "a<U+001B><U+202E><U+DCE9>" in shown


@pytest.mark.parametrize("one", [*RULES, *HISTORY], ids=lambda one: one.id)
def test_every_rule_can_be_explained_on_a_screen(one):
    shown = view.explain(one)
    assert one.why in shown
    assert one.fix in shown
    assert all(char.isprintable() or char == "\n" for char in shown)
    assert len(shown.splitlines()) < 80


def test_the_page_has_every_rule_once_and_no_structure_of_an_example():
    rules: tuple[Rule | Law, ...] = (*RULES, *HISTORY)
    page = view.page(rules)
    tokens = MarkdownIt().parse(page)
    heads = [
        tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"
    ]
    rooms = [head for head in heads if not head.startswith("LG")]
    assert rooms == [f"{name} (LG{digit}xx)" for digit, name in view.ROOMS.items()]
    assert [head for head in heads if head not in rooms] == [f"{r.id} {r.name}" for r in rules]
    assert quoting.visible(page, keep="\n") == page.replace("<U+", "<U+003C>U+")


def test_the_page_in_the_docs_is_the_tables_own():
    for name, rules in (("rules", RULES), ("audit", HISTORY)):
        page = (PROJECT / "docs" / f"{name}.md").read_text(encoding="utf-8")
        assert view.page(rules) in page
