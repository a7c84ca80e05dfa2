"""Who is which node, and who is blocked from outside: `.bindings.json` and `blocked/`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, get_args

from loopgraph.edges import jsonfile
from loopgraph.model.graph import Role
from loopgraph.plain import places

ROLES: Final[tuple[Role, ...]] = get_args(Role)


class Binding(NamedTuple):
    """One session as one node of one run."""

    run: str
    """The run's slug."""
    role: Role
    at: str
    """RFC 3339."""
    round: int | None = None
    """The ledger's round when the session was bound: there its fire begins."""
    gate: str | None = None
    """The ledger's milestone gate then."""
    goal: str | None = None
    """What becomes of the host's own goal: `adopt` or `artifact-only`."""


class Block(NamedTuple):
    """Why a session cannot go on, and what must be seen before it can."""

    session: str
    reason: str
    until: str
    at: str


def read(source: str | None) -> Mapping[str, Binding]:
    """Every binding by the session id as it is written; an entry that is none is passed over."""
    bound: dict[str, Binding] = {}
    for session, entry in _sessions(jsonfile.read(source, places.BINDINGS)).items():
        run, role = (entry.get("run"), entry.get("role")) if isinstance(entry, dict) else ("", "")
        if role not in ROLES or not isinstance(run, str):
            continue
        number = entry.get("round")
        bound[session] = Binding(
            run,
            role,
            jsonfile.text(entry, "at"),
            number if isinstance(number, int) and not isinstance(number, bool) else None,
            jsonfile.text(entry, "gate") or None,
            jsonfile.text(entry, "goal") or None,
        )
    return bound


def of(bindings: Mapping[str, Binding], session: str, host: str) -> Binding | None:
    """The binding of a host's session, by its id with or without the host's prefix."""
    same = (one for name, one in bindings.items() if places.same_session(name, session, host))
    return next(same, None)


def with_session(source: str | None, session: str, binding: Binding) -> str:
    """The file with this session bound; what its entry had beside is kept."""
    found = {"version": jsonfile.VERSION, **jsonfile.read(source, places.BINDINGS)}
    sessions = _sessions(found)
    before = sessions.pop(session, None)
    said = {key: value for key, value in binding._asdict().items() if value is not None}
    kept = {key: value for key, value in _object(before).items() if key not in Binding._fields}
    sessions[session] = {**said, **kept}
    return jsonfile.write(found)


def without_session(source: str | None, session: str, host: str) -> str:
    """The file without this session, however its id is written."""
    found = jsonfile.read(source, places.BINDINGS)
    sessions = _sessions(found)
    for name in [name for name in sessions if places.same_session(name, session, host)]:
        del sessions[name]
    return jsonfile.write(found)


def _sessions(found: jsonfile.Object) -> jsonfile.Object:
    return jsonfile.section(found, "sessions", places.BINDINGS)


def _object(value: object) -> jsonfile.Object:
    return value if isinstance(value, dict) else {}


def block(source: str) -> Block:
    """Read one session's block."""
    found = jsonfile.read(source, places.BLOCKED)
    return Block(*(jsonfile.text(found, key) for key in Block._fields))


def write_block(said: Block) -> str:
    """Write one session's block."""
    return jsonfile.write({"version": jsonfile.VERSION, **said._asdict()})
