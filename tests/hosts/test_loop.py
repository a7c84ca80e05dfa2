"""A loop in the real clients: the same prompt again, until the promise is said."""

from __future__ import annotations

import pytest

from tests.hosts.conftest import ALL

PROMPT = "Mend every broken link of the docs, and say so only when all of them answer."


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_a_promise_ends_a_loop_that_was_sent_back_twice(desk):
    turn = desk.turn(
        "Mend the links.",
        {"run": f'loopgraph loop init links --prompt "{PROMPT}"'},
        {"say": "I have looked at the first page."},
        {"say": "The promise `<promise>DONE</promise>` is not yet due."},
        {"say": "Every link answers.\n<promise>DONE</promise>"},
    )
    assert turn.whole, turn
    assert turn.answer.startswith("Every link answers.")
    assert len(turn.reasons) == 2
    assert all(reason.startswith(PROMPT) for reason in turn.reasons), turn
    assert desk.log() == ["block", "block", "go promise"]
    assert not list(desk.workspace.glob(".longgraph/loops/links.md"))


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_a_loop_ends_at_its_number(desk):
    turn = desk.turn(
        "Mend the links.",
        {"run": f'loopgraph loop init links --max 3 --prompt "{PROMPT}"'},
        {"say": "Not yet.", "again": True},
    )
    assert (turn.whole, len(turn.reasons), len(turn.asked)) == (True, 2, 4), turn
    assert turn.answer == "Not yet."
    assert desk.log() == ["block", "block", "go iterations"]
    assert not list(desk.workspace.glob(".longgraph/loops/links.md"))


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_an_error_of_the_service_ends_the_turn_and_the_loop_stays(desk):
    turn = desk.turn(
        "Mend the links.",
        {"run": f'loopgraph loop init links --prompt "{PROMPT}"'},
        {"say": "Not yet."},
        {"refuse": 400, "again": True},
    )
    assert turn.code == 1, turn
    assert len(set(turn.reasons)) == 1  # each try of the client says it again
    assert "iteration: 2" in desk.read(".longgraph/loops/links.md")
