"""Who is speaking."""

from __future__ import annotations

import pytest

from loopgraph.edges.bindings import Binding
from loopgraph.hosts.marks import MARKS
from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.node import speaker
from loopgraph.node.speaker import Session, Speaker

CLAUDE = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "ann-1"}
BOUND = {"claude:ann-1": Binding("run", "executor", "")}


@pytest.mark.parametrize(
    ("said", "environ", "bound", "role"),
    [
        (None, {}, {}, None),
        ("supervisor", {}, {}, "supervisor"),
        (None, {"LOOPGRAPH_NODE": "scout"}, {}, "scout"),
        ("executor", {"LOOPGRAPH_NODE": "scout"}, {}, "executor"),
        (None, CLAUDE, BOUND, "executor"),
        (None, {"CODEX_THREAD_ID": "ann-1"}, BOUND, None),
        (None, {"CODEX_THREAD_ID": "ann-1"}, {"ann-1": Binding("run", "scout", "")}, "scout"),
        (None, CLAUDE, {}, None),
        ("owner", {}, {}, "owner"),
    ],
)
def test_the_speaker_is_named_then_in_the_environment_then_bound(said, environ, bound, role):
    assert speaker.read(said, environ, bound).role == role


@pytest.mark.parametrize("mark", sorted({m for one in MARKS.values() for m in one.environment}))
def test_every_mark_of_a_client_tells_an_agent(mark):
    assert speaker.read(None, {mark: "1"}).agent
    assert not speaker.read(None, {mark: ""}).agent


@pytest.mark.parametrize("id_", ["", " ", "null", "NULL", "claude:null", "none"])
def test_an_empty_session_id_names_nobody(id_):
    assert speaker.sessions({"CLAUDE_CODE_SESSION_ID": id_}) == ()


def test_every_client_leaves_a_mark():
    assert all(one.environment for one in MARKS.values())


def test_a_bound_session_has_its_role_and_no_other():
    with pytest.raises(RefusedError, match="bound as executor"):
        speaker.read("supervisor", CLAUDE, BOUND)


def test_an_agent_is_never_the_owner():
    with pytest.raises(RefusedError, match="not the owner"):
        speaker.read("owner", CLAUDE)


def test_a_node_that_is_none_is_refused_with_the_nearest():
    with pytest.raises(UsageError) as told:
        speaker.read("superviser", {})
    assert told.value.fix == "Did you mean supervisor?"


@pytest.mark.parametrize(
    ("environ", "said", "writers", "may"),
    [
        ({}, None, ("owner",), True),
        ({}, None, ("supervisor",), True),
        ({}, "executor", ("owner",), False),
        ({}, "executor", ("executor", "supervisor"), True),
        (CLAUDE, None, ("owner",), False),
        (CLAUDE, None, ("supervisor", "owner"), False),
        (CLAUDE, None, ("executor",), True),
        (CLAUDE, "supervisor", ("supervisor",), True),
        (CLAUDE, "executor", ("supervisor",), False),
        (CLAUDE, None, (), True),
    ],
)
def test_a_command_of_another_writer_is_refused(environ, said, writers, may):
    who = speaker.read(said, environ)
    if may:
        speaker.require(who, writers, what="it")
    else:
        with pytest.raises(RefusedError, match=" or ".join(writers)) as told:
            speaker.require(who, writers, what="it")
        assert ("--as" in told.value.fix) == (said is None and "supervisor" in writers)


@pytest.mark.parametrize(
    ("given", "environ", "found"),
    [
        (None, {}, None),
        (None, CLAUDE, Session("ann-1", "claude")),
        ("bob", {}, Session("bob", "")),
        ("codex:bob", {}, Session("bob", "codex")),
        ("ann-1", CLAUDE, Session("ann-1", "claude")),
        ("claude:ann-1", CLAUDE, Session("ann-1", "claude")),
    ],
)
def test_a_command_is_about_the_named_session_or_its_own(given, environ, found):
    who = speaker.read(None, environ)
    assert speaker.session(given, who, where="x") == found


