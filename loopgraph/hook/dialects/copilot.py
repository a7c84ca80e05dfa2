"""Copilot's agentStop hook."""

from __future__ import annotations

NAME, PREFIX = "copilot", "copilot"
CHECKED = "unverified 2026-08-03"
EVENTS = ("agentStop", "")
"""The event's own name need not be in the payload."""
FIELDS = {
    "event": ("hookName",),
    "session": ("sessionId",),
    "cwd": ("cwd",),
    "message": ("lastAssistantMessage",),
    "transcript": ("transcriptPath",),
    "active": ("stop_hook_active", "stopHookActive"),
}
TEXTS = ("stopReason",)
CAP = 8
KEYS = ("decision", "reason")


def over(payload: dict[str, object]) -> bool:
    """Whether the session ends, and not only a turn."""
    return payload.get("stopReason") not in (None, "end_turn")


def block(reason: str) -> dict[str, object]:
    """Send the session back."""
    return {"decision": "block", "reason": reason}


def note(_text: str) -> dict[str, object]:
    """Nothing: there is no place to show it."""
    return {}
