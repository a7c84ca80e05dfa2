"""Bindings, blocks and stops: texts in, texts out."""

from __future__ import annotations

import json

import pytest

from loopgraph.edges import bindings as edge
from loopgraph.edges import stops as stop_file
from loopgraph.edges.loops import Settings
from loopgraph.edges.places import PROJECT
from loopgraph.model.errors import RefusedError, UnreadableError, UsageError
from loopgraph.node import bind, block, loops, plans, stops
from loopgraph.node.bind import Node
from loopgraph.node.plans import Started
from loopgraph.node.speaker import Session
from tests.node.said import ANN, BOB, LATER, NOW, PERSON, after, agent, call

RUN = Node("2026-01-02-x", ("executor", "supervisor"), "active", 12, "open")
BINDINGS = ".longgraph/.bindings.json"
CAROL = Session("carol-3", "claude")


def bound(files=None, *, who=PERSON, session=ANN, said="executor", run=RUN, **more):
    change = bind.bind(
        files or {}, who, run, said=said, session=session, now=NOW, **{"goal": "", **more}
    )
    return after(files or {}, change)


def sessions(files):
    return edge.read(files[BINDINGS])


# Bind ----------------------------------------------------------------------------------------


def test_a_binding_says_where_the_fire_begins():
    files = bound(goal="adopt")
    assert json.loads(files[BINDINGS]) == {
        "version": 1,
        "sessions": {
            "claude:ann-1": {
                "run": "2026-01-02-x", "role": "executor", "at": NOW,
                "round": 12, "gate": "open", "goal": "adopt",
            },
        },
    }  # fmt: skip


def test_a_node_of_a_run_is_one_session():
    files = bound(bound(), session=BOB)
    assert list(sessions(files)) == ["codex:bob-2"]
    files = bound(files, session=ANN, said="supervisor")
    assert {one.role for one in sessions(files).values()} == {"executor", "supervisor"}


def test_an_agent_does_not_change_its_role_and_a_person_may():
    files = bound()
    with pytest.raises(RefusedError, match="and stays so"):
        bound(files, who=agent(ANN, role="executor"), said="supervisor")
    with pytest.raises(RefusedError, match="and stays so"):
        bound(files, who=agent(ANN), run=RUN._replace(run="other"))
    assert bound(files, who=agent(ANN)) == files
    moved = bound(files, said="supervisor")
    assert [one.role for one in sessions(moved).values()] == ["supervisor"]


@pytest.mark.parametrize(
    ("more", "error", "why"),
    [
        ({"said": None}, UsageError, "as which node"),
        ({"said": "scout"}, UsageError, "no such node"),
        ({"session": None}, UsageError, "nobody says which session"),
        ({"goal": "win"}, UsageError, "no such way"),
        ({"run": RUN._replace(status="closed")}, RefusedError, "closed"),
    ],
)
def test_a_binding_that_says_too_little_is_refused(more, error, why):
    with pytest.raises(error, match=why):
        bound(**more)


def test_a_bare_id_and_a_prefixed_one_are_the_same_session():
    files = bound(session=Session("ann-1", ""))
    assert list(sessions(files)) == ["ann-1"]
    assert edge.of(sessions(files), "ann-1", "claude")
    assert not edge.of(edge.read(bound(session=ANN)[BINDINGS]), "ann-1", "codex")
    assert list(sessions(bound(files, session=ANN))) == ["claude:ann-1"]


def test_entries_of_others_and_unknown_keys_stay():
    theirs = {"version": 1, "x": 1, "sessions": {"odd": 3, "claude:ann-1": {"note": "n"}}}
    found = json.loads(bound({BINDINGS: json.dumps(theirs)})[BINDINGS])
    assert found["x"] == 1
    assert found["sessions"]["odd"] == 3
    assert found["sessions"]["claude:ann-1"]["note"] == "n"


@pytest.mark.parametrize("broken", ["{", '{"sessions": []}', '{"version": 7}'])
def test_broken_bindings_are_never_written_over(broken):
    with pytest.raises(UnreadableError):
        bound({BINDINGS: broken})


# Unbind --------------------------------------------------------------------------------------


def test_the_owner_lets_one_session_go_or_a_whole_run():
    files = bound(bound(), session=BOB, said="supervisor")
    one = after(files, bind.unbind(files, PERSON, session=ANN, run=None))
    assert list(sessions(one)) == ["codex:bob-2"]
    none = after(files, bind.unbind(files, PERSON, session=None, run=RUN.run))
    assert not sessions(none)


