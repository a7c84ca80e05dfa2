"""A command of a run killed at every file event: each entry is there, and the next one heals."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from loopgraph.check.run_rules import findings
from loopgraph.disk import runs
from tests.conftest import PROJECT
from tests.forty_rounds import forked

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the driver forks")

DRIVER = Path(__file__).with_name("driver.py")
NOW = "2026-01-02T03:04:05+00:00"
RECORD = (
    "round",
    "record",
    "--item",
    "the sixth",
    "--changed",
    "a.py",
    "--net",
    "+0/-3",
    "--result",
    "ok",
    "--next",
    "the seventh",
    "--converge",
    "--as",
    "executor",
)
ADD = ("directive", "add", "plan", "--action", "go on", "--verify", "look", "--as", "supervisor")
COMMANDS = {
    "round record with rotation": RECORD,
    "directive rotate": ("directive", "rotate", "--as", "supervisor"),
    "directive add with rotation": ADD,
    "gap close": ("gap", "close", "GAP-002", "--evidence", "seen", "--as", "executor"),
    "gap merge": ("gap", "merge", "GAP-002", "--into", "GAP-001", "--as", "executor"),
    "gap add": (
        "gap",
        "add",
        "new",
        "--priority",
        "P2",
        "--write-set",
        "x",
        "--verify",
        "y",
        "--as",
        "executor",
    ),
    "owner answer": ("owner", "answer", "OB-001", "A", "--as", "owner"),
    "standing replace": ("standing", "replace", "S-001", "all", "--as", "owner"),
    "gate run": (
        "gate",
        "run",
        "--result",
        "M-1.1=pass",
        "--evidence",
        "seen",
        "--as",
        "supervisor",
    ),
}


def environ(home):
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "PYTHONPATH": str(PROJECT),
        "LOOPGRAPH_NOW": NOW,
    }


@pytest.fixture(scope="module")
def setup(tmp_path_factory):
    """A workspace whose run has five rounds, folded directives, debt rows and a card."""
    base = tmp_path_factory.mktemp("keeping")
    workspace, home = base / "setup", base / "home"
    workspace.mkdir()
    home.mkdir()
    (workspace / "app.py").write_text("print('hello')\n")
    say = forked(workspace, home)

    def do(*arguments):
        said = say(*arguments, now=NOW)
        assert said.code == 0, said

    do("new", "deliver", "Add | a 限制 `limit`", "--yes", "--host", "shell")
    for number in range(1, 6):
        do(
            "round",
            "record",
            "--item",
            f"slice {number}",
            "--changed",
            "a.py",
            "--net",
            "+1/-0",
            "--result",
            "ok",
            "--next",
            f"slice {number + 1}",
            "--as",
            "executor",
        )
    for number in (1, 2):
        do(*COMMANDS["gap add"])
        do(*ADD)
        do("directive", "fold", f"D-00{number}", "--effect", "done", "--as", "executor")
        if number == 1:
            do(
                "owner",
                "ask",
                "May we?",
                "--why",
                "now",
                "--option",
                "no",
                "--option",
                "yes",
                "--as",
                "executor",
            )
    do(*ADD)
    return base


def run_of(workspace):
    (run,) = runs.all_runs(workspace)
    return run


def entries(run):
    found: Any = runs.load(run)
    ledger, queue = found.ledger(), found.directives()
    lines = found.files["ledger.md"].splitlines()
    live = [lines[one.line - 1] for one in (*ledger.rounds, *ledger.gaps, *ledger.cards)]
    lines = found.files["directives.md"].splitlines()
    live += [lines[one.line - 1] for one in (*queue.standing, *queue.cards)]
    return live + ["\n".join(lines[one.line - 1 : one.end]) for one in queue.corrections]


def everything(run):
    places = [*run.glob("*.md"), *run.glob("archive/*.md")]
    return "".join(place.read_text("utf-8") for place in places)


@pytest.fixture(scope="module", params=COMMANDS)
def killed(request, setup):
    """Every workspace that the killed command left, and the one where it got through."""
    base = setup / request.param.replace(" ", "-")
    base.mkdir()
    done = subprocess.run(
        [sys.executable, str(DRIVER), str(base), str(setup / "setup"), *COMMANDS[request.param]],
        capture_output=True,
        text=True,
        check=True,
        cwd=PROJECT,
        env=environ(setup / "home"),
    )
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[-1][1] == "0", (lines[-1], done.stderr)
    return [base / number for number, _ in lines]


def test_each_kill_leaves_every_entry_and_files_that_parse(setup, killed):
    before = entries(run_of(setup / "setup"))
    assert len(before) > 12
    assert len(killed) > 4
    for workspace in killed:
        run = run_of(workspace)
        text = everything(run)
        assert not [entry for entry in before if entry not in text], workspace.name
        errors = [one for one in findings(runs.load(run)) if one.level == "error"]
        assert errors == [], workspace.name


def test_the_next_command_heals(setup, killed):
    before = entries(run_of(setup / "setup"))
    for workspace in killed:
        say = forked(workspace, setup / "home")
        said = say("ops", "set", "A trap", "none", "--as", "executor", now=NOW)
        assert said.code == 0, said
        run = run_of(workspace)
        left = [place.name for place in run.rglob(".*") if place.name != ".lock"]
        assert left == [], workspace.name
        assert findings(runs.load(run)) == (), workspace.name
        text = everything(run)
        live = "".join(path.read_text("utf-8") for path in run.glob("*.md"))
        for entry in before:
            assert text.count(entry) >= 1
            archived = text.replace(live, "").count(entry)
            assert not (entry in live and archived), (workspace.name, entry)
        acts = (run / "evidence/acts.jsonl").read_text("utf-8").splitlines()
        assert [json.loads(line)["command"] for line in acts]
