"""A goal that the client itself has set in a session, read from what the client keeps."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.disk import native_goals

SESSION = "5f2c1b7e-0000-4000-8000-000000000001"


def told(goal: str | None, *, met: bool = False) -> str:
    attachment = {"type": "goal_status", "met": met, "condition": goal}
    return json.dumps({"type": "attachment", "attachment": attachment}, ensure_ascii=False)


SET, MET = told("every test passes"), told("every test passes", met=True)


def claude(home: Path, *lines: str) -> str:
    folder = home / ".claude" / "projects" / "-a-place"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{SESSION}.jsonl").write_text("\n".join(lines), "utf-8")
    return native_goals.active("claude", SESSION, {"HOME": str(home)})


def test_a_goal_counts_until_the_transcript_says_that_it_is_met(tmp_path: Path) -> None:
    assert claude(tmp_path, "{}", SET, '{"type":"user"}') == "every test passes"
    assert claude(tmp_path, SET, MET, "{}") == ""
    assert claude(tmp_path, SET, MET, told("二"), "") == "二"
    assert claude(tmp_path, SET, told(None)) == ""


@pytest.mark.parametrize(
    "line",
    ['{"attachment": {"type": "goal_status"', '"goal_status"', '["goal_status"]',
     '{"message": "says \\"goal_status\\""}', '{"attachment": "goal_status"}'],
)  # fmt: skip
def test_what_is_no_record_of_a_goal_changes_nothing(tmp_path: Path, line: str) -> None:
    assert claude(tmp_path, SET, line) == "every test passes"
    assert claude(tmp_path, line) == ""


@given(st.binary(max_size=300))
def test_no_transcript_makes_it_fail(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    home = tmp_path_factory.mktemp("home")
    folder = home / ".claude" / "projects" / "-a"
    folder.mkdir(parents=True)
    (folder / f"{SESSION}.jsonl").write_bytes(data + b'{"goal_status"' + data)
    assert native_goals.active("claude", SESSION, {"HOME": str(home)}) == ""


def test_another_session_s_goal_is_none_of_ours(tmp_path: Path) -> None:
    claude(tmp_path, SET)
    home = {"HOME": str(tmp_path)}
    assert native_goals.active("claude", "another", home) == ""
    for hostile in ("*", "../x", "", SESSION + "\n", f"[{SESSION[0]}]{SESSION[1:]}"):
        assert native_goals.active("claude", hostile, home) == "", hostile


def test_a_client_that_is_elsewhere_is_looked_for_there(tmp_path: Path) -> None:
    claude(tmp_path, SET)
    there = {"HOME": str(tmp_path / "no"), "CLAUDE_CONFIG_DIR": str(tmp_path / ".claude")}
    assert native_goals.active("claude", SESSION, there) == "every test passes"
    assert native_goals.active("claude", SESSION, {}) == ""


def codex(home: Path, status: str, name: str = "goals_1.sqlite") -> str:
    folder = home / ".codex"
    folder.mkdir(exist_ok=True)
    database = sqlite3.connect(folder / name)
    with database:
        database.execute("CREATE TABLE thread_goals (thread_id TEXT, objective TEXT, status TEXT)")
        database.execute("INSERT INTO thread_goals VALUES (?, 'Ship it', ?)", (SESSION, status))
    database.close()
    return native_goals.active("codex", SESSION, {"HOME": str(home)})


@pytest.mark.parametrize("status", ["paused", "blocked", "complete"])
def test_only_an_active_goal_of_codex_counts(tmp_path: Path, status: str) -> None:
    assert codex(tmp_path, status) == ""


def test_the_newest_table_of_codex_counts_and_is_left_as_it_is(tmp_path: Path) -> None:
    assert codex(tmp_path, "paused", "goals_9.sqlite") == ""
    assert codex(tmp_path, "active", "goals_10.sqlite") == "Ship it"
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    assert native_goals.active("codex", SESSION, {"HOME": str(tmp_path)}) == "Ship it"
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before


def test_a_broken_table_says_nothing(tmp_path: Path) -> None:
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "goals_1.sqlite").write_bytes(os.urandom(64))
    assert native_goals.active("codex", SESSION, {"HOME": str(tmp_path)}) == ""
