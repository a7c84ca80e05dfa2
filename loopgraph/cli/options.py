"""Options that several commands share, and what they mean."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

Workspace = Annotated[
    str | None,
    typer.Option("--workspace", metavar="DIR", help="The workspace, if not found from here."),
]
Json = Annotated[bool, typer.Option("--json", help="Answer as JSON.")]
RunName = Annotated[
    str | None,
    typer.Argument(metavar="[RUN]", help="A run's folder or name; the only one if left out."),
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


def print_json(answer: Mapping[str, object]) -> None:
    """Print an answer that carries its own schema name."""
    import json

    typer.echo(json.dumps(answer, ensure_ascii=False, indent=2))
