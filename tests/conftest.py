"""What several rooms of the tests need: a workspace, a command line, a spec."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings

PROJECT = Path(__file__).parents[1]
NOW = "2026-01-02T03:04:05+00:00"

# A busy machine is no bug: nothing here fails because it was slow.
_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("patient", _PATIENT)
settings.register_profile("fuzz", _PATIENT, max_examples=20_000, print_blob=True)
settings.load_profile("patient")


_RIGHTS = "-dac_override,-dac_read_search,-fowner"
_HUMBLE = ("setpriv", f"--inh-caps={_RIGHTS}", f"--bounding-set={_RIGHTS}")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an `unprivileged` test, where this is root, in a process that may not write anywhere."""
    if not pyfuncitem.get_closest_marker("unprivileged") or "LOOPGRAPH_HUMBLE" in os.environ:
        return None
    if not hasattr(os, "geteuid"):
        pytest.skip("the rights of a folder are another matter here")
    if os.geteuid() != 0:
        return None
    if subprocess.run([*_HUMBLE, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this is root, and its rights cannot be laid down")
    done = subprocess.run(
        [*_HUMBLE, sys.executable, "-m", "pytest", "-p", "no:cacheprovider", pyfuncitem.nodeid],
        cwd=PROJECT, env={**os.environ, "LOOPGRAPH_HUMBLE": "1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return True


class Result(NamedTuple):
    """What one real process of the program did."""

    code: int
    out: str
    err: str


class Cli:
    """The program as a user has it: a process of its own, a HOME of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def environ(self, extra: Mapping[str, str]) -> dict[str, str]:
        """Nothing of this machine's user gets in: no HOME, no git configuration, no host."""
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        return {**kept, "HOME": str(self.home), "PYTHONPATH": str(PROJECT), **extra}

    def __call__(self, *arguments: str, cwd: Path, stdin: str = "", **extra: str) -> Result:
        """Run `loopgraph` with these arguments in that folder."""
        done = subprocess.run(
            [sys.executable, "-m", "loopgraph", *arguments],
            cwd=cwd, env=self.environ(extra), input=stdin,
            capture_output=True, text=True, encoding="utf-8", check=False, timeout=120,
        )  # fmt: skip
        assert "Traceback" not in done.stderr, done.stderr
        return Result(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def cli(tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """A command line with an empty HOME."""
    return Cli(tmp_path_factory.mktemp("home"))


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder with a fixed identity, moment and no configuration of the machine."""
    done = subprocess.run(
        ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.invalid", *arguments],
        cwd=folder,
        env={
            "PATH": os.environ["PATH"], "HOME": str(folder),
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_AUTHOR_DATE": NOW, "GIT_COMMITTER_DATE": NOW,
        },
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The example repository, committed, at a path with a blank, a quote and CJK letters."""
    return committed(tmp_path / "it's a 仓库" / "orders")


def committed(target: Path, source: Path = PROJECT / "examples/repo") -> Path:
    """Copy a source tree and commit it."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
    git(target, "init", "-q", "-b", "main")
    git(target, "add", "-A")
    git(target, "commit", "-q", "-m", "start")
    return target


Maker = Callable[..., Path]


@pytest.fixture
def make(cli: Cli, repository: Path) -> Maker:
    """Make a run in the example repository: `make("deliver", "goal", "--host", "codex")`."""

    def made(*arguments: str) -> Path:
        before = {entry.name for entry in repository.glob(".longgraph/*-*")}
        done = cli("new", *arguments, "--yes", "--created", NOW, cwd=repository)
        assert done.code == 0, done.err
        (new,) = {entry.name for entry in repository.glob(".longgraph/*-*")} - before
        return repository / ".longgraph" / new

    return made
