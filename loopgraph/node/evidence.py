"""The evidence state by command: only what is verified, only what somebody could do next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from loopgraph.edges import plans, state
from loopgraph.edges.places import PROJECT, Change, Files
from loopgraph.model import evidence as law
from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.model.messages import _
from loopgraph.node import credentials, loops
from loopgraph.node.loops import Call
from loopgraph.node.speaker import Session
from loopgraph.plain import places

Values = Mapping[str, str | tuple[str, ...]]

_SEED: Final = ("long-term-task/{name}.json", "{name}/ralph-state.json", "ralph-state.json")
"""Where other tools keep the state of a session, in their own folder."""


def wanted(call: Call, session: Session | None) -> tuple[str, ...]:
    """The files that these commands read."""
    name = places.file_name(session.id) if session else ""
    seed = tuple(f"{places.SEED_STATES}/{path.format(name=name)}" for path in _SEED if name)
    own = (places.PLANS,) if call.layout == PROJECT else ()
    return (*loops.wanted(call.layout), *own, *seed)


def place(files: Files, call: Call, *, session: Session | None, task: str | None) -> str:
    """Where the state of a task is, of a session, or of the loop that is meant by itself."""
    if task is None and session is not None:
        own = call.layout.evidence(session.id)
        bound = [
            loop for loop in loops.read(files, call.layout).loops if session.is_named(loop.session)
        ]
        return loops.evidence_path(files, call.layout, bound[0]) if bound else own
    return loops.evidence_path(files, call.layout, loops.named(files, call, task))


def shown(files: Files, call: Call, *, session: Session | None, task: str | None) -> str:
    """The same; where there is none, another tool's file that tells about this session."""
    if task is None and session is None and not _loops(files, call):
        return _only(files, call)
    own = place(files, call, session=session, task=task)
    if own in files:
        return own
    others = [path for path in wanted(call, session) if path.startswith(places.SEED_STATES)]
    found = next((path for path in others if path in files), None)
    if found is None:
        raise UsageError(
            _("no evidence state"),
            where=own,
            fix=_("Write one with: loopgraph state set --goal TEXT"),
        )
    return found


def _loops(files: Files, call: Call) -> bool:
    registry = loops.read(files, call.layout)
    return bool(registry.loops or registry.others)


def _only(files: Files, call: Call) -> str:
    """The one state here, where neither a session nor a loop says which; else what is here."""
    folder = call.layout.state
    states = sorted(path for path in files if path.startswith(f"{folder}/"))
    if len(states) == 1:
        return states[0]
    if states:
        names = ", ".join(path.removeprefix(f"{folder}/").removesuffix(".json") for path in states)
        raise UsageError(
            _("{count} evidence states here, and none was named", count=len(states)),
            where=folder,
            fix=_("Name one: {every}", every=f"--session ID ({names})"),
        )
    works = plans.read(files.get(places.PLANS)) if call.layout == PROJECT else ()
    if under_way := [work.plan for work in works if work.goes_on()]:
        raise UsageError(
            _("no evidence state yet, but a plan is worked on: {plans}", plans=under_way[0]),
            where=folder,
            fix=_("See: loopgraph plan show"),
        )
    raise UsageError(
        _("no evidence state, and no loop that keeps one"),
        where=folder,
        fix=_("Make one with: loopgraph loop init TASK --prompt TEXT"),
    )


def change(
    files: Files, call: Call, *, session: Session | None, task: str | None, values: Values
) -> Change:
    """Set fields; a fact that points at nothing, or an action nobody could do, is refused."""
    if not values:
        raise UsageError(
            _("nothing to set"), where="state set", fix=_("See: loopgraph state set --help")
        )
    for name, value in values.items():
        credentials.refuse("\n".join(_entries(value)), name)
    verified = _entries(values.get("last_verified", ()))
    if pointless := law.unpointed(verified):
        raise RefusedError(
            _("it names nothing that shows it: {first}", first=repr(pointless[0])),
            where="last_verified",
            fix=_("Add the file, command, id or commit: a guess is no fact."),
        )
    for action in _entries(values.get("next_actions", ())):
        if why := law.vague(action):
            raise RefusedError(
                f"{action!r}: {why}", where="next_actions", fix=_("Say what to do, and to what.")
            )
    path = place(files, call, session=session, task=task)
    source = files.get(path)
    if source is None:
        source = state.empty("")
    return Change({path: state.changed(source, path, values)}, (_("{path} written", path=path),))


def _entries(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value
