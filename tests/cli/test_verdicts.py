"""Verdicts and fires as processes: what only the disk, git and the session can tell."""

from __future__ import annotations

import pytest

from tests.conftest import NOW, git

AGENT = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "ann-1"}
LAST = "2026-01-02T04:00:00+00:00"


def at(minute: int) -> str:
    return f"2026-01-02T03:{minute:02}:05+00:00"


def record(cli, run, minute, *more):
    said = ("round", "record", "--item", "a", "--result", "ok", "--evidence", "x", "--next", "b")
    done = cli(*said, *more, cwd=run, LOOPGRAPH_NOW=at(minute), **AGENT)
    assert done.code == 0, done.err


def told(cli, run, now, **session):
    done = cli("next", "--as", "executor", cwd=run, LOOPGRAPH_NOW=now, **(session or AGENT))
    assert done.code == 0, done.err
    return done.out


@pytest.fixture
def bound(cli, make):
    run = make("deliver", "Go", "--set", "FIRE_ROUND_CAP=2")
    record(cli, run, 5)
    words = ("bind", run.name, "--as", "executor")
    assert cli(*words, cwd=run, LOOPGRAPH_NOW=at(6), **AGENT).code == 0
    return run


def test_a_fire_of_a_bound_session_ends_at_its_cap_and_the_next_one_goes_on(cli, bound):
    record(cli, bound, 7)
    assert "of this fire" not in told(cli, bound, at(8))
    record(cli, bound, 9)
    assert "end: 2 of 2 rounds of this fire: end it" in told(cli, bound, at(10))
    assert "of this fire" not in told(cli, bound, LAST)  # its timer has woken it again
    record(cli, bound, 30)
    assert "of this fire" not in told(cli, bound, at(31))
    record(cli, bound, 32)
    assert "of this fire" in told(cli, bound, at(33))


def test_of_a_session_that_nobody_bound_no_fire_is_counted(cli, bound):
    record(cli, bound, 7)
    record(cli, bound, 9)
    other = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "bob-2"}
    assert "of this fire" not in told(cli, bound, at(10), **other)
    said = cli("next", "--as", "executor", cwd=bound, LOOPGRAPH_NOW=at(10))
    assert "of this fire" not in said.out


def test_an_audit_notes_branch_and_commit_of_each_repository(cli, repository):
    inner = repository / "libs/inner"
    inner.mkdir(parents=True)
    git(inner, "init", "-q", "-b", "kids-menu")
    (inner / "a.py").write_text("A = 1\n", "utf-8")
    git(inner, "add", "-A")
    git(inner, "commit", "-q", "-m", "inner")
    assert cli("new", "deliver", "Go", "--yes", "--created", NOW, cwd=repository).code == 0
    (run,) = repository.glob(".longgraph/*-*")
    audited = ("audited", "--through", "R0", "--as", "supervisor")
    assert cli(*audited, cwd=run).code == 0
    head = git(repository, "rev-parse", "--short=12", "HEAD").strip()
    text = (run / "directives.md").read_text("utf-8")
    theirs = git(inner, "rev-parse", "--short=12", "HEAD").strip()
    assert f"Repo tips: main {head}, libs/inner: branch {theirs} | Highest ids" in text
    assert cli("check", cwd=run).code == 0
    assert cli(*audited, "--tips", "main 0a1b2c3", cwd=run).code == 0
    assert "Repo tips: main 0a1b2c3 " in (run / "directives.md").read_text("utf-8")


def test_without_git_an_audit_notes_no_tips(cli, tmp_path):
    assert cli("new", "deliver", "Go", "--yes", "--created", NOW, cwd=tmp_path).code == 0
    (run,) = tmp_path.glob(".longgraph/*-*")
    assert cli("audited", "--through", "R0", "--as", "supervisor", cwd=run).code == 0
    assert "Repo tips: none" in (run / "directives.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("surface", "goes"),
    [
        ("bookshelf/shelf.py", True),
        ("bookshelf/**/*.py, and what reads it", True),
        ("`bookshelf/`", True),
        ("G-1", True),
        ("bookshelf\\shelf.py", True),
        ("everything that changed", False),
        ("../secret.py", False),
        ("/etc/hosts", False),
        ("[", False),
        ("bookshelf/nowhere.py", False),
    ],
)
def test_a_surface_names_what_is_there(cli, make, surface, goes):
    run = make("deliver", "Go", "--set", "gate=python3 -c pass")
    assert cli(
        "gate", "set", "M-1", "--status", "closed", "--evidence", "x", cwd=run
    ).code == 0  # fmt: skip
    said = cli("promote", "request", "M-1", "--surface", surface, "--evidence", "R1", cwd=run)
    assert said.code == (0 if goes else 1), said.err
    assert said.err.count("\n") == (0 if goes else 1)
