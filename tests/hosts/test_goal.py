"""A goal of the client's own, which also sends a session back: who has set one says what it is."""

from __future__ import annotations

import pytest

from tests.hosts.conftest import CLAUDES


@pytest.mark.parametrize("desk", CLAUDES, indirect=True)
def test_a_session_with_a_goal_of_the_client_is_not_taken_without_a_word_on_it(desk):
    turn = desk.turn(
        "/goal every link answers",
        {"run": 'loopgraph loop start "just do it: mend the links"'},
        {"run": 'loopgraph loop start "just do it: mend the links" --goal artifact-only --max 2'},
        {"say": "Not yet.", "again": True},
    )
    first, second = turn.heard[1], turn.heard[2]
    assert "by a goal of its own: every link answers" in first, turn
    assert "goes on until it ends" in second, turn
    assert desk.log() == ["block", "go iterations"]


@pytest.mark.parametrize("desk", CLAUDES, indirect=True)
def test_a_goal_that_was_cleared_holds_nobody(desk):
    begun = desk.turn("/goal every link answers", {"refuse": 400, "again": True})
    cleared = desk.turn("/goal clear", resume=begun.session)
    assert "clear" in cleared.out.casefold(), cleared
    turn = desk.turn(
        "Mend the links.",
        {"run": 'loopgraph loop start "just do it: mend the links" --max 1'},
        {"say": "Not yet.", "again": True},
        resume=begun.session,
    )
    assert "goes on until it ends" in turn.heard[1], turn
