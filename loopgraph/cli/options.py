"""Options that several commands share, and what they mean."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:  # the names are for types alone
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


def root(workspace: str | None) -> Path:
    """The workspace of this call."""
    from loopgraph.disk import roots

    return roots.find(workspace, Path.cwd(), os.environ)


def run(name: str | None, workspace: str | None = None) -> Path:
    """The run that this call is about."""
    from loopgraph.disk import runs

    return runs.find(name or os.environ.get("LOOPGRAPH_RUN"), root(workspace))


def speaker(said: str | None, place: Path) -> Speaker:
    """Who runs this command, by what they said, the environment and the bindings of a workspace."""
    from loopgraph.disk import places
    from loopgraph.edges import bindings
    from loopgraph.node import speaker as node
    from loopgraph.plain.places import BINDINGS

    bound = bindings.read(places.load(place, (BINDINGS,)).get(BINDINGS))
    return node.read(said, os.environ, bound)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines that may hold somebody's text; nothing in them reaches the terminal as a code."""
    from loopgraph.plain.quoting import visible

    for line in lines:
        typer.echo(visible(line, keep="\n\t"))


def print_json(answer: Mapping[str, object]) -> None:
    """Print an answer that carries its own schema name."""
    import json

    typer.echo(json.dumps(answer, ensure_ascii=False, indent=2))
