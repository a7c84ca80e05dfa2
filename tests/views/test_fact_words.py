"""What discovery calls its facts is said in the reader's language; names stay."""

from __future__ import annotations

import re

import pytest

from loopgraph.author.wording import SENTENCES
from loopgraph.disk import catalogue
from loopgraph.model import messages
from loopgraph.model.messages import filled
from loopgraph.views import fact_words


@pytest.fixture(autouse=True)
def english_again():
    yield
    messages.use(None)


@pytest.mark.parametrize(
    ("fact", "chinese"),
    [
        ("released by CI", "由 CI 发布"),
        ("published as a Go module", "发布形式：Go 模块"),
        ("published as a crate", "发布形式：crate"),
        ("checked by 1 CI file", "由 CI 检查（1 个文件）"),
        ("12 test files", "12 个测试文件"),
        ("Python package Python package", "Python 包 Python package"),
        ("command exports", "命令 exports"),
        ("npm package types", "npm 包 types"),
        ("command {name}", "命令 {name}"),
        ("headers in include (3 files)", "include 里的头文件（3 个）"),
        ("protocol buffers (3 files)", "protocol buffers（3 个文件）"),
        ("instructions for agents", "给 agent 的说明"),
        ("Ruff", "Ruff"),
    ],
)
def test_a_fact_is_said_in_both_languages(fact, chinese):
    assert fact_words.said(fact) == fact
    catalogue.speak("zh")
    assert fact_words.said(fact) == chinese


@pytest.mark.parametrize(
    "key", ["gap.no-test-gate", "gap.no-tests", "gap.untested", "gap.detector", "gap.marks"]
)
def test_a_debt_row_is_said_on_the_screen_as_it_is_written_in_a_run(key):
    values = {"about": "src/a (b)", "count": 7}
    catalogue.speak("zh")
    said = fact_words.said(filled(SENTENCES[key]["en"], values))
    assert said == filled(SENTENCES[key]["zh"], values)
    assert re.search(r"[\u4e00-\u9fff]", said)
