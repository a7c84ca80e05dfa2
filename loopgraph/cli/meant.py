"""Which workspace, run and speaker a call means; without typer, which a quick call never loads."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the names are for types alone
    from loopgraph.edges.bindings import Binding
    from loopgraph.node.speaker import Session, Speaker


def environ() -> Mapping[str, str]:
    """The environment; commands hand it on as a value."""
    return os.environ


def here() -> Path:
    """The current folder; somebody may have removed it under our feet."""
    from loopgraph.model.errors import UnreadableError
    from loopgraph.model.messages import _

    try:
        return Path.cwd()
    except FileNotFoundError:
        raise UnreadableError(
            _("the current folder is gone"), fix=_("Change into one that exists.")
        ) from None


def root(workspace: str | None) -> Path:
    """The workspace of this call."""
    from loopgraph.disk import roots

    return roots.find(workspace, here(), os.environ)


def run(name: str | None, workspace: str | None = None) -> Path:
    """The run that was named, else LOOPGRAPH_RUN's, the session's, or the one that is meant."""
    from loopgraph.disk import runs
    from loopgraph.model.errors import UsageError

    place = root(workspace)
    said = name or os.environ.get("LOOPGRAPH_RUN")
    bound = None if said else _bound_run(place)
    if bound:
        with suppress(UsageError):  # it is gone: this session is bound to nothing
            return runs.find(bound, place)
    return runs.find(said, place)


def _bound_run(place: Path) -> str | None:
    """The run that this session is bound to; a broken file of bindings says nothing here."""
    from loopgraph.model.errors import UnreadableError
    from loopgraph.node import speaker as node

    here = node.sessions(os.environ)
    try:
        bound = bindings_of(place) if here else {}
    except UnreadableError:
        return None
    runs = {one.run for name, one in bound.items() if any(own.is_named(name) for own in here)}
    return runs.pop() if len(runs) == 1 else None


def native_goal(session: Session | None) -> str:
    """The goal that the client itself holds a session by; empty where none is known."""
    from loopgraph.disk import native_goals

    return native_goals.active(session.host, session.id, os.environ) if session else ""


def find(name: str | None, workspace: str | None) -> Path:
    """The same run, by its real path."""
    return run(name, workspace).resolve()


def bindings_of(place: Path) -> Mapping[str, Binding]:
    """Which session is which node, in a workspace."""
    from loopgraph.disk import places
    from loopgraph.edges import bindings
    from loopgraph.plain.places import BINDINGS

    return bindings.read(places.load(place, (BINDINGS,)).get(BINDINGS))


def speaker(said: str | None, place: Path) -> Speaker:
    """Who runs this command, by what they said, the environment and the bindings of a workspace."""
    from loopgraph.node import speaker as node

    return node.read(said, os.environ, bindings_of(place))


def tell_problems(problems: tuple[str, ...]) -> None:
    """Say on stderr what could not be read beside an answer."""
    import sys

    from loopgraph.plain.quoting import visible

    for said in problems:
        sys.stderr.write(f"loopgraph: {visible(said)}\n")
