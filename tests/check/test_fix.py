"""`check --fix`: what it mends is gone, nothing else has changed, and nothing is lost."""

from __future__ import annotations

from typing import Any

import pytest

from loopgraph.check import run_rules
from loopgraph.check.rules import RULES
from loopgraph.edges import run as edge
from loopgraph.edges.change import Change
from loopgraph.edges.run import Run
from loopgraph.model.graph import Writer
from loopgraph.node.call import Call
from loopgraph.node.mend import MENDS, mend
from loopgraph.node.speaker import Speaker
from tests.check.compiled import files
from tests.check.test_breaches import CASES, broken

NOW = "2026-01-02T03:04:05+00:00"
FIXABLE = [case for case in CASES if case["rule"] in MENDS]
EACH = pytest.mark.parametrize("case", FIXABLE, ids=lambda case: f"{case['rule']} {case['at']}")


def found(case: Any) -> Run:
    answers = dict(case.get("run", {}))
    return edge.read(broken(case, files(answers.pop("pack", "deliver"), **answers)))


def mended(before: Run, role: Writer = "owner", *, agent: bool = False) -> Change:
    rules = {one.rule for one in run_rules.findings(before)}
    return mend(before, Call(Speaker(role, agent=agent, sessions=()), NOW), rules)


def after(before: Run, change: Change) -> Run:
    return edge.read({**before.files, **change.live})


def test_a_rule_says_why_it_cannot_be_mended_or_has_its_mend():
    assert {rule.id for rule in RULES if not rule.fixable} == set(MENDS)


def test_every_mend_has_a_breach_to_be_tried_on():
    assert {case["rule"] for case in FIXABLE} == set(MENDS)


@EACH
def test_what_is_mended_is_found_no_more_and_nothing_new_is(case: Any) -> None:
    before = found(case)
    change = mended(before)
    assert change.says == (f"{case['rule']}: mended",)
    left = run_rules.findings(after(before, change))
    assert [one for one in left if one.rule in MENDS or one.level == "error"] == []


@EACH
def test_every_line_that_was_there_is_there_or_in_the_archive(case: Any) -> None:
    before = found(case)
    change = mended(before)
    for name, text in change.live.items():
        gone = "".join(move.text for move in change.moves if move.file == name)
        kept = [*text.splitlines(), *gone.splitlines()]
        lost = [line for line in before.files[name].splitlines() if line not in kept]
        assert len(lost) <= 1, lost  # the line that says the number anew
        assert len(lost) == (not gone)


@EACH
def test_the_same_again_changes_nothing(case: Any) -> None:
    before = found(case)
    again = after(before, mended(before))
    rules = set(MENDS)
    assert mend(again, Call(Speaker("owner", agent=False, sessions=()), NOW), rules).live == {}


@EACH
def test_a_node_mends_its_own_edge_alone(case: Any) -> None:
    before = found(case)
    roles: dict[Writer, str] = {"executor": "ledger", "supervisor": "directives"}
    for role, own in roles.items():
        change = mended(before, role, agent=True)
        if MENDS[case["rule"]].edge == own:
            assert change.live
        else:
            assert not change.live
            assert change.says[0].startswith(f"{case['rule']}: left as it is: ")


def test_what_cannot_be_read_is_left_as_it_is() -> None:
    whole = files()
    torn = whole["ledger.md"].replace("## Status header", "<<<<<<< ours\n## Status header")
    before = edge.read({**whole, "ledger.md": torn})
    change = mend(before, Call(Speaker("owner", agent=False, sessions=()), NOW), {"LG208"})
    assert change.live == {}
    assert "merge conflict" in change.says[0]


def test_of_rounds_out_of_order_none_is_taken_for_the_oldest() -> None:
    log = "## Rounds log\n\n" + "".join(
        f"- R{number} 2026-01-03 | s | changed: a | verify: ok | net +1/-0 | next: x\n"
        for number in (1, 7, 6, 5, 4, 3, 2)
    )
    whole = files()
    before = edge.read({**whole, "ledger.md": whole["ledger.md"].replace("## Rounds log\n", log)})
    change = mend(before, Call(Speaker("owner", agent=False, sessions=()), NOW), {"LG208"})
    assert (change.live, change.moves) == ({}, ())
    assert "not in order" in change.says[0]
