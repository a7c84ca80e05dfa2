"""The valves that every source has: reasons to let a turn end that no count decides."""

from __future__ import annotations

import os

from loopgraph.disk import floor
from loopgraph.plain import answer, jsontext, places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from loopgraph.hook.guard import Stop
    from loopgraph.hook.world import World

TAIL = 256 * 1024
"""So much of a transcript's end is looked at."""

PRESSURE = (
    b"context compacted",
    b"context_length_exceeded",
    b"skill descriptions were shortened",
    b"context_too_large",
    b"codex ran out of room in the model's context window",
    b"your input exceeds the context window",
    b"long threads and multiple compactions",
)
"""What a host writes when the context is full, in small letters."""
FORGOTTEN = 3
"""After so many answers a marker counts no more: the context was made smaller."""

HOST_ERRORS = (
    "API Error:",
    "API Error (",
    "Claude AI usage limit reached",
    "Claude usage limit reached",
    "Credit balance is too low",
    "Invalid API key",
    "OAuth token has expired",
    "Prompt is too long",
    "stream disconnected before completion",
    "You've hit your usage limit",
    "You\u2019ve hit your usage limit",
)
"""How an answer begins that is the host's own error; as of November 2026."""

_FINISHED = ("completed", "failed", "killed", "stopped", "cancelled", "done")
"""Statuses of a background task that runs no more."""


def owner_stop(world: World) -> str:
    """Where the owner's stop of the workspace stands, or nothing."""
    path = f"{world.root}/{places.STOP}"
    return path if os.path.lexists(path) else ""


def marker(stop: Stop) -> bool:
    """Whether the answer says that it is blocked outside."""
    return stop.message is not None and answer.blocked_outside(stop.message)


def block_record(stop: Stop, world: World) -> str:
    """The instant of the session's report by command that it is blocked outside, or nothing."""
    path = f"{world.root}/{places.BLOCKED}/{places.file_name(stop.session)}.json"
    record = world.record(path)
    session, at = record.get("session"), record.get("at")
    said = isinstance(session, str) and places.same_session(
        session, stop.session, stop.dialect.PREFIX
    )
    return at if said and isinstance(at, str) else ""


def in_flight(stop: Stop) -> bool:
    """Whether the host runs something that will wake the session by itself."""
    for task in stop.tasks:
        status = task.get("status") if isinstance(task, dict) else None
        if status not in _FINISHED:
            return True
    return False


def host_error(stop: Stop) -> bool:
    """Whether the answer is an error of the host, and not the agent's."""
    return (stop.message or "").lstrip().startswith(HOST_ERRORS)


def pressure(stop: Stop) -> bool:
    """Whether the transcript says that the context is full, and nothing has been said since."""
    found = floor.tail(stop.transcript, TAIL) if stop.transcript else None
    if found is None:
        return False
    data, whole = found
    low = data.lower().replace(b"\xe2\x80\x99", b"'").replace(b"\\u2019", b"'")
    if not any(mark in low for mark in PRESSURE):
        return False
    lines = low.split(b"\n")
    if not whole:
        del lines[0]  # the tail begins somewhere in it
    answers: set[object] = set()
    for line in reversed(lines):
        if not line.strip():
            continue
        record = _record(line)
        kind = _kind(record)
        if kind == "answer":
            answers.add(_name(record) or line)
            if len(answers) >= FORGOTTEN:
                return False
        elif kind != "talk" and any(mark in line for mark in PRESSURE):
            return True
    return False


def _record(line: bytes) -> dict[str, object] | None:
    found = jsontext.attempt(line.decode("utf-8", "replace"))
    return found if isinstance(found, dict) else None


def _inner(record: dict[str, object], name: str) -> dict[str, object]:
    value = record.get(name)
    return value if isinstance(value, dict) else {}


_TALK = (
    "user", "user_message", "usermessage", "tool_result", "function_call_output",
    "custom_tool_call_output", "commandexecution", "hookprompt", "attachment", "last-prompt",
    "queue-operation", "api-request", "api-request-blob", "api-request-shape",
)  # fmt: skip
"""What repeats words of people, tools and hooks: no word of the host's own about its context."""
_ANSWERS = ("assistant", "agent_message", "agentmessage")


def _kind(record: dict[str, object] | None) -> str:
    """`answer` of the assistant, `talk`, or empty: the host's own word."""
    if record is None:
        return ""
    payload = _inner(record, "payload")
    item = _inner(payload, "item")
    names = [
        record.get("type"), record.get("role"), _inner(record, "message").get("role"),
        payload.get("type"), payload.get("role"), item.get("type"), item.get("role"),
    ]  # fmt: skip
    if any(name in _ANSWERS for name in names):
        return "answer"
    if record.get("subtype") == "stop_hook_summary" or any(name in _TALK for name in names):
        return "talk"
    return ""


def _name(record: dict[str, object] | None) -> object:
    """The id of a message: one message may be written as several records."""
    message = _inner(record, "message") if record else {}
    found = message.get("id")
    return found if isinstance(found, str) else None


def last_answer(path: str) -> str | None:
    """The last text of the assistant in a transcript; None where it is unreadable or has none.

    Lines that are written only half are passed over.
    """
    found = floor.tail(path, TAIL) if path else None
    if found is None:
        return None
    data, whole = found
    lines = data.split(b"\n")
    for line in reversed(lines if whole else lines[1:]):
        record = _record(line)
        if record is None:
            continue
        text = _said(record)
        if text:
            return text
    return None


def _said(record: dict[str, object]) -> str:
    """The text of a record of the assistant, empty for any other."""
    message = _inner(record, "message")
    if not message:
        message = _inner(record, "payload")
    if "assistant" not in (record.get("type"), record.get("role"), message.get("role")):
        return ""
    content = message.get("content", record.get("content"))
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [
        part["text"]
        for part in parts
        if isinstance(part, dict)
        and part.get("type") in ("text", "output_text")
        and isinstance(part.get("text"), str)
    ]
    return texts[-1] if texts else ""