@pytest.mark.parametrize("given", ["bob", "codex:ann-1"])
def test_an_agent_names_no_session_but_its_own(given):
    with pytest.raises(RefusedError, match="no session but its own"):
        speaker.session(given, speaker.read(None, CLAUDE), where="x")


def test_of_two_sessions_in_the_environment_one_must_be_named():
    both = {**CLAUDE, "CODEX_THREAD_ID": "bob-2"}
    with pytest.raises(UsageError) as told:
        speaker.session(None, speaker.read(None, both), where="x")
    assert "claude:ann-1" in told.value.fix
    assert "codex:bob-2" in told.value.fix
    named = speaker.session("bob-2", speaker.read(None, both), where="x")
    assert named == Session("bob-2", "codex")


@pytest.mark.parametrize("given", ["", "null", "claude:"])
def test_no_session_is_called_nothing(given):
    with pytest.raises(UsageError, match="no such id"):
        speaker.session(given, speaker.read(None, {}), where="x")


@pytest.mark.parametrize(
    ("role", "writers", "way"),
    [
        ("executor", ("owner",), "loopgraph owner ask"),
        ("supervisor", ("owner",), "loopgraph owner ask"),
        ("executor", ("supervisor", "owner"), "loopgraph next"),
        ("supervisor", ("executor",), "loopgraph directive add"),
        ("scout", ("executor",), "loopgraph finding add"),
    ],
)
def test_a_node_that_may_not_is_told_what_it_may(role, writers, way):
    with pytest.raises(RefusedError) as error:
        speaker.require(Speaker(role, agent=True, sessions=()), writers, what="it")
    assert error.value.fix.endswith(way)


@pytest.mark.parametrize(
    ("how", "native", "found"),
    [
        ("", "", ""), ("adopt", "", "adopt"), ("artifact-only", "win", "artifact-only"),
        ("adopt", "win", "adopt"),
    ],
)  # fmt: skip
def test_what_becomes_of_the_clients_own_goal_is_said(how, native, found):
    assert speaker.goal(how, native) == found


def test_a_goal_of_the_client_that_nobody_spoke_of_is_refused_and_so_is_a_way_that_is_none():
    with pytest.raises(RefusedError) as told:
        speaker.goal("", "win the game")
    assert told.value.where == "--goal"
    assert told.value.what.endswith("a goal of its own: win the game")
    with pytest.raises(UsageError) as wrong:
        speaker.goal("adoptt", "")
    assert (wrong.value.where, wrong.value.fix) == ("--goal adoptt", "Did you mean adopt?")


BOTH = {**CLAUDE, "CODEX_THREAD_ID": "bob-2"}


@pytest.mark.parametrize(
    ("bound", "role"),
    [
        ({"claude:ann-1": "executor", "codex:bob-2": "executor"}, "executor"),
        ({"claude:ann-1": "executor", "codex:bob-2": "scout"}, None),
        ({"claude:ann-1": "executor"}, "executor"),
    ],
)
def test_two_sessions_of_one_command_speak_where_they_agree(bound, role):
    known = {session: Binding("run", one, "") for session, one in bound.items()}
    assert speaker.read(None, BOTH, known).role == role
    assert speaker.read("executor", BOTH, known).role == "executor"


@pytest.mark.parametrize(
    ("speaks", "name"),
    [
        (Speaker("scout", agent=True, sessions=()), "scout"),
        (Speaker(None, agent=True, sessions=()), "an agent"),
        (Speaker(None, agent=False, sessions=()), "owner"),
    ],
)
def test_a_record_names_who_spoke(speaks, name):
    assert speaks.name == name


def test_a_session_is_named_with_its_host_and_known_by_either_form():
    assert Session("a", "codex").named == "codex:a"
    assert Session("a", "").named == "a"
    for written, same in (("a", True), ("codex:a", True), ("claude:a", False), (None, False)):
        assert Session("a", "codex").is_named(written) is same


def test_the_owner_is_told_no_way_round_for_what_is_a_nodes():
    with pytest.raises(RefusedError) as told:
        speaker.require(Speaker("owner", agent=False, sessions=()), ("executor",), what="it")
    assert (told.value.what, told.value.fix) == ("it is the executor's, not the owner's", "")
