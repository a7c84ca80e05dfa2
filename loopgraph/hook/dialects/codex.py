"""Codex's Stop hook: an answer with any further key is dropped whole."""

from __future__ import annotations

NAME, PREFIX = "codex", "codex"
CHECKED = "0.171.0"
EVENTS = ("Stop",)
FIELDS = {
    "event": ("hook_event_name",),
    "session": ("session_id",),
    "cwd": ("cwd",),
    "message": ("last_assistant_message",),
    "transcript": ("transcript_path",),
    "active": ("stop_hook_active",),
    "turn": ("turn_id",),
}
TEXTS = ("permission_mode", "model")
CAP = None
KEYS = ("continue", "stopReason", "systemMessage", "suppressOutput", "decision", "reason")


def over(_payload: dict[str, object]) -> bool:
    """Never: this hook only runs where an answer counts."""
    return False


def block(reason: str) -> dict[str, object]:
    """Send the session back."""
    return {"decision": "block", "reason": reason}


def note(text: str) -> dict[str, object]:
    """Let go, and show the person why."""
    return {"systemMessage": text}
