"""`new` killed at every file event leaves either no run or a whole valid one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from loopgraph.check.run_rules import findings
from loopgraph.disk import runs
from tests.conftest import PROJECT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the driver forks")

DRIVER = Path(__file__).with_name("driver.py")
NEW = [
    "new",
    "converge",
    "--yes",
    "--host",
    "claude-code",
    "--created",
    "2026-01-02T03:04:05+00:00",
]


def environ(home):
    """No configuration and no host of this machine."""
    return {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(PROJECT)}


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """Every workspace that a killed `new` left behind, and the one of the run that got through."""
    base = tmp_path_factory.mktemp("killed")
    setup = base / "setup"
    setup.mkdir()
    (setup / "app.py").write_text("print('hello')\n")
    done = subprocess.run(
        [sys.executable, str(DRIVER), str(base), str(setup), *NEW],
        capture_output=True, text=True, check=True, cwd=PROJECT, env=environ(base),
    )  # fmt: skip
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[-1][1] == "0", done.stderr
    return [base / number for number, _ in lines]


def test_there_are_enough_events_to_mean_something(killed):
    assert len(killed) > 20


def test_no_kill_leaves_half_a_run(killed):
    for workspace in killed:
        for run in runs.all_runs(workspace):
            assert findings(runs.load(run)) == (), workspace.name


def test_some_kills_leave_no_run_and_the_last_leaves_one(killed):
    counts = [len(runs.all_runs(workspace)) for workspace in killed]
    assert counts[0] == 0
    assert counts[-1] == 1


def test_the_next_new_goes_through_and_takes_the_leftovers_away(killed):
    for workspace in killed[1:-1:4]:
        subprocess.run(
            [sys.executable, "-m", "loopgraph", *NEW, "--workspace", str(workspace)],
            check=True, capture_output=True, cwd=PROJECT, env=environ(workspace),
        )  # fmt: skip
        names = [entry.name for entry in (workspace / ".longgraph").iterdir()]
        assert not [name for name in names if name.startswith(".new-") or name.endswith(".new")]
