"""Options that several commands share, and what they mean."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:  # the names are for types alone
    from loopgraph.edges.bindings import Binding
    from loopgraph.edges.places import Change
    from loopgraph.node.speaker import Speaker

Workspace = Annotated[
    str | None,
    typer.Option("--workspace", metavar="DIR", help="The workspace, if not found from here."),
]
Json = Annotated[bool, typer.Option("--json", help="Answer as JSON.")]
RunName = Annotated[
    str | None,
    typer.Argument(metavar="[RUN]", help="A run's folder or name; the only one if left out."),
]

As = Annotated[
    str | None,
    typer.Option("--as", metavar="NODE", help="Who is speaking: executor, supervisor, owner."),
]
SessionId = Annotated[
    str | None,
    typer.Option("--session", "--session-id", metavar="ID", help="A session, if not this one."),
]


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
    """The run that this call is about: named, else LOOPGRAPH_RUN's, else the session's."""
    from loopgraph.disk import runs

    place = root(workspace)
    return runs.find(name or os.environ.get("LOOPGRAPH_RUN") or _bound_run(place), place)


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


def print_change(change: Change, *, json: bool) -> None:
    """Print what a command did; nothing in somebody's text reaches the terminal as a code."""
    from loopgraph.plain.quoting import visible

    if json:
        files = {
            path: "removed" if text is None else "written" for path, text in change.files.items()
        }
        print_json({"schema": "loopgraph/change/1", "files": files, "says": list(change.says)})
        return
    for line in change.says:
        typer.echo(visible(line, keep="\n\t"))


def print_json(answer: Mapping[str, object]) -> None:
    """Print an answer that carries its own schema name."""
    import json

    typer.echo(json.dumps(answer, ensure_ascii=False, indent=2))
