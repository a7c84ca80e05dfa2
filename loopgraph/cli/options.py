"""Options that several commands share, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from loopgraph.cli.meant import bindings_of, environ, here, root, run, speaker

if TYPE_CHECKING:  # the names are for types alone
    from loopgraph.edges.places import Change

__all__ = ["bindings_of", "environ", "here", "root", "run", "speaker"]

Workspace = Annotated[
    str | None,
    typer.Option("--workspace", metavar="DIR", help="The workspace, if not found from here."),
]
Json = Annotated[bool, typer.Option("--json", help="Answer as JSON.")]
RunName = Annotated[
    str | None,
    typer.Argument(
        metavar="[RUN]", help="Folder or name, if not the session's or the one going on."
    ),
]

As = Annotated[
    str | None,
    typer.Option("--as", metavar="NODE", help="Who is speaking: executor, supervisor, owner."),
]
SessionId = Annotated[
    str | None,
    typer.Option("--session", "--session-id", metavar="ID", help="A session, if not this one."),
]


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