def test_unbinding_takes_the_block_along():
    files = bound()
    files = after(files, blocked(files))
    left = after(files, bind.unbind(files, PERSON, session=Session("ann-1", ""), run=None))
    assert ".longgraph/blocked/ann-1.json" not in left


def test_no_agent_frees_itself():
    with pytest.raises(RefusedError, match="the owner's"):
        bind.unbind(bound(), agent(ANN), session=ANN, run=None)
    with pytest.raises(RefusedError, match="not the executor's"):
        bind.unbind(bound(), agent(ANN, role="executor"), session=ANN, run=None)


@pytest.mark.parametrize(
    ("session", "run", "where"),
    [(BOB, None, "bob-2"), (None, "other", "other"), (None, None, "unbind")],
)
def test_nobody_is_unbound_by_mistake(session, run, where):
    with pytest.raises(UsageError) as told:
        bind.unbind(bound(), PERSON, session=session, run=run)
    assert told.value.where == where


# Block ---------------------------------------------------------------------------------------


def blocked(files=None, *, reason="no key", until="KEY is set"):
    return block.block(files or {}, PROJECT, ANN, reason=reason, until=until, now=NOW)


def test_a_block_says_why_and_until_when_in_both_places():
    state = ".longgraph/state/ann-1.json"
    files = after({state: "{}"}, blocked({state: "{}"}))
    path = ".longgraph/blocked/ann-1.json"
    assert edge.block(files[path]) == ("ann-1", "no key", "KEY is set", NOW)
    assert json.loads(files[state])["blocked_reason"] == "no key (until: KEY is set)"
    lifted = after(files, block.lift(files, PROJECT, ANN))
    assert path not in lifted
    assert json.loads(lifted[state])["blocked_reason"] is None


@pytest.mark.parametrize("said", [{"reason": " "}, {"until": ""}])
def test_a_block_says_something(said):
    with pytest.raises(UsageError, match="says nothing"):
        blocked(**said)


def test_what_is_not_blocked_cannot_be_lifted():
    with pytest.raises(UsageError, match="not blocked"):
        block.lift({}, PROJECT, ANN)


# Stop and resume -----------------------------------------------------------------------------


def stopped(files=None, *, who=PERSON, run=None, why="", now=NOW):
    change = stops.stop(files or {}, who, run=run, why=why, now=now)
    return after(files or {}, change)


@pytest.mark.parametrize(("run", "path"), [(None, ".longgraph/STOP"), ("r", ".longgraph/r/STOP")])
def test_a_stop_says_who_when_and_why(run, path):
    files = stopped(run=run, why="going\nhome: \u202enow")
    assert stop_file.read(files[path]) == ("owner", NOW, "going\nhome: \u202enow")
    assert "loopgraph resume" in files[path]
    assert len(files[path].splitlines()) == 4


@pytest.mark.parametrize(
    ("who", "said"),
    [(agent(ANN), "an agent"), (agent(ANN, role="executor"), "executor"), (PERSON, "owner")],
)
def test_anybody_may_stop_and_it_is_said_who(who, said):
    assert stop_file.read(stopped(who=who)[".longgraph/STOP"]).who == said


def test_a_stop_that_is_there_stays_as_it_is():
    files = stopped(why="first")
    change = stops.stop(files, PERSON, run=None, why="second", now=LATER)
    assert not change.files
    assert NOW in change.says[0]
    touched = {".longgraph/STOP": ""}
    assert not stops.stop(touched, PERSON, run=None, why="", now=NOW).files


def test_only_the_owner_resumes():
    files = stopped(run="r")
    for who in (agent(ANN), agent(ANN, role="executor"), agent(ANN, role="supervisor")):
        with pytest.raises(RefusedError, match="the owner's"):
            stops.resume(files, who, run="r")
    assert after(files, stops.resume(files, PERSON, run="r")) == {}


def test_resuming_lifts_the_blocks_of_the_sessions_that_it_is_about():
    files = bound()
    files = after(files, blocked(files))
    other = block.block(files, PROJECT, CAROL, reason="x", until="y", now=NOW)
    files = after(files, other)
    change = stops.resume(files, PERSON, run=RUN.run)
    assert change.says == ("Lifted: .longgraph/blocked/ann-1.json",)
    one = after(files, change)
    assert ".longgraph/blocked/ann-1.json" not in one
    assert ".longgraph/blocked/carol-3.json" in one
    everything = after(files, stops.resume(files, PERSON, run=None))
    assert list(everything) == [BINDINGS]


