"""Cursor's stop hook: it cannot block, but it can say what the next message is."""

from __future__ import annotations

NAME, PREFIX = "cursor", "cursor"
CHECKED = "unverified 2026-09-10"
EVENTS = ("stop",)
FIELDS = {
    "event": ("hook_event_name",),
    "session": ("conversation_id",),
    "cwd": ("cwd", "workspace_roots"),
    "transcript": ("transcript_path",),
    "count": ("loop_count",),
}
TEXTS = ("status", "generation_id", "model")
CAP = 5
"""`loop_limit`, as it is when nobody sets it."""
KEYS = ("followup_message",)


def over(payload: dict[str, object]) -> bool:
    """Whether a person broke it off, or it failed."""
    return payload.get("status") not in (None, "completed")


def block(reason: str) -> dict[str, object]:
    """Go on with this message."""
    return {"followup_message": reason}


def note(_text: str) -> dict[str, object]:
    """Nothing: there is no place to show it."""
    return {}
