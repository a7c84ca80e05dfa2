"""A round killed at every file event in a repository: git is whole, and the next round measures."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from loopgraph.check.run_rules import findings
from loopgraph.disk import runs, snapshots
from tests.conftest import PROJECT, git
from tests.crash.test_keeping import DRIVER, NOW, environ
from tests.forty_rounds import forked

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the driver forks")

RECORD = ("round", "record", "--result", "ok", "--next", "more", "--as", "executor")
START = ("round", "start", "--as", "executor")
RESTORE = ("restore", "R1.start", "--as", "owner", "--", "app.py")


@pytest.fixture(scope="module")
def setup(tmp_path_factory):
    """A repository with a run, a round under way, and work in it that is not recorded yet."""
    base = tmp_path_factory.mktemp("snapshots")
    workspace, home = base / "setup", base / "home"
    workspace.mkdir()
    home.mkdir()
    git(workspace, "init", "-q", "-b", "main")
    (workspace / "app.py").write_text("print('hello')\n")
    git(workspace, "add", "-A")
    git(workspace, "commit", "-q", "-m", "start")
    say = forked(workspace, home)
    for words in (("new", "deliver", "go", "--yes", "--host", "shell"), START):
        said = say(*words, now=NOW)
        assert said.code == 0, said
    (workspace / "app.py").write_text("print('hello')\nprint('again')\n")
    return base


@pytest.mark.parametrize("command", [RECORD, RESTORE], ids=["round record", "restore"])
def test_each_kill_leaves_git_whole_and_the_next_round_measured(setup, command):
    base = setup / command[0]
    base.mkdir()
    done = subprocess.run(
        [sys.executable, str(DRIVER), str(base), str(setup / "setup"), *command],
        capture_output=True, text=True, check=True, cwd=PROJECT, env=environ(setup / "home"),
    )  # fmt: skip
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[-1][1] == "0", (lines[-1], done.stderr)
    assert len(lines) > 10
    for number, _ in lines if command is RECORD else lines[::-3]:
        holds(base / number, forked(base / number, setup / "home"))


def holds(workspace: Path, say: Any) -> None:
    (run,) = runs.all_runs(workspace)
    app = (workspace / "app.py").read_text()
    assert app in ("print('hello')\n", "print('hello')\nprint('again')\n")
    assert not list(workspace.glob("*.draft"))
    errors = [one for one in findings(runs.load(run)) if one.level == "error"]
    assert errors == [], workspace.name
    ledger: Any = runs.load(run).ledger()
    if ledger.round == 0:
        said = say(*RECORD, now=NOW)
        assert said.code == 0, said
    said = say(*START, now=NOW)  # gives the snapshot its name, if a kill came before
    assert said.code == 0, said
    ledger = runs.load(run).ledger()
    last = next(one for one in ledger.rounds if one.number == 1)
    assert last.net == ((1, 0) if "again" in app else (0, 0)), workspace.name
    names = [one.name for one in snapshots.listed(workspace, run, {"PATH": os.environ["PATH"]})]
    assert {"R1.start", "R1", "R2.start"} <= set(names), workspace.name
    git(workspace, "fsck", "--strict", "--no-dangling")
    assert git(workspace, "diff", "--cached", "--name-only") == ""


def test_two_at_once_measure_one_after_the_other(tmp_path):
    base = tmp_path / "work"
    base.mkdir()
    git(base, "init", "-q", "-b", "main")
    (base / "app.py").write_text("x\n")
    git(base, "add", "-A")
    git(base, "commit", "-q", "-m", "start")
    home = tmp_path / "home"
    home.mkdir()
    say = forked(base, home)
    for name in ("one", "two"):
        words = ("new", "deliver", name, "--yes", "--host", "shell", "--slug", name)
        assert say(*words, now=NOW).code == 0
    found = runs.all_runs(base)
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "loopgraph", *START, "--run", run.name],
            cwd=base, env=environ(home), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for run in found
    ]  # fmt: skip
    for process in started:
        _, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, "")
    for run in found:
        names = [one.name for one in snapshots.listed(base, run, {"PATH": os.environ["PATH"]})]
        assert names == ["R1.start"]
