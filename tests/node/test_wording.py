"""What a loop's prompt says beside the task, in either language."""

from __future__ import annotations

import pytest

from loopgraph.model.languages import LANGUAGES
from loopgraph.node import wording
from loopgraph.node.wording import Hints

HINTS = Hints("fix", "DONE", strict=False, chunk=True, limit=800, hook=True, flags="")


def rules(lang="en", **changes):
    return wording.body("Fix it. \n\n", HINTS._replace(**changes), lang).split("\n- ")[1:]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_task_stands_first_and_the_rules_follow_it(lang):
    body = wording.body("Fix it. \n\n", HINTS, lang)
    assert body.startswith("Fix it.\n\n")
    assert not body.endswith("\n")
    assert len(rules(lang)) == 5
    assert body.rstrip().endswith("<promise>DONE</promise>")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("changes", "many"),
    [({}, 5), ({"chunk": False}, 4), ({"hook": False}, 6), ({"hook": False, "chunk": False}, 5)],
)
def test_a_rule_stands_only_where_it_is_needed(lang, changes, many):
    found = rules(lang, **changes)
    assert len(found) == many
    limit = {"en": "below 800 characters", "zh": "不超过 800 个字符"}[lang]
    assert any(limit in rule for rule in found) == changes.get("chunk", True)
    alone = {"en": "Nothing sends you back", "zh": "没有钩子把你送回"}[lang]
    assert [alone in rule for rule in found].count(True) == (not changes.get("hook", True))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("changes", "promised", "strict"),
    [
        ({}, True, False), ({"promise": None}, False, False), ({"hook": False}, False, False),
        ({"strict": True}, False, True), ({"strict": True, "promise": None}, False, True),
    ],
)  # fmt: skip
def test_a_loop_ends_by_a_word_or_by_a_command(lang, changes, promised, strict):
    end = rules(lang, **changes)[-1]
    assert ("<promise>DONE</promise>" in end) == promised
    assert ("`loopgraph loop done fix`" in end) == (not promised)
    fixed = {"en": "required format of the answer", "zh": "要求的输出格式"}[lang]
    assert (fixed in end) == strict


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_commands_of_another_scope_carry_its_flag(lang):
    body = wording.body("x", HINTS._replace(flags=" --global", promise=None), lang)
    assert body.count(" --global`") == 3


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("fix it", "en"), ("", "en"), ("修复它", "zh"), ("fix 它", "zh"), ("一", "zh"),
        ("\u9fff", "zh"), ("\u3fff", "en"), ("\ua000", "en"), ("é、。", "en"),
    ],
)  # fmt: skip
def test_a_task_is_written_in_the_language_of_its_letters(text, lang):
    assert wording.language(text) == lang
