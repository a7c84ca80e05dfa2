"""Each rule of a history shows itself on its own examples."""

from __future__ import annotations

import pytest

from loopgraph.audit import replay
from loopgraph.audit.rules import RULES
from tests.audit import lives


def found(rule, files):
    report = replay.replay(*lives.history([rule.before, files]))
    return [(one.step.label, one.finding.rule) for one in report.breaches]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_bad_example_breaks_the_rule_once_and_no_other(rule):
    assert found(rule, rule.bad) == [("1", rule.id)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_good_example_breaks_nothing(rule):
    assert found(rule, rule.good) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_says_in_one_sentence_each_why_and_what_to_do(rule):
    for said in (rule.why, rule.fix):
        assert said[0].isupper() or said.startswith("run.yaml")
        assert said.endswith(".")
        assert len(said) < 100


def test_the_ids_are_the_next_room_and_in_order():
    assert [rule.id for rule in RULES] == [f"LG6{number:02}" for number in range(1, len(RULES) + 1)]
    assert len({rule.name for rule in RULES}) == len(RULES)
