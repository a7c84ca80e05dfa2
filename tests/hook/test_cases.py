"""Each clause of the continuation, by cases that are data, and the table that says which."""

from __future__ import annotations

import re

import pytest

from tests.hook import mutants, replay

CASES = replay.cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"].replace(" ", "-"))
def test_a_case_is_answered_as_it_says(case, tmp_path):
    replay.play(case, tmp_path / "case")


def test_each_clause_has_a_case_and_each_case_a_clause():
    used = {clause for case in CASES for clause in case["clauses"]}
    assert set(replay.clauses()) == used


def test_no_two_cases_have_one_name():
    names = [case["name"] for case in CASES]
    assert len(names) == len(set(names))


def test_each_clause_has_a_mutant_that_still_applies():
    assert {mutant.clause for mutant in mutants.MUTANTS} == set(replay.clauses())
    assert not [
        mutant for mutant in mutants.MUTANTS if mutants.source(mutant).count(mutant.old) != 1
    ]


@pytest.mark.parametrize("mutant", mutants.sample(), ids=lambda mutant: mutant.clause)
def test_a_mutant_of_a_clause_fails_one_of_its_cases(mutant, tmp_path):
    assert mutants.killed(mutant, tmp_path)


def test_every_reason_to_let_go_is_explained():
    page = (mutants.PROJECT / "docs/continuation.md").read_text("utf-8")
    explained = set(re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE))
    code = "".join(
        path.read_text("utf-8") for path in (mutants.PROJECT / "loopgraph/hook").rglob("*.py")
    )
    used = set(re.findall(r'(?:LetGo\(|why, said = |why=|"why": )"([a-z-]+)"', code)) - {"block"}
    assert used == explained
