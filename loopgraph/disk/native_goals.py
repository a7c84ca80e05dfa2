"""Whether a client has a goal of its own set in a session: its `/goal`, which also sends it back.

Read from what the client itself keeps, and only about the session that asks: Claude Code's
transcript (a `goal_status` record; 2.1.332 and 2.1.197), Codex's table of goals (0.171.0). What
cannot be read says nothing: no goal is known.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from loopgraph.disk import floor
from loopgraph.model.errors import UnreadableError

_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")
_MARK: Final = b'"goal_status"'
_LARGEST: Final = 256 * 1024 * 1024
_WAIT: Final = 0.5
"""Seconds to wait for a database that the client is writing."""
_SHOWN: Final = 200
"""Characters of a goal that a message repeats."""


def active(host: str, session: str, environ: Mapping[str, str]) -> str:
    """The goal that is set in a session and not yet met; empty where there is none.

    `host` is the prefix of the session's id: `claude` or `codex`.
    """
    home = environ.get("HOME") or environ.get("USERPROFILE") or ""
    if not home or not _ID.fullmatch(session):
        return ""
    try:
        if host == "claude":
            folder = Path(environ.get("CLAUDE_CONFIG_DIR") or Path(home, ".claude"))
            found = _claude(folder, session)
        elif host == "codex":
            found = _codex(Path(environ.get("CODEX_HOME") or Path(home, ".codex")), session)
        else:
            found = ""
    except (OSError, ValueError, sqlite3.Error, UnreadableError):
        return ""
    return " ".join(found.split())[:_SHOWN]


def _claude(folder: Path, session: str) -> str:
    """The last word of the transcript on a goal."""
    for path in (folder / "projects").glob(f"*/{session}.jsonl"):
        told = [goal for line in _lines(path) if (goal := _told(line)) is not None]
        if told:
            return told[-1]
    return ""


def _lines(path: Path) -> Iterator[bytes]:
    source = floor.read(str(path), _LARGEST)
    at = source.find(_MARK)
    while at >= 0:
        start, end = source.rfind(b"\n", 0, at) + 1, source.find(b"\n", at)
        end = len(source) if end < 0 else end
        yield source[start:end]
        at = source.find(_MARK, end)


def _told(line: bytes) -> str | None:
    """What one record says: the goal, empty where it is met or gone; None: no such record."""
    try:
        record = json.loads(line)
    except ValueError:  # half written, or no text
        return None
    said = record.get("attachment") if isinstance(record, dict) else None
    if not isinstance(said, dict) or said.get("type") != "goal_status":
        return None
    goal = said.get("condition")
    return goal if isinstance(goal, str) and said.get("met") is False else ""


def _codex(folder: Path, session: str) -> str:
    """The row of this thread in the newest table."""
    tables = sorted(folder.glob("goals_*.sqlite"), key=lambda path: (len(path.name), path.name))
    if not tables:
        return ""
    asked = "SELECT objective FROM thread_goals WHERE thread_id = ? AND status = 'active'"
    database = sqlite3.connect(f"{tables[-1].absolute().as_uri()}?mode=ro", uri=True, timeout=_WAIT)
    try:
        row = database.execute(asked, (session,)).fetchone()
    finally:
        database.close()
    return row[0] if row and isinstance(row[0], str) else ""
