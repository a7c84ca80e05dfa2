"""Every check, by name: `nox` runs what CI runs, `nox -s NAME` one of them, `nox -l` lists all."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import nox

nox.needs_version = ">=2024.10"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.reuse_venv = "yes"

NEW = ("new", "deliver", "Add rate limiting to the public API", "--yes", "--host=claude-code")
PINNED = {"LOOPGRAPH_NOW": "2026-01-02T03:04:05+00:00", "PYTHONUTF8": "1"}


@nox.session
def lint(session: nox.Session) -> None:
    """Style and format, by ruff."""
    session.install("--group=laws")
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")


@nox.session
def types(session: nox.Session) -> None:
    """Types, by mypy, strict: the package, its tests and the scripts around them."""
    session.install("-e.", "--group=lint", "--group=mutants", "nox")
    session.run("mypy")
    session.run("mypy", "dev.py", "noxfile.py", "docs/generate.py")
    session.run("mypy", "docs/messages.py", "docs/transcripts.py", "docs/discovery/compare.py")
    session.run("mypy", "examples/make.py", env={"MYPYPATH": "examples"})
    scripts = ("benchmarks/run.py", "benchmarks/discover.py")
    session.run("mypy", *scripts, env={"MYPYPATH": "benchmarks"})


@nox.session
def imports(session: nox.Session) -> None:
    """The layers that ARCHITECTURE.md promises."""
    session.install("--group=laws")
    session.run("lint-imports", "--no-logo")


@nox.session
def docs(session: nox.Session) -> None:
    """The pages that are made from tables are in step with them."""
    session.install("-e.")
    session.run("python", "docs/generate.py", "--check")
    session.run("python", "docs/messages.py", "--check")


@nox.session
def examples(session: nox.Session) -> None:
    """Each run in examples/ compiles to itself, and check finds nothing in it."""
    session.install("-e.")
    runs = sorted(record.parent for record in Path("examples").rglob("run.yaml"))
    if not runs:
        session.error("examples/ holds no run")
    for run in runs:
        session.run("loopgraph", "compile", str(run), "--check")
        session.run("loopgraph", "check", str(run))


@nox.session
def wheel(session: nox.Session) -> None:
    """A wheel in an environment of its own, far from here, writes what the checkout writes."""
    session.install("-e.", *nox.project.load_toml()["build-system"]["requires"])
    away = Path(tempfile.mkdtemp(prefix="loopgraph-wheel-"))
    session.run("hatchling", "build", "--target", "wheel", "--directory", str(away))
    session.run("python", "-m", "venv", str(away / "venv"))
    installed = away / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    (built,) = away.glob("*.whl")
    session.run(str(installed), "-m", "pip", "install", "--quiet", str(built), external=True)

    written = {}
    for name, python in (("checkout", "python"), ("wheel", str(installed))):
        repository = away / name / "bookshelf"
        session.run("python", "dev.py", "repo", str(repository))
        with session.chdir(repository):
            loopgraph = (python, "-P", "-m", "loopgraph")
            session.run(*loopgraph, *NEW, env=PINNED, external=True, silent=True)
            (run,) = (repository / ".longgraph").glob("2026-*")
            session.run(*loopgraph, "check", str(run), external=True)
        files = (path for path in (repository / ".longgraph").rglob("*") if path.is_file())
        written[name] = {str(path.relative_to(repository)): path.read_bytes() for path in files}
    if written["checkout"] != written["wheel"]:
        session.error(f"the wheel and the checkout write different files: compare them in {away}")
    shutil.rmtree(away)


@nox.session
def tests(session: nox.Session) -> None:
    """The test suite; arguments after `--` go to pytest."""
    session.install("-e.", "--group=test")
    session.run("python", "-m", "pytest", *session.posargs)


@nox.session
def hosts(session: nox.Session) -> None:
    """The hook, the handoff and the skill in the real clients, offline; `--` as for tests."""
    session.install("-e.", "--group=hosts")
    some = session.posargs or ("-n", "2")
    session.run("python", "-m", "pytest", "-m", "clients", "tests/hosts", *some)
    if not os.environ.get("LOOPGRAPH_NO_CLIENTS") and not session.posargs:
        session.run("python", "-m", "tests.hosts.timing", "3")


@nox.session(default=False)
def bench(session: nox.Session) -> None:
    """Measure beside the peers and write docs/benchmarks.md; takes some minutes."""
    session.install("-e.", "--group=bench")
    session.run("python", "benchmarks/run.py", *session.posargs)


@nox.session(default=False)
def fuzz(session: nox.Session) -> None:
    """The property tests with a hundred times as many examples."""
    session.install("-e.", "--group=test")
    session.run("python", "-m", "pytest", "--hypothesis-profile=fuzz", *session.posargs)


@nox.session(default=False)
def mutants(session: nox.Session) -> None:
    """Small faults in the deciding half, and in each clause of the Stop hook: a test must notice.

    Arguments after `--` go to tests/mutation.py: `-- node --seed 7`, `-- --write`.
    """
    session.install("-e.", "--group=mutants")
    if not session.posargs:
        session.run("python", "-m", "tests.hook.mutants")
    session.run("python", "-m", "tests.mutation", *session.posargs)


@nox.session(default=False, name="imports-time")
def imports_time(session: nox.Session) -> None:
    """What each import costs a command; arguments after `--` are the command."""
    session.install("-e.")
    command = session.posargs or ["--version"]
    session.run("python", "-X", "importtime", "-m", "loopgraph", *command)


@nox.session(default=False, venv_backend="none")
def dev(session: nox.Session) -> None:
    """Make .venv with every tool, for an editor and for the commit hooks."""
    session.run(sys.executable, "dev.py", "env")
