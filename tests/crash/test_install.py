"""Installing and uninstalling killed at every file event: no file is half."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import NOW, PROJECT
from tests.crash import driver
from tests.forty_rounds import forked

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the driver forks")

DRIVER = Path(__file__).with_name("driver.py")
SETTINGS = Path("work/.claude/settings.local.json")
BEFORE = {
    "a file of theirs": b'{ "a":1,\r\n"hooks" : {"Stop":[ {"hooks":[]} ]}}',
    "no file": None,
}
WHERE = ("--workspace", "work")


def environ(home):
    # A relative state folder lies in each copy, so that its events count as well.
    return {
        "PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(PROJECT),
        "LOOPGRAPH_STATE": "state",
    }  # fmt: skip


def ask(folder, home, *arguments):
    say = forked(folder, home)
    said = say(*arguments, *WHERE, "--json", now=NOW, LOOPGRAPH_STATE="state")
    assert said.code == 0, said


def theirs(folder):
    """Everything but our own state."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted((folder / "work").rglob("*"))
    }


def killed(base, setup, home, *arguments):
    """Every folder that the killed command left; the last one is where it got through."""
    base.mkdir()
    done = subprocess.run(
        [sys.executable, str(DRIVER), str(base), str(setup), *arguments, *WHERE],
        capture_output=True, text=True, check=True, cwd=PROJECT, env=environ(home),
    )  # fmt: skip
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[-1][1] == "0", (lines[-1], done.stderr)
    assert len(lines) > 8
    return [base / number for number, _ in lines]


@pytest.fixture(params=list(BEFORE.values()), ids=list(BEFORE))
def setup(request, tmp_path):
    """A workspace before anything was installed."""
    folder = tmp_path / "setup"
    (folder / "work/.git").mkdir(parents=True)
    if request.param is not None:
        (folder / SETTINGS).parent.mkdir()
        (folder / SETTINGS).write_bytes(request.param)
    (tmp_path / "home").mkdir()
    return folder


def test_a_killed_install_leaves_the_file_from_before_or_the_new_one(setup, tmp_path):
    home = tmp_path / "home"
    before = theirs(setup)
    for folder in killed(tmp_path / "in", setup, home, "install", "claude-code"):
        old = before.get(SETTINGS.as_posix())
        data = (folder / SETTINGS).read_bytes() if (folder / SETTINGS).exists() else None
        assert data == old or b"hook stop" in (data or b""), folder.name
        # Every other one is installed anew first; between the two cases each event gets both ways.
        if (int(folder.name) + (old is None)) % 2:
            ask(folder, home, "install", "claude-code")
            assert (folder / SETTINGS).read_bytes().count(b"hook stop") == 1
        ask(folder, home, "uninstall", "claude-code")
        assert theirs(folder) == before, folder.name
        assert [path.name for path in (folder / "state").glob("originals/*")] == [], folder.name


def test_a_killed_uninstall_is_finished_by_the_next_one(setup, tmp_path, monkeypatch):
    home, ready, place = (tmp_path / name for name in ("home", "ready", "place"))
    before = theirs(setup)
    # The record names the file by its path, so each run happens at the same one.
    shutil.copytree(setup, place)
    ask(place, home, "install", "claude-code")
    shutil.copytree(place, ready)
    for name, value in environ(home).items():
        monkeypatch.setenv(name, value)
    number, how = 0, "killed"
    while how == "killed":
        number += 1
        shutil.rmtree(place)
        shutil.copytree(ready, place)
        how = driver.run(str(place), ["uninstall", "claude-code", *WHERE], number)
        ask(place, home, "uninstall", "claude-code")
        assert theirs(place) == before, number
    assert how == "0"
    assert number > 8