def test_a_run_that_is_resumed_below_a_stopped_workspace_is_told_so():
    files = stopped(stopped(), run="r")
    change = stops.resume(files, PERSON, run="r")
    assert list(change.files) == [".longgraph/r/STOP"]
    assert any("still stops" in line for line in change.says)


def test_a_stop_and_its_end_say_what_they_are_about():
    everything = stops.stop({}, PERSON, run=None, why="", now=NOW).says[0]
    assert "every run, plan and loop" in everything
    one = stops.stop({}, PERSON, run="r", why="", now=NOW).says[0]
    assert one.startswith("Stopped: r.")
    assert "loopgraph resume r" in one
    assert stops.resume(stopped(), PERSON, run=None).says == ("Lifted: .longgraph/STOP",)


@pytest.mark.parametrize(
    ("files", "told"),
    [
        (stopped(), ".longgraph/STOP stops it by owner, {now}: loopgraph resume"),
        (
            stopped(run=RUN.run),
            ".longgraph/{run}/STOP stops it by owner, {now}: loopgraph resume {run}",
        ),
        ({".longgraph/STOP": ""}, ".longgraph/STOP stops it: loopgraph resume"),
        ({}, None),
    ],
)
def test_whoever_begins_something_is_told_first_that_it_is_stopped(files, told):
    plan = plans.checklist("- [ ] a\n")
    said = {
        "bind": bind.bind(files, PERSON, RUN, said="executor", session=ANN, goal="", now=NOW),
        "plan": plans.start(files, Started("p.md"), plan, session=ANN, now=NOW),
        "loop": loops.init(files, call(), task="x", prompt="y", settings=Settings(), lang="en"),
    }
    of_a_run = RUN.run in "".join(files)
    for name, change in said.items():
        if told is None or (of_a_run and name != "bind"):
            assert "stops it" not in "".join(change.says)
        else:
            assert change.says[0] == told.format(now=NOW, run=RUN.run), name


def test_what_is_not_stopped_cannot_be_resumed():
    with pytest.raises(UsageError, match="not stopped"):
        stops.resume({}, PERSON, run=None)
    with pytest.raises(UsageError) as told:
        stops.resume(stopped(), PERSON, run="r")
    assert (told.value.where, told.value.fix) == ("r", "The whole workspace is: loopgraph resume")
    with pytest.raises(UsageError) as told:
        stops.resume({}, PERSON, run="r")
    assert not told.value.fix


# What a command reads ------------------------------------------------------------------------

STOPPED, OF_RUN, BLOCKS = ".longgraph/STOP", ".longgraph/r/STOP", ".longgraph/blocked/*.json"


@pytest.mark.parametrize(
    ("wanted", "files"),
    [
        (bind.wanted("r"), {BINDINGS, BLOCKS, STOPPED, OF_RUN}),
        (bind.wanted(), {BINDINGS, BLOCKS, STOPPED}),
        (stops.wanted("r"), {BINDINGS, BLOCKS, STOPPED, OF_RUN}),
        (stops.wanted(None), {BINDINGS, BLOCKS, STOPPED}),
        (plans.wanted(), {".longgraph/plans.json", ".omo/boulder.json", STOPPED}),
        (block.wanted(PROJECT, ANN), {".longgraph/blocked/ann-1.json",
                                      ".longgraph/state/ann-1.json"}),
    ],
)  # fmt: skip
def test_a_command_asks_for_every_file_that_it_decides_by(wanted, files):
    assert set(wanted) == files


def test_whoever_names_no_node_is_told_which_there_are():
    with pytest.raises(UsageError) as told:
        bound(said=None)
    assert (told.value.where, told.value.fix) == ("bind", "Say --as executor or --as supervisor.")
    assert bind.role("scout", ()) == "scout"
    with pytest.raises(UsageError) as told:
        bound(session=None)
    assert told.value.fix == (
        f"Say --session ID, or let the session run: loopgraph bind {RUN.run} --as executor"
    )


def test_whoever_was_that_node_before_is_named():
    change = bind.bind(
        bound(), PERSON, RUN, said="executor", session=BOB, goal="", now=NOW
    )  # fmt: skip
    assert change.says == (
        f"Session bob-2 is the executor of {RUN.run}.", "claude:ann-1 was, and is let go.",
    )  # fmt: skip
