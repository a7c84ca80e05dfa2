"""dev.py: what a fresh machine starts with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def dev(*arguments, **environ):
    return subprocess.run(
        [sys.executable, ROOT / "dev.py", *arguments],
        env={**os.environ, **environ}, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


def git(repository, *command):
    done = subprocess.run(["git", *command], cwd=repository, capture_output=True, check=True)
    return done.stdout


def test_the_example_repository_is_the_same_commit_everywhere(tmp_path):
    settings = tmp_path / "settings"
    settings.write_text("[user]\nname = Somebody\n[commit]\ngpgsign = true\n")
    assert dev("repo", tmp_path / "one").returncode == 0
    assert dev("repo", tmp_path / "two", GIT_CONFIG_GLOBAL=str(settings)).returncode == 0
    one, two = (git(tmp_path / name, "rev-parse", "HEAD") for name in ("one", "two"))
    assert one == two


def test_the_example_repository_passes_its_own_tests_and_stays_clean(tmp_path):
    dev("repo", tmp_path / "repo")
    done = subprocess.run(
        [sys.executable, "-m", "pytest"],
        cwd=tmp_path / "repo", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert git(tmp_path / "repo", "status", "--porcelain") == b""


def test_without_git_it_says_so_in_one_line(tmp_path):
    done = dev("example", PATH=str(tmp_path))
    assert (done.returncode, done.stderr) == (1, "dev.py: git is needed and is not on PATH\n")


def test_an_unknown_command_shows_the_usage():
    done = dev("tset")
    assert done.returncode == 2
    assert "python3 dev.py test" in done.stderr
