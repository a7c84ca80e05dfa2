"""The guard: a payload to a Stop, or in a few words why it is none."""

from __future__ import annotations

from loopgraph.hook import dialects
from loopgraph.plain import jsontext, places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from loopgraph.hook.dialects import Dialect

LIMIT = 8 * 1024 * 1024
"""No host sends more."""


class Stop:
    """A turn that ends."""

    __slots__ = (
        "active", "cwd", "dialect", "message", "session", "tasks", "transcript", "turn",
    )  # fmt: skip

    def __init__(self, dialect: Dialect, said: dict[str, object]) -> None:
        self.dialect = dialect
        self.session = str(said["session"])
        self.cwd = str(said["cwd"])
        self.message = _text(said, "message")
        """The answer that ends the turn; None where the host does not say."""
        self.transcript = _text(said, "transcript") or ""
        self.turn = _text(said, "turn") or ""
        """Changes with each prompt; empty where the host does not say."""
        count = said.get("count")
        self.active = said.get("active") is True or (isinstance(count, int) and count > 0)
        """Whether a hook has sent the session back since the last prompt."""
        tasks = said.get("tasks")
        self.tasks = tasks if isinstance(tasks, list) else []


class NoStop:
    """What the payload is instead."""

    __slots__ = ("loud", "why")

    def __init__(self, why: str, *, loud: bool) -> None:
        self.why = why
        self.loud = loud
        """Whether somebody should hear of it: a payload that is broken, not just another event."""


def _text(said: dict[str, object], name: str) -> str | None:
    value = said.get(name)
    return value if isinstance(value, str) else None


def read(data: bytes, host: str = "") -> Stop | NoStop:  # noqa: PLR0911  a guard refuses early
    """Judge a payload; `host` names the dialect where the caller knows it."""
    if len(data) > LIMIT:
        return NoStop("the payload is too large", loud=True)
    if not data.strip():
        return NoStop("no payload", loud=False)
    try:
        payload = jsontext.loads(data.decode("utf-8"))
    except ValueError:
        return NoStop("the payload is no JSON", loud=True)
    if not isinstance(payload, dict):
        return NoStop("the payload is no object", loud=True)
    dialect = dialects.load(host if host in dialects.NAMES else dialects.name_of(payload))
    said = {name: _first(payload, names) for name, names in dialect.FIELDS.items()}
    event = said["event"]
    if event is not None and not isinstance(event, str):
        return NoStop("the event has no name", loud=True)
    if (event or "") not in dialect.EVENTS:
        return NoStop(f"the event is no end of a turn: {(event or 'none')[:40]!r}", loud=False)
    wrong = _wrong(payload, said, dialect)
    if wrong:
        return NoStop(wrong, loud=True)
    if dialect.over(payload):
        return NoStop("the session is ending anyway", loud=False)
    return Stop(dialect, said)


def _first(payload: dict[str, object], names: tuple[str, ...]) -> object:
    for name in names:
        value = payload.get(name)
        if name == "workspace_roots" and isinstance(value, list):
            value = value[0] if value else None
        if value is not None:
            return value
    return None


_TYPES = {
    "session": str, "cwd": str, "message": str, "transcript": str, "turn": str,
    "active": bool, "tasks": list, "count": int,
}  # fmt: skip


def _wrong(payload: dict[str, object], said: dict[str, object], dialect: Dialect) -> str:
    """What is wrong with the fields, empty where nothing is."""
    checked = [(name, said.get(name), kind) for name, kind in _TYPES.items()]
    checked += [(name, payload.get(name), str) for name in dialect.TEXTS]
    for name, value, kind in checked:
        if value is None:
            continue
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            return f"{name} is no {kind.__name__}"
        if isinstance(value, str) and not _whole(value):
            return f"{name} holds half a character"
    session, cwd = said["session"], said["cwd"]
    if not isinstance(session, str) or places.named_id(session) is None:
        return "no session id"
    if not isinstance(cwd, str) or not (cwd[:1] in ("/", "\\") or cwd[1:2] == ":"):
        return "no working folder"
    return "the working folder holds a NUL" if "\0" in cwd else ""


def _whole(text: str) -> bool:
    """Whether a text is whole characters: lone surrogates are none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
