"""Bind a session to a run as one of its nodes, and let it go again."""

from __future__ import annotations

from typing import NamedTuple

from loopgraph.edges import bindings as edge
from loopgraph.edges import places
from loopgraph.edges.bindings import Binding
from loopgraph.edges.places import Change, Files
from loopgraph.model.errors import RefusedError, UsageError, nearest
from loopgraph.model.graph import Role
from loopgraph.model.messages import _
from loopgraph.node import speaker as node
from loopgraph.node import stops
from loopgraph.node.speaker import Session, Speaker
from loopgraph.plain.places import BINDINGS, BLOCKED, bare_id


class Node(NamedTuple):
    """What a run says about itself when a session is bound to it."""

    run: str
    """Its slug."""
    roles: tuple[Role, ...]
    """The nodes that it has; empty where nothing says."""
    status: str | None
    round: int | None
    gate: str | None


def wanted(run: str | None = None) -> tuple[str, ...]:
    """The files that these commands read."""
    return (BINDINGS, f"{BLOCKED}/*.json", places.stop(None), places.stop(run))


def role(said: str | None, known: tuple[Role, ...]) -> Role:
    """The node that a session is bound as."""
    roles = known or edge.ROLES
    for one in roles:
        if said == one:
            return one
    if said is None:
        raise UsageError(
            _("as which node?"),
            where="bind",
            fix=_("Say --as {roles}.", roles=(_(" or ") + "--as ").join(roles)),
        )
    raise UsageError(_("the run has no such node"), where=f"--as {said}", fix=nearest(said, roles))


def bind(  # noqa: PLR0913  what a binding is made of
    files: Files,
    speaker: Speaker,
    at: Node,
    *,
    said: str | None,
    session: Session | None,
    goal: str,
    now: str,
) -> Change:
    """Bind a session; whoever was that node of the run before is so no more."""
    wished = role(said, at.roles)
    if session is None:
        raise UsageError(
            _("nobody says which session"),
            where="bind",
            fix=_(
                "Say --session ID, or let the session run: loopgraph bind {run} --as {wished}",
                run=at.run,
                wished=wished,
            ),
        )
    node.goal(goal, "")
    if at.status == "closed":
        raise RefusedError(_("the run is closed"), where=at.run)
    source = files.get(BINDINGS)
    bound = edge.read(source)
    before = edge.of(bound, session.id, session.host)
    if before and speaker.agent and (before.run, before.role) != (at.run, wished):
        raise RefusedError(
            _(
                "this session is the {role} of {run}, and stays so",
                role=before.role,
                run=before.run,
            ),
            where="bind",
            fix=_("Let the owner unbind it, or use another session."),
        )
    said_before = [
        name
        for name, one in bound.items()
        if (one.run, one.role) == (at.run, wished) and not session.is_named(name)
    ]
    for name in said_before:
        source = edge.without_session(source, bare_id(name), name.rpartition(":")[0])
    source = edge.without_session(source, session.id, session.host) if before else source
    entry = Binding(at.run, wished, now, at.round, at.gate, goal or None)
    says = [
        *stops.note(files, at.run),
        _("Session {id} is the {wished} of {run}.", id=session.id, wished=wished, run=at.run),
    ]
    says += [_("{name} was, and is let go.", name=name) for name in said_before]
    return Change({BINDINGS: edge.with_session(source, session.named, entry)}, tuple(says))


def unbind(files: Files, speaker: Speaker, *, session: Session | None, run: str | None) -> Change:
    """Let a session go, or every session of a run; the owner's, so that no agent frees itself."""
    node.require(speaker, ("owner",), what="unbind")
    source = files.get(BINDINGS)
    gone = [
        name
        for name, one in edge.read(source).items()
        if (session.is_named(name) or bare_id(name) == session.id if session else True)
        and (run is None or one.run == run)
    ]
    if not gone or (session is None and run is None):
        whom = session.id if session else run
        raise UsageError(
            _("no such session is bound") if whom else _("which session?"),
            where=whom or "unbind",
            fix="" if whom else _("Say --session ID, or name a run."),
        )
    changes: dict[str, str | None] = {}
    for name in gone:
        source = edge.without_session(source, bare_id(name), name.rpartition(":")[0])
        if (block := places.blocked(name)) in files:
            changes[block] = None
    return Change(
        {BINDINGS: source, **changes}, tuple(_("{name} is let go.", name=name) for name in gone)
    )
