"""How each host tells its hook that a turn ends, and which answers it takes; told by the shape."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Dialect(Protocol):
        """What a module here holds."""

        NAME: str
        PREFIX: str
        """Of session ids in records: `claude`, `codex`, …."""
        CHECKED: str
        """The client it was held against, or `unverified` and the date of the documentation."""
        EVENTS: tuple[str, ...]
        """What the event is called when a turn ends."""
        FIELDS: dict[str, tuple[str, ...]]
        """Where the payload says what; of several names the first that is there."""
        TEXTS: tuple[str, ...]
        """Further fields that are texts where they are there at all."""
        CAP: int | None
        """Blocks in a row that the host allows; None where it has no such limit."""
        KEYS: tuple[str, ...]
        """Every key that an answer may have."""

        @staticmethod
        def over(payload: dict[str, object]) -> bool:
            """Whether the session is ending anyway, so that no answer counts."""

        @staticmethod
        def block(reason: str) -> dict[str, object]:
            """The answer that sends the session back."""

        @staticmethod
        def note(text: str) -> dict[str, object]:
            """The answer that lets go and tells the person why; empty where that can't be shown."""


NAMES = ("claude-code", "codex", "grok", "cursor", "gemini", "copilot")


def name_of(payload: dict[str, object]) -> str:
    """The host that such a payload is from."""
    if "conversation_id" in payload:
        return "cursor"
    if payload.get("hook_event_name") == "AfterAgent":
        return "gemini"
    if "hookEventName" in payload:
        return "grok"
    if "sessionId" in payload:
        return "copilot"
    return "codex" if payload.get("turn_id") is not None else "claude-code"


def load(name: str) -> Dialect:
    """The dialect of that name."""
    module = f"loopgraph.hook.dialects.{name.replace('-', '_')}"
    # The import statement would need a branch a host; `importlib` would be a further import.
    found: Dialect = getattr(__import__(module).hook.dialects, name.replace("-", "_"))
    return found
