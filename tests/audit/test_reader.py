"""What an audit finds is said in the reader's language."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopgraph import audit
from loopgraph.audit import replay
from loopgraph.audit.rules import RULES
from loopgraph.disk import catalogue
from loopgraph.model import messages
from loopgraph.views import audit as view
from tests.audit import lives
from tests.check.test_reader import assert_chinese, sentences


@pytest.fixture(autouse=True)
def english_again():
    yield
    messages.use(None)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_what_the_bad_example_breaks_is_said_in_chinese(rule):
    history = lives.history([rule.before, rule.bad])
    catalogue.speak("zh")
    report = replay.replay(*history)
    assert len(report.breaches) == 1
    assert_chinese(one.finding for one in report.breaches)
    assert "，最早见于 " in view.as_github("run", report)


MODULES = sorted(set(Path(audit.__file__).parent.glob("*.py")) - {Path(audit.__file__)})


@pytest.mark.parametrize(
    "path", [path for path in MODULES if path.stem != "example"], ids=lambda path: path.stem
)
def test_no_sentence_of_an_audit_is_outside_the_catalogue(path):
    assert sentences(path) == []
