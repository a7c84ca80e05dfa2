"""What each client leaves in the environment of its agent's commands, and before session ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Marks(NamedTuple):
    """How a command tells which client's agent runs it, and in which session."""

    prefix: str
    """Before its session ids in records; the hook's dialect has the same one."""
    environment: tuple[str, ...] = ()
    """Variables that mark a process of this client."""
    session: str = ""
    """The one of them that holds the session id; empty where none is known to."""


MARKS: Final[Mapping[str, Marks]] = {
    "claude-code": Marks(
        "claude",
        ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"),
        "CLAUDE_CODE_SESSION_ID",
    ),
    "codex": Marks(
        "codex", ("CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_SANDBOX"), "CODEX_THREAD_ID"
    ),
    "grok": Marks("grok", ("GROK_AGENT", "GROK_SESSION_ID")),
    "cursor": Marks("cursor", ("CURSOR_AGENT", "CURSOR_TRACE_ID")),
    "gemini": Marks("gemini", ("GEMINI_CLI",)),
    "copilot": Marks("copilot", ("COPILOT_CLI", "COPILOT_AGENT", "COPILOT_AGENT_SESSION_ID")),
}
"""By the name of the client. Those of the last two are by report: Gemini CLI sets its own in what
its shell tool runs, Copilot CLI (seen in 1.0.63) and VS Code's agent terminals theirs."""

SESSIONS: Final[Mapping[str, str]] = {
    one.session: one.prefix for one in MARKS.values() if one.session
}
"""Where a client tells its agent's commands which session they run in, and that client's prefix."""
