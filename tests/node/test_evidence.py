"""The evidence state by command."""

from __future__ import annotations

import json

import pytest

from loopgraph.edges import state
from loopgraph.edges.loops import Settings
from loopgraph.edges.places import PROJECT
from loopgraph.model.errors import RefusedError, UnreadableError, UsageError
from loopgraph.node import block, evidence, start, stops
from tests.node.said import ANN, NOW, PERSON, after, agent, call, made

OWN = ".longgraph/state/ann-1.json"


def changed(values, files=None, *, session=ANN, task=None):
    return evidence.change(files or {}, call(agent(ANN)), session=session, task=task, values=values)


def test_a_session_without_a_loop_has_a_state_of_its_own():
    files = after({}, changed({"goal": "g", "next_actions": ("edit a.py",)}))
    assert state.read(files[OWN], OWN).next_actions == ("edit a.py",)


def test_a_new_state_has_every_field():
    assert set(json.loads(after({}, changed({"goal": "g"}))[OWN])) == {"version", *state.FIELDS}


def test_a_named_task_is_meant_whoever_speaks():
    change = changed({"goal": "g"}, made(), session=ANN, task="fix")
    assert list(change.files) == [".longgraph/state/fix.json"]


def test_a_loop_that_nobody_runs_yet_has_a_state_under_its_name():
    change = changed({"current_phase": "x"}, made(), session=None, task="fix")
    assert list(change.files) == [".longgraph/state/fix.json"]


def test_setting_a_field_leaves_every_other_one():
    files = after({}, changed({"goal": "g", "changed_files": ("a", "b")}))
    files = after(files, changed({"current_phase": "testing"}, files))
    found = state.read(files[OWN], OWN)
    assert (found.goal, found.current_phase, found.changed_files) == ("g", "testing", ("a", "b"))


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"last_verified": ("all is fine",)}, "names nothing that shows it"),
        ({"last_verified": ("`make` passes", "and more")}, "names nothing that shows it"),
        ({"next_actions": ("Continue.",)}, "says nothing to do"),
        ({"next_actions": ("继续推进",)}, "says nothing to do"),
        ({"next_actions": (" ",)}, "says nothing to do"),
        ({"next_actions": ("think about it more",)}, "names no path"),
    ],
)
def test_a_guess_is_no_fact_and_a_phrase_is_no_action(values, why):
    with pytest.raises(RefusedError, match=why):
        changed(values)


TOKEN = "ghp_" + "a1" * 18


def test_no_credential_is_written_into_a_state_file():
    calls = {
        "state": lambda: changed({"last_verified": (f"`curl -H {TOKEN}` works",)}),
        "block": lambda: block.block({}, PROJECT, ANN, reason=f"use {TOKEN}", until="x", now=NOW),
        "loop": lambda: made(prompt=f"Log in\nwith {TOKEN}"),
        "start": lambda: start.start(
            {}, call(), text=TOKEN, mode=None, task="x", settings=Settings(), lang="en"
        ),
    }
    for name, command in calls.items():
        with pytest.raises(RefusedError, match="looks like a GitHub token") as told:
            command()
        assert TOKEN not in str(told.value), name


def test_the_brake_is_pulled_even_where_its_reason_cannot_be_written():
    change = stops.stop({}, PERSON, run=None, why=f"leaked {TOKEN}", now=NOW)
    assert TOKEN not in (change.files[".longgraph/STOP"] or "")
    assert any("left out" in line for line in change.says)


def test_something_must_be_set():
    with pytest.raises(UsageError, match="nothing to set"):
        changed({})


@pytest.mark.parametrize("broken", ["{", "[]", '{"next_actions": [["x"]]}'])
def test_a_broken_state_is_told_and_not_written_over(broken):
    with pytest.raises(UnreadableError):
        state.read(broken, OWN)
    if not broken.startswith('{"'):
        with pytest.raises(UnreadableError):
            changed({"goal": "g"}, {OWN: broken})


@pytest.mark.parametrize(
    "path",
    [
        ".omx/state/long-term-task/ann-1.json",
        ".omx/state/ann-1/ralph-state.json",
        ".omx/state/ralph-state.json",
    ],
)
def test_another_tools_state_is_shown_where_there_is_no_own(path):
    files = {path: json.dumps({"task_description": "t", "evidence": "e.log"})}
    found = evidence.shown(files, call(), session=ANN, task=None)
    assert found == path
    assert state.read(files[path], path)[:1] == ("t",)
    assert state.read(files[path], path).artifacts == ("e.log",)
    own = {**files, OWN: "{}"}
    assert evidence.shown(own, call(), session=ANN, task=None) == OWN


def test_where_there_is_no_state_it_is_told_how_to_write_one():
    with pytest.raises(UsageError, match="no evidence state"):
        evidence.shown({}, call(), session=ANN, task=None)


def shown(files):
    return evidence.shown(files, call(PERSON), session=None, task=None)


def test_the_only_state_is_shown_where_neither_a_loop_nor_a_session_says_which():
    assert shown(after({}, changed({"goal": "g"}))) == OWN


def test_of_several_states_one_has_to_be_named():
    files = after({}, changed({"goal": "g"}))
    with pytest.raises(UsageError) as told:
        shown({**files, OWN.replace("ann-1", "bob-2"): files[OWN]})
    assert told.value.what.startswith("2 evidence states here")
    assert told.value.fix == "Name one: --session ID (ann-1, bob-2)"


@pytest.mark.parametrize(("status", "shows"), [("active", True), ("completed", False)])
def test_a_plan_that_is_worked_on_is_told_where_no_state_is(status, shows):
    works = {"works": {"p": {"active_plan": "PLAN.md", "status": status, "session_ids": []}}}
    with pytest.raises(UsageError) as told:
        shown({".longgraph/plans.json": json.dumps(works)})
    assert ("PLAN.md" in told.value.what, "plan show" in told.value.fix) == (shows, shows)
    assert ("loopgraph loop init TASK --prompt TEXT" in told.value.fix) == (not shows)
