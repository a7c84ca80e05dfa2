"""Grok's Stop hook: Claude Code's answers, camel case in, a further Stop when the session ends."""

from __future__ import annotations

NAME, PREFIX = "grok", "grok"
CHECKED = "unverified 2026-08-19"
EVENTS = ("Stop", "stop")
FIELDS = {
    "event": ("hookEventName",),
    "session": ("sessionId",),
    "cwd": ("cwd", "workspaceRoot"),
    "message": ("lastAssistantMessage",),
    "transcript": ("transcriptPath",),
    "active": ("stopHookActive",),
    "turn": ("promptId",),
}
TEXTS = ("reason", "model")
CAP = 8
KEYS = ("decision", "reason", "systemMessage")


def over(payload: dict[str, object]) -> bool:
    """Whether the session ends, and not only a turn."""
    return payload.get("reason") not in (None, "end_turn")


def block(reason: str) -> dict[str, object]:
    """Send the session back."""
    return {"decision": "block", "reason": reason}


def note(text: str) -> dict[str, object]:
    """Let go, and show the person why."""
    return {"systemMessage": text}
