"""Stops and blocks: whoever asks is let go, and what was stopped says how it goes on."""

from __future__ import annotations

import json

import pytest

from loopgraph.edges import bindings, places, stops
from loopgraph.edges.bindings import Binding, Block
from loopgraph.edges.places import PROJECT
from loopgraph.edges.stops import Stop
from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.node import block, credentials
from loopgraph.node import stops as brakes
from loopgraph.node.speaker import Session
from tests.node.desk import EXECUTOR, NOW, OWNER

KEY = "AKIA" + "IOSFODNN7EXAMPLE"
RUN, ALL = ".longgraph/a-run/STOP", ".longgraph/STOP"


@pytest.mark.parametrize(
    ("run", "path", "lift"),
    [("a-run", RUN, "loopgraph resume a-run"), (None, ALL, "loopgraph resume")],
)
def test_a_stop_says_who_when_why_and_how_it_is_lifted(run, path, lift):
    change = brakes.stop({}, EXECUTOR, run=run, why=" the store is down ", now=NOW)
    ((written, text),) = change.files.items()
    assert (written, stops.read(text or "")) == (path, Stop("executor", NOW, "the store is down"))
    assert f"lifted by: {lift}\n" in (text or "")
    (said,) = change.says
    assert f"{path} says so, {lift} lifts it." in said
    assert (run or "every run, plan and loop of this workspace") in said


def test_an_earlier_stop_stays_as_it_was():
    text = stops.write(Stop("owner", "2026-01-01", "wait"), "x")
    change = brakes.stop({RUN: text}, EXECUTOR, run="a-run", why="again", now=NOW)
    assert change.files == {}
    assert change.says == (
        "Stopped already by owner, 2026-01-01: a-run. It is lifted by: loopgraph resume a-run",
    )
    (said,) = brakes.stop({ALL: ""}, EXECUTOR, run=None, why="", now=NOW).says
    assert said.startswith("Stopped already: every run")


def test_the_brake_is_pulled_though_its_reason_looks_like_a_credential():
    change = brakes.stop({}, OWNER, run=None, why=f"it is {KEY}", now=NOW)
    assert stops.read(change.files[ALL] or "").why == ""
    assert change.says[-1] == "The reason looked like a credential and was left out."
    assert KEY not in "".join((*change.says, change.files[ALL] or ""))


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ((), ()),
        ((RUN,), (f"{RUN} stops it by me, today: loopgraph resume a-run",)),
        ((ALL, RUN), (f"{ALL} stops it by me, today: loopgraph resume",)),
    ],
)
def test_who_begins_something_is_told_of_the_stop_that_holds_it(files, said):
    texts = dict.fromkeys(files, "who: me\nwhen: today\n")
    assert brakes.note(texts, "a-run") == said


def bound(**sessions):
    text = None
    for session, run in sessions.items():
        text = bindings.with_session(text, session, Binding(run, "executor", NOW))
    return text or ""


FILES = {
    ".longgraph/.bindings.json": bound(one="a-run", two="other"),
    places.blocked("one"): bindings.write_block(Block("one", "a", "b", NOW)),
    places.blocked("two"): bindings.write_block(Block("two", "a", "b", NOW)),
}


def test_the_owner_lifts_a_stop_and_the_blocks_of_its_sessions():
    change = brakes.resume({**FILES, RUN: "", ALL: ""}, OWNER, run="a-run")
    assert change.files == {RUN: None, places.blocked("one"): None}
    assert change.says == (
        f"Lifted: {RUN}", f"Lifted: {places.blocked('one')}",
        f"{ALL} still stops the whole workspace: loopgraph resume",
    )  # fmt: skip
    whole = brakes.resume({**FILES, ALL: ""}, OWNER, run=None)
    assert whole.files == {ALL: None, places.blocked("one"): None, places.blocked("two"): None}
    assert brakes.resume(FILES, OWNER, run="a-run").files == {places.blocked("one"): None}


def test_what_is_not_stopped_cannot_be_lifted_and_a_node_lifts_nothing():
    with pytest.raises(UsageError) as refused:
        brakes.resume({}, OWNER, run="a-run")
    assert str(refused.value) == "a-run: it is not stopped"
    with pytest.raises(UsageError, match="The whole workspace is: loopgraph resume"):
        brakes.resume({ALL: ""}, OWNER, run="a-run")
    with pytest.raises(UsageError, match=r"\.longgraph: it is not stopped$"):
        brakes.resume({}, OWNER, run=None)
    with pytest.raises(RefusedError, match="resume is the owner's"):
        brakes.resume({RUN: ""}, EXECUTOR, run="a-run")


def test_a_credential_is_refused_by_its_line_and_never_shown():
    with pytest.raises(RefusedError) as refused:
        credentials.refuse(f"one\n{KEY}\n", "state.json")
    assert str(refused.value).startswith(
        "state.json: line 2 looks like an AWS access key. Say where"
    )
    assert KEY not in str(refused.value)
    credentials.refuse("nothing here", "state.json")


@pytest.fixture
def session():
    return Session("ab-1", "codex")


def test_a_block_says_what_is_missing_and_what_must_be_seen(session):
    change = block.block({}, PROJECT, session, reason=" no key ", until=" it is there ", now=NOW)
    path = places.blocked("ab-1")
    assert bindings.block(change.files[path] or "") == Block("ab-1", "no key", "it is there", NOW)
    assert set(change.files) == {path}
    assert change.says == ("This session is let go until its next prompt. End your turn now.",)
    assert set(block.wanted(PROJECT, session)) == {path, PROJECT.evidence("ab-1")}


@pytest.mark.parametrize(
    ("reason", "until", "where"),
    [(" ", "b", "block --reason"), ("a", "", "block --until"), (KEY, "b", "block --reason"),
     ("a", KEY, "block --until")],
)  # fmt: skip
def test_a_block_that_says_nothing_or_a_credential_is_refused(session, reason, until, where):
    with pytest.raises((UsageError, RefusedError)) as refused:
        block.block({}, PROJECT, session, reason=reason, until=until, now=NOW)
    assert refused.value.where == where


def test_a_block_is_lifted_with_what_the_evidence_state_says_of_it(session):
    path, evidence = places.blocked("ab-1"), PROJECT.evidence("ab-1")
    files = {evidence: json.dumps({"verified": ["`a`"]})}
    change = block.block(files, PROJECT, session, reason="no key", until="it is there", now=NOW)
    assert "no key (until: it is there)" in (change.files[evidence] or "")
    files = {name: text for name, text in change.files.items() if text is not None}
    lifted = block.lift(files, PROJECT, session)
    assert lifted.files[path] is None
    assert "no key" not in (lifted.files[evidence] or "")
    assert lifted.says == (f"{path} removed.",)
    assert set(block.lift({path: "{}"}, PROJECT, session).files) == {path}
    with pytest.raises(UsageError, match="it is not blocked"):
        block.lift({}, PROJECT, session)
