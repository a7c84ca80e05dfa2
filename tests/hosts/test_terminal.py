"""The clients as a person has them: in a terminal, prompts pasted, answers read from the screen."""

from __future__ import annotations

import re

import pytest

from tests.hosts.conftest import ALL, CLAUDES
from tests.hosts.person import eventually, prompts, ready, sits

GOAL = "Add rate limiting to the public API"
PROMPT = "Go on until the promise is true."
DONE = "This fire is done."


@pytest.mark.parametrize("desk", ALL, indirect=True)
def test_a_person_sees_why_a_session_goes_on_and_how_it_ends(desk):
    steps = (
        {"run": f'loopgraph loop init job --prompt "{PROMPT}"'},
        {"say": "I stop here."},
        {"say": "It is true.\n<promise>DONE</promise>"},
    )
    with sits(desk, *steps) as person:
        ready(person, desk)
        prompts(person, "Do all of it.")
        person.until("It is true.")
        shown = person.screen.whole()
        eventually(lambda: "go promise" in desk.log(), person)
    why = shown.index("How to work on this")
    assert shown.index("I stop here.") < why < shown.index("It is true.")
    assert PROMPT in shown[:why]
    turn = desk.last()
    assert (turn.whole, len(turn.reasons), desk.log()) == (True, 1, ["block", "go promise"]), turn


@pytest.mark.parametrize("desk", ["codex"], indirect=True)
def test_a_session_that_was_compacted_at_the_terminal_keeps_its_loop(desk):
    steps = (
        {"run": f'loopgraph loop init job --prompt "{PROMPT}"'},
        {"say": "<loopgraph-blocked>\nThe network is down."},
        {"say": "I stop here."},
        {"say": "It is true.\n<promise>DONE</promise>"},
    )
    with sits(desk, *steps) as person:
        ready(person, desk)
        prompts(person, "Do all of it.")
        eventually(lambda: desk.log() == ["go blocked"], person)
        prompts(person, "/compact")
        eventually(lambda: desk.last().compacted, person)
        prompts(person, "It is up again.")
        eventually(lambda: desk.log()[-1] == "go promise", person)
    turn = desk.last()
    assert (turn.overrun, desk.log()) == (0, ["go blocked", "block", "go promise"]), turn
    assert [reason[: len(PROMPT)] for reason in turn.reasons] == [PROMPT]
    assert len({one["session"] for one in desk.decisions()}) == 1


@pytest.mark.parametrize("role", ["executor", "supervisor"])
@pytest.mark.parametrize("desk", CLAUDES, indirect=True)
def test_a_pasted_line_registers_a_loop_that_the_node_finds_and_ends(desk, role):
    """The model does what the client's own text and then the node's file say, and no more."""
    desk.must("new", "deliver", GOAL, "--yes", "--host", "claude-code")
    (line,) = re.findall(rf"^/loop .*/{role}\.md.*$", desk.must("handoff"), re.MULTILINE)
    (run,) = desk.workspace.glob(".longgraph/2*")
    minutes = "10" if role == "executor" else "30"
    prompt = f"Execute the existing runtime node at .longgraph/{run.name}/{role}.md."
    other = "Look at the mail of .longgraph and answer it."
    # What the file says of the job's name, and of how the list cuts it.
    timer = desk.read(f".longgraph/{run.name}/{role}.md").partition("## Timer")[2]
    (name,) = set(re.findall(rf"`([^` ]+/{role}\.md)`", timer))
    (cut,) = re.findall(r"`([^`]+…)`", timer)
    steps = (
        # The newest client hands these tools out on demand.
        {"use": "ToolSearch", "with": {"query": "select:CronCreate,CronList,CronDelete"}},
        _create(minutes, rf"<<## Input\s+{minutes}m (.*)>>"),
        _create("5", other),
        {"run": f"sed -n '/^## Timer/,$p' .longgraph/{run.name}/{role}.md"},
        {"use": "CronList"},
        {"use": "CronDelete", "with": {"id": f"<<([0-9a-f]{{8}}) .*?: .*{re.escape(cut)}>>"}},
        {"use": "CronList"},
        {"say": DONE},
    )
    with sits(desk, *steps) as person:
        ready(person, desk)
        prompts(person, line)
        person.until(DONE)
    turn = desk.last()
    assert turn.overrun == 0, turn
    registered = turn.asked[1]["step"]["with"]["prompt"]
    assert registered.startswith(prompt)
    assert name == f"{run.name}/{role}.md"
    assert name in registered
    assert f"Every {minutes} minutes" in turn.heard[2]
    assert f"{prompt[:79]}…" in turn.heard[5]
    assert other in turn.heard[5]
    assert prompt[:48] not in turn.heard[7]  # it is gone, and by what the file said of it
    assert other in turn.heard[7]


@pytest.mark.parametrize("desk", ["claude"], indirect=True)
def test_the_clients_timer_brings_a_node_back_and_the_hook_holds_its_new_fire(desk):
    """A minute is the shortest interval; the client adds up to half of it."""
    desk.must("new", "deliver", GOAL, "--yes", "--host", "claude-code", "--set", "EXEC_INTERVAL=1m")
    (line,) = re.findall(r"^/loop 1m .*/executor\.md.*$", desk.must("handoff"), re.MULTILINE)
    (run,) = desk.workspace.glob(".longgraph/2*")
    block = {"run": 'loopgraph block --reason "the network is down" --until "it answers"'}
    steps = (
        {"use": "ToolSearch", "with": {"query": "select:CronCreate"}},
        _create("1", r"<<## Input\s+1m (.*)>>"),
        {"run": f"loopgraph bind {run.name} --as executor"},
        block,
        {"say": "The first fire waits for the network."},
        {"run": "loopgraph next --as executor"},
        {"say": "The second fire stops early."},
        block,
        {"say": DONE},
    )
    with sits(desk, *steps) as person:
        ready(person, desk)
        prompts(person, line)
        eventually(lambda: desk.log()[:3] == ["go blocked", "block", "go blocked"], person, 200)
    turn = desk.last()
    assert line.removeprefix("/loop 1m ") in turn.heard[5], turn
    assert "/loop" not in turn.heard[5]
    assert f"The run {run.name} is active" in turn.reasons[0]


def _create(minutes: str, prompt: str) -> dict[str, object]:
    asked = {"cron": f"*/{minutes} * * * *", "prompt": prompt, "recurring": True}
    return {"use": "CronCreate", "with": asked}
