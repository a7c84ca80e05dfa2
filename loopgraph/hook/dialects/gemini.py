"""Gemini's AfterAgent hook."""

from __future__ import annotations

NAME, PREFIX = "gemini", "gemini"
CHECKED = "unverified 2026-08-21"
EVENTS = ("AfterAgent",)
FIELDS = {
    "event": ("hook_event_name",),
    "session": ("session_id",),
    "cwd": ("cwd",),
    "message": ("prompt_response",),
    "transcript": ("transcript_path",),
    "active": ("stop_hook_active",),
}
TEXTS = ("prompt",)
CAP = None
KEYS = ("decision", "reason", "systemMessage")


def over(_payload: dict[str, object]) -> bool:
    """Never: this hook only runs where an answer counts."""
    return False


def block(reason: str) -> dict[str, object]:
    """Refuse the answer, and say what is to be done."""
    return {"decision": "deny", "reason": reason}


def note(text: str) -> dict[str, object]:
    """Let go, and show the person why."""
    return {"systemMessage": text}
