"""`loopgraph audit`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from loopgraph.cli.options import Json, RunName, Workspace
from loopgraph.model.messages import _


def audit(  # noqa: PLR0913  the command's own options
    run: RunName = None,
    *,
    since: Annotated[
        str, typer.Option(metavar="REV", help="Only what came behind this commit.")
    ] = "",
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="text, json, sarif or github.")
    ] = "text",
    strict: Annotated[bool, typer.Option("--strict", help="A warning counts too.")] = False,
    json: Json = False,
    workspace: Workspace = None,
) -> None:
    """Replay a run's history, and say where it broke the laws of the run."""
    from loopgraph.audit import replay
    from loopgraph.cli import options
    from loopgraph.disk import git, history
    from loopgraph.model.errors import UsageError, nearest
    from loopgraph.views import audit as view

    form = "json" if json else form
    if form not in view.FORMATS:
        raise UsageError(_("no such format"), where=form, fix=nearest(form, view.FORMATS))
    path = options.run(run, workspace).resolve()
    asked = git.ask(path)
    with history.Blobs(asked) as blobs:
        found = replay.replay(history.read(path, blobs, asked), blobs)
    if since and asked:
        held = history.behind(path, asked, since)
        found = found.without(held)
    typer.echo(view.FORMATS[form](_seen_from_here(path), found), nl=False)
    for note in found.notes if form != "json" else ():
        typer.echo(f"loopgraph: {note}", err=True)
    if any(one.finding.level == "error" or strict for one in found.breaches):
        raise typer.Exit(1)


def _seen_from_here(path: Path) -> str:
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()
