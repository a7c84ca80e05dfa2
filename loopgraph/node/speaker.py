"""Who is speaking: which node, the owner, or an agent that nobody has named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, get_args

from loopgraph.edges import bindings as edge
from loopgraph.edges.bindings import Binding
from loopgraph.hosts.marks import MARKS, SESSIONS
from loopgraph.model.errors import RefusedError, UsageError, nearest
from loopgraph.model.graph import Writer
from loopgraph.model.messages import _
from loopgraph.plain import places

WRITERS: Final[tuple[Writer, ...]] = get_args(Writer)
GOALS: Final = ("adopt", "artifact-only")
"""What may become of a goal that the host itself has set; its verdict never verifies anything."""

_NODE: Final = "LOOPGRAPH_NODE"


class Session(NamedTuple):
    """One session of a host."""

    id: str
    """Bare, as the host has it."""
    host: str
    """The prefix of its ids: `claude`, `codex`; empty where a person typed the id."""

    @property
    def named(self) -> str:
        """The id with its host's prefix."""
        return f"{self.host}:{self.id}" if self.host else self.id

    def is_named(self, written: str | None) -> bool:
        """Whether an id in a file of ours means this session."""
        return places.same_session(written, self.id, self.host)


class Speaker(NamedTuple):
    """Who runs this command."""

    role: Writer | None
    """None: nobody said."""
    agent: bool
    """An agent host's environment is present."""
    sessions: tuple[Session, ...]
    """The host's sessions that this command runs in; two where one agent started another."""

    @property
    def name(self) -> str:
        """For records: the role, else what is known."""
        return self.role or ("an agent" if self.agent else "owner")


def sessions(environ: Mapping[str, str]) -> tuple[Session, ...]:
    """The sessions that the environment names; a blank id and the word null are none."""
    found = ((places.named_id(environ.get(name)), host) for name, host in SESSIONS.items())
    return tuple(Session(places.bare_id(id_), host) for id_, host in found if id_)


def is_agent(environ: Mapping[str, str]) -> bool:
    """Whether a host of agents has started this command."""
    return any(environ.get(mark) for client in MARKS.values() for mark in client.environment)


def read(
    said: str | None, environ: Mapping[str, str], bound: Mapping[str, Binding] | None = None
) -> Speaker:
    """Who speaks: `--as`, then LOOPGRAPH_NODE, then the session's binding, then nobody.

    A bound session has that role and no other, and no agent is the owner.
    """
    here = sessions(environ)
    agent = is_agent(environ)
    named = _named(said, "--as") or _named(environ.get(_NODE), _NODE)
    roles = {binding.role for session in here if (binding := _binding(session, bound))}
    if named and roles and named not in roles:
        raise RefusedError(
            _(
                "this session is bound as {names}, so it is no {named}",
                names=", ".join(sorted(roles)),
                named=named,
            ),
            fix=_("Let the owner bind it anew."),
        )
    if agent and named == "owner":
        raise RefusedError(
            _("an agent is not the owner"),
            fix=_("The owner runs this command in a terminal of their own."),
        )
    role: Writer | None = named or (next(iter(roles)) if len(roles) == 1 else None)
    return Speaker(role, agent, here)


def _named(said: str | None, where: str) -> Writer | None:
    if not said:
        return None
    for writer in WRITERS:
        if said == writer:
            return writer
    raise UsageError(_("no such node"), where=f"{where} {said}", fix=nearest(said, WRITERS))


def _binding(session: Session, bound: Mapping[str, Binding] | None) -> Binding | None:
    return edge.of(bound, session.id, session.host) if bound else None


def require(speaker: Speaker, writers: tuple[Writer, ...], *, what: str) -> None:
    """Refuse a command that belongs to another writer.

    `what` names the command and its edge: `stop of the run`. With nobody named a person may do
    anything; an agent may not do what is the owner's or the supervisor's.
    """
    if not writers or speaker.role in writers:
        return
    whose = _(" or ").join(writers)
    if speaker.role is not None:
        raise RefusedError(
            _(
                "{what} is the {whose}'s, not the {role}'s",
                what=what,
                whose=whose,
                role=speaker.role,
            ),
            fix=_way(speaker.role, writers),
        )
    if speaker.agent and not {"executor", "scout"} & set(writers):
        named = "supervisor" in writers
        raise RefusedError(
            _("{what} is the {whose}'s, and nobody said who is speaking", what=what, whose=whose),
            fix=_("Name the node with --as or {node}.", node=_NODE)
            if named
            else _("The owner runs it in a terminal of their own."),
        )


def _way(role: Writer, writers: tuple[Writer, ...]) -> str:
    """What a node does instead of what another one may do."""
    if role == "owner":
        return ""
    if role == "scout":
        return _("Write it down: loopgraph finding add")
    if writers == ("owner",):
        return _("Ask for it: loopgraph owner ask")
    if role == "supervisor":
        return _("Say it by a correction: loopgraph directive add")
    return _("Leave it to them, and take the next legal item: loopgraph next")


def goal(how: str, native: str) -> str:
    """What becomes of the client's own goal; refused where one is set and nobody has said.

    `native` is the goal that the client holds the session by, empty where there is none.
    """
    if how and how not in GOALS:
        raise UsageError(_("no such way"), where=f"--goal {how}", fix=nearest(how, GOALS))
    if native and not how:
        raise RefusedError(
            _("the client holds this session by a goal of its own: {native}", native=native),
            where="--goal",
            fix=_(
                "End it with /goal clear, or say --goal adopt (it is this work's goal) or "
                "--goal artifact-only (it is another one, and only files count here)."
            ),
        )
    return how


def session(given: str | None, speaker: Speaker, *, where: str) -> Session | None:
    """The session that a command is about: the one named, else the agent's own, else None.

    An agent may name no session but its own.
    """
    named = places.named_id(given)
    if given is not None and named is None:
        raise UsageError(_("a session has no such id"), where=f"--session {given!r}")
    if named is None:
        return _only(speaker, where)
    host = next((p[:-1] for p in places.PREFIXES if named.startswith(p)), "")
    found = Session(places.bare_id(named), host)
    if not speaker.agent:
        return found
    own = [one for one in speaker.sessions if one.id == found.id and host in ("", one.host)]
    if not own:
        raise RefusedError(
            _("an agent names no session but its own"),
            where=f"--session {given}",
            fix=_("Leave --session out, or let the owner run this."),
        )
    return own[0]


def _only(speaker: Speaker, where: str) -> Session | None:
    if len(speaker.sessions) > 1:
        names = ", ".join(one.named for one in speaker.sessions)
        raise UsageError(
            _("two sessions are named by the environment"),
            where=where,
            fix=_("Say which with --session: {names}", names=names),
        )
    return next(iter(speaker.sessions), None)
