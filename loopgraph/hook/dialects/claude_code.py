"""Claude Code's Stop hook."""

from __future__ import annotations

NAME, PREFIX = "claude-code", "claude"
CHECKED = "2.1.332"
EVENTS = ("Stop",)
FIELDS = {
    "event": ("hook_event_name",),
    "session": ("session_id",),
    "cwd": ("cwd",),
    "message": ("last_assistant_message",),
    "transcript": ("transcript_path",),
    "active": ("stop_hook_active",),
    "turn": ("prompt_id",),
    "tasks": ("background_tasks",),
}
TEXTS = ("permission_mode", "model")
CAP = 8
"""`CLAUDE_CODE_STOP_HOOK_BLOCK_CAP` changes it; the ninth block in a row is overridden."""
CAP_VARIABLE = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"
KEYS = ("decision", "reason", "systemMessage")


def over(_payload: dict[str, object]) -> bool:
    """Never: this hook only runs where an answer counts."""
    return False


def block(reason: str) -> dict[str, object]:
    """Send the session back."""
    return {"decision": "block", "reason": reason}


def note(text: str) -> dict[str, object]:
    """Let go, and show the person why."""
    return {"systemMessage": text}
