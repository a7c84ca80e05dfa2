"""Work records of plans: which session works on which plan, in our own form and the boulder's.

A record holds `works`, an object of works by id, or one work at its top level. What other tools
wrote beside the known fields is nobody's business here.
"""

from __future__ import annotations

from loopgraph.plain import places, when

STATUSES = ("active", "paused", "completed", "abandoned")
GOES_ON = ("active", "paused")

_BOULDER_PREFIXES = ("codex:", "opencode:", "claude:")


class Work:
    """One plan that sessions work on."""

    __slots__ = (
        "began", "endless", "evidence", "id", "mode", "name", "plan", "reentry", "sessions",
        "status", "updated", "worktree",
    )  # fmt: skip

    def __init__(self, key: str, fields: dict[str, object]) -> None:
        self.id = key
        self.plan = _text(fields, "active_plan") or ""
        """As it is written: absolute, or relative to the root."""
        self.name = _text(fields, "plan_name") or self.plan
        status = _text(fields, "status")
        self.status = status if status in STATUSES else None
        """None where it is absent or no known word."""
        sessions = fields.get("session_ids")
        listed = sessions if isinstance(sessions, list) else []
        self.sessions = [one for one in listed if isinstance(one, str)]
        self.worktree = (_text(fields, "worktree_path") or "").strip()
        self.began = _text(fields, "started_at")
        self.updated = _text(fields, "updated_at")
        self.mode = _text(fields, "mode") or ""
        """`make-pr`, `ship`, or nothing."""
        self.endless = fields.get("endless") is True
        """Whether the limit of blocks in all is lifted."""
        self.reentry = _text(fields, "reentry") or ""
        """`strict` or `progress` where the record says so."""
        self.evidence = _text(fields, "evidence") or ""

    def goes_on(self) -> bool:
        """Whether a session that stops is to be sent back."""
        return self.status in GOES_ON


def _text(fields: dict[str, object], name: str) -> str | None:
    value = fields.get(name)
    return value if isinstance(value, str) else None


def works(record: object) -> list[Work]:
    """The works of a record, in its order; none where it is no record."""
    if not isinstance(record, dict):
        return []
    listed = record.get("works")
    if isinstance(listed, dict):
        return [
            Work(key, fields)
            for key, fields in listed.items()
            if isinstance(fields, dict) and isinstance(fields.get("active_plan"), str)
        ]
    if isinstance(record.get("active_plan"), str):
        return [Work("", record)]
    return []


def chosen(record: object, session: str, host: str, *, boulder: bool) -> Work | None:
    """The newest work of a session, whatever its status; of equally new ones the first.

    `boulder`: by the boulder's rule a bare id is OpenCode's, else any host's.
    """
    best: Work | None = None
    newest = -1.0
    for work in works(record):
        if not any(_means(one, session, host, boulder=boulder) for one in work.sessions):
            continue
        # An updated_at that cannot be read is the oldest; it does not fall back.
        age = when.instant(work.began if work.updated is None else work.updated)
        if age > newest:
            best, newest = work, age
    return best


def _means(written: str, session: str, host: str, *, boulder: bool) -> bool:
    if not boulder:
        return places.same_session(written, session, host)
    if places.named_id(written) is None or places.named_id(session) is None:
        return False
    left = written if written.startswith(_BOULDER_PREFIXES) else f"opencode:{written}"
    right = session if session.startswith(_BOULDER_PREFIXES) else f"{host}:{session}"
    return left == right
