"""The scripted model says the same to the same questions; a skip of clients is no success."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.hosts.model import Json, Model

TOOLS = {"tools": [{"name": "Bash"}, {"name": "exec_command"}]}
ASKED: dict[str, Json] = {
    "/v1/messages": {"messages": [{"role": "user", "content": "Begin."}], **TOOLS},
    "/v1/responses": {"input": [{"role": "user", "content": "Begin."}], **TOOLS},
}
STEPS: list[Json] = [
    {"say": "I look.", "run": "echo job 7f"},
    {"use": "CronDelete", "with": {"id": "<<job (..)>>"}},
    {"say": "Once more.", "again": True},
]


@pytest.mark.parametrize("path", ASKED)
@pytest.mark.parametrize("stream", [True, False])
def test_the_same_questions_get_the_same_bytes(tmp_path, path, stream):
    talks = [conversation(tmp_path / name, path, stream=stream) for name in ("one", "two")]
    assert talks[0] == talks[1]
    assert len(set(talks[0])) == 4


@pytest.mark.parametrize("path", ASKED)
def test_a_script_reads_what_was_said_and_its_last_step_may_stay(tmp_path, path):
    look, delete, once, again = conversation(tmp_path / "log", path, stream=False)
    assert b"I look." in look
    assert b"echo job 7f" in look
    assert json.loads(delete).keys() == json.loads(look).keys()
    assert b"7f" in delete
    assert b"Once more." in once
    assert b"Once more." in again
    lines = [json.loads(line) for line in (tmp_path / "log").read_text("utf-8").splitlines()]
    assert [line["which"] for line in lines] == ["0", "1", "2", "2"]


def conversation(log: Path, path: str, *, stream: bool) -> list[bytes]:
    """Four questions in a row, each a little longer."""
    body = {**ASKED[path], "stream": stream}
    answers = []
    with Model(STEPS, log) as model:
        for number in range(4):
            said = {"role": "user", "content": f"job 7f, question {number}"}
            key = "messages" if "messages" in body else "input"
            body = {**body, key: [*body[key], said]}
            url = f"http://127.0.0.1:{model.port}{path}"
            asked = urllib.request.Request(url, json.dumps(body).encode())
            with urllib.request.urlopen(asked, timeout=30) as answer:
                answers.append(answer.read())
    return answers


SKIPPER = """
import pytest

def pytest_collection_modifyitems(items):
    for item in items:
        item.add_marker(pytest.mark.skip(reason="it is raining"))
"""


@pytest.mark.parametrize(("why", "code"), [("", 1), (" ", 1), ("no network here", 0)])
def test_a_skip_of_the_clients_fails_unless_somebody_says_why(tmp_path, why, code):
    (tmp_path / "skipper.py").write_text(SKIPPER, "utf-8")
    command = ("-m", "pytest", "-p", "skipper", "-p", "no:cacheprovider", "-m", "clients", "-rs")
    environ = {**os.environ, "PYTHONPATH": str(tmp_path), "LOOPGRAPH_NO_CLIENTS": why}
    done = subprocess.run(
        [sys.executable, *command, "tests/hosts/test_loop.py"], cwd=PROJECT, env=environ,
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    assert "skipped" in done.stdout
    assert ("LOOPGRAPH_NO_CLIENTS says no reason" in done.stdout) == (not why.strip())
    assert (f"LOOPGRAPH_NO_CLIENTS: {why}" in done.stdout) == bool(why.strip())
