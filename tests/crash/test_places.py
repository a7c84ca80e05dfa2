"""Commands of loops, plans and bindings killed at every file event: no file is half."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from loopgraph.edges import loops as edge
from tests.conftest import NOW, PROJECT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the driver forks")

DRIVER = Path(__file__).with_name("driver.py")
ANN = {"CLAUDE_CODE_SESSION_ID": "ann-1", "CLAUDECODE": "1"}
PLAN = "## TODOs\n- [x] 1. one\n"

COMMANDS = {
    "init": ["loop", "init", "next", "--prompt", "Next.", "--session", "bob-2"],
    "bind": ["loop", "bind", "free", "--session", "bob-2"],
    "sync": ["loop", "sync"],
    "cancel": ["loop", "cancel", "fix"],
    "done": ["loop", "done", "fix", "--anyway"],
    "start": ["plan", "start", "p.md", "--session", "bob-2"],
    "block": ["block", "--reason", "x", "--until", "y", "--session", "ann-1"],
}


def environ(home, **extra):
    return {
        "PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(PROJECT),
        "LOOPGRAPH_NOW": NOW, **extra,
    }  # fmt: skip


def ran(workspace, *arguments, **extra):
    done = subprocess.run(
        [sys.executable, "-m", "loopgraph", *arguments],
        cwd=workspace, env=environ(workspace.parent, **extra),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture(scope="module")
def setup(tmp_path_factory):
    """A workspace with a bound loop, a free one, its copy, a plan and a state."""
    work = tmp_path_factory.mktemp("places") / "setup"
    (work / ".git").mkdir(parents=True)
    for name in ("p.md", "q.md"):
        (work / name).write_text(PLAN)
    ran(work, "loop", "init", "fix", "--prompt", "Fix.", **ANN)
    ran(work, "loop", "init", "free", "--prompt", "Free.")
    ran(work, "loop", "sync")
    ran(work, "plan", "start", "q.md", "--session", "carol-3")
    copy = work / ".omx/ralph-loop.local.md"
    copy.write_text(copy.read_text("utf-8") + "older\n", encoding="utf-8")
    return work


def whole(workspace):
    """Every file that a reader may meet says something whole."""
    for path in workspace.rglob(".longgraph/**/*.json"):
        if not path.name.startswith("."):
            json.loads(path.read_text("utf-8"))
    for path in (*workspace.glob(".longgraph/loops/*.md"), *workspace.glob(".omx/*.md")):
        if not path.name.startswith("."):
            assert not edge.read("", "", path.read_text("utf-8")).problem, path


def living(workspace):
    """What counts: every loop, ours or a copy, and the record of plans."""
    return {
        path.relative_to(workspace).as_posix(): path.read_text("utf-8")
        for pattern in (".longgraph/loops/*.md", ".omx/*.md", ".longgraph/plans.json")
        for path in workspace.glob(pattern)
        if not path.name.startswith(".")
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_no_kill_leaves_half_a_file_and_the_same_command_gets_through_then(tmp_path, setup, name):
    done = subprocess.run(
        [sys.executable, str(DRIVER), str(tmp_path), str(setup), *COMMANDS[name]],
        capture_output=True, text=True, check=True, cwd=PROJECT, env=environ(tmp_path),
    )  # fmt: skip
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[-1][1] == "0", done.stderr
    assert len(lines) > 3
    finished = living(tmp_path / lines[-1][0])
    for number, _ in lines:
        workspace = tmp_path / number
        whole(workspace)
        # Where it was done but for the index, the second time it is refused.
        ran(workspace, *COMMANDS[name])
        whole(workspace)
        assert living(workspace) == finished, number
