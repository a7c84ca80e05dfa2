"""Which rules run, and in which order their findings come."""

from __future__ import annotations

import pytest

from loopgraph.check import run_rules
from loopgraph.check.rules import RULES
from loopgraph.model.errors import UsageError
from tests.check.compiled import files, run

BROKEN = {
    **files(),
    "handoff.md": "Paste this.\n",
    "notes.md": "\0\n",
    "ops.md": files()["ops.md"] + "\n\x1b\n\n<<<<<<< HEAD\n",
}


def told(**choice: list[str]) -> list[tuple[str, str]]:
    return [(f.file, f.rule) for f in run_rules.findings(run(BROKEN), **choice)]


ALL = [
    ("handoff.md", "LG102"),
    ("notes.md", "LG103"),
    ("notes.md", "LG110"),
    ("ops.md", "LG110"),
    ("ops.md", "LG111"),
]


def test_findings_come_by_file_line_and_rule():
    assert told() == ALL


@pytest.mark.parametrize(
    ("select", "ignore", "left"),
    [
        (["LG110"], [], [ALL[2], ALL[3]]),
        (["lg11"], [], ALL[2:]),
        (["LG1"], ["LG103", "LG11"], ALL[:1]),
        (["LG103", "LG111"], [], [ALL[1], ALL[4]]),
        ([], ["LG1"], []),
        (["LG4", "LG5"], [], []),
    ],
)
def test_rules_are_chosen_by_id_or_its_beginning(select, ignore, left):
    assert told(select=select, ignore=ignore) == left


@pytest.mark.parametrize("choice", ["select", "ignore"])
def test_a_choice_that_fits_no_rule_is_refused_with_the_nearest(choice):
    with pytest.raises(UsageError) as refused:
        run_rules.findings(run({}), **{choice: ["XG101"]})
    assert str(refused.value) == f"{choice} XG101: no such rule. Did you mean LG101?"


@pytest.mark.parametrize("empty", ["", " "])
def test_an_empty_choice_is_refused(empty):
    with pytest.raises(UsageError):
        run_rules.chosen([empty])


def test_without_a_choice_every_rule_runs():
    assert run_rules.chosen() == RULES


def test_a_rule_is_found_by_its_id_in_any_case():
    assert run_rules.rule("lg101") is RULES[0]
    with pytest.raises(UsageError, match="no such rule"):
        run_rules.rule("LG999")
