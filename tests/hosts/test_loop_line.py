"""The `/loop` line of a handoff, pasted into the real terminal client by a person."""

from __future__ import annotations

import json
import os
import re
import sys

import pytest

from tests.hosts import model
from tests.hosts.conftest import CLAUDES

if sys.platform == "win32":
    pytest.skip("no pseudo-terminal of this kind on Windows", allow_module_level=True)

from tests.terminal.screen import ENTER, Terminal

GOAL = "Add rate limiting to the public API"
DONE = "This fire is done."
PASTE = "\x1b[200~{}\x1b[201~"


@pytest.mark.parametrize("role", ["executor", "supervisor"])
@pytest.mark.parametrize("desk", CLAUDES, indirect=True)
def test_a_pasted_line_registers_a_loop_that_the_node_finds_and_ends(desk, role):
    """The model does what the client's own text and then the node's file say, and no more."""
    desk.must("new", "deliver", GOAL, "--yes", "--host", "claude-code")
    (line,) = re.findall(rf"^/loop .*/{role}\.md.*$", desk.must("handoff"), re.MULTILINE)
    (run,) = desk.workspace.glob(".longgraph/2*")
    told = desk.read(f".longgraph/{run.name}/{role}.md")
    minutes = "10" if role == "executor" else "30"
    prompt = f"Execute the existing runtime node at .longgraph/{run.name}/{role}.md."
    other = "Look at the mail of .longgraph and answer it."
    # What the file says of the job's name, and of how the list cuts it.
    timer = told.partition("## Timer")[2]
    (name,) = set(re.findall(rf"`([^` ]+/{role}\.md)`", timer))
    (cut,) = re.findall(r"`([^`]+…)`", timer)
    steps = [
        # The newest client hands these tools out on demand.
        {"use": "ToolSearch", "with": {"query": "select:CronCreate,CronList,CronDelete"}},
        _create(minutes, rf"<<## Input\s+{minutes}m (.*)>>"),
        _create("5", other),
        {"run": f"sed -n '/^## Timer/,$p' .longgraph/{run.name}/{role}.md"},
        {"use": "CronList"},
        {"use": "CronDelete", "with": {"id": f"<<([0-9a-f]{{8}}) .*?: .*{re.escape(cut)}>>"}},
        {"use": "CronList"},
        {"say": DONE},
    ]
    options = ("--permission-mode", "acceptEdits", "--allowedTools", "Bash")
    command, traces = desk.case(options, steps, terminal=True)
    with Terminal(command, cwd=desk.workspace, environ=os.environ, columns=100, rows=40) as person:
        person.until("accept edits on")
        person.settle()
        person.press(PASTE.format(line))
        person.until("skill.")
        person.press(ENTER)
        person.until(DONE)
    log = [json.loads(one) for one in (traces / "log").read_text("utf-8").splitlines()]
    asked = [one for one in log if one["which"].isdigit()]
    results = [model.last_said(one["body"]) for one in asked]
    assert asked[1]["step"]["with"]["prompt"].startswith(prompt)
    assert name == f"{run.name}/{role}.md"
    assert name in asked[1]["step"]["with"]["prompt"]
    assert f"Every {minutes} minutes" in results[2]
    assert f"{prompt[:79]}…" in results[5]
    assert other in results[5]
    assert cut not in results[7]
    assert other in results[7]


def _create(minutes: str, prompt: str) -> dict[str, object]:
    asked = {"cron": f"*/{minutes} * * * *", "prompt": prompt, "recurring": True}
    return {"use": "CronCreate", "with": asked}
