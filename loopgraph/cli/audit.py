"""`loopgraph audit`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from loopgraph.cli.keeping import RunOption
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
    explain: Annotated[
        str, typer.Option(metavar="RULE", help="Say why a rule exists, with examples.")
    ] = "",
    json: Json = False,
    named: RunOption = None,
    workspace: Workspace = None,
) -> None:
    """Replay a run's history, and say where it broke the laws of the run."""
    import gc

    from loopgraph.audit import history, replay
    from loopgraph.cli import options
    from loopgraph.disk import git
    from loopgraph.disk import history as disk
    from loopgraph.model.errors import UnreadableError, UsageError, nearest
    from loopgraph.views import audit as view

    if explain:
        typer.echo(_explained(explain), nl=False)
        return
    form = "json" if json else form
    if form not in view.FORMATS:
        raise UsageError(_("no such format"), where=form, fix=nearest(form, view.FORMATS))
    path = options.run(named or run, workspace).resolve()
    gc.disable()  # ten thousand states live to the end, and looking for cycles finds none in them
    asked = git.ask(path)
    with disk.Blobs(asked) as blobs:
        states = disk.read(path, blobs, asked)
        if not any(map(history.is_read, states.steps[-1].files)):
            raise UnreadableError(_("no file of a run is here"), where=str(path))
        found = replay.replay(states, blobs)
    if since:
        found = found.without(disk.behind(path, asked, since))
    shown = path.as_posix() if run and Path(run).is_absolute() else _seen_from_here(path)
    typer.echo(view.FORMATS[form](shown, found), nl=False)
    for note in found.notes:
        typer.echo(f"loopgraph: {note}", err=True)
    if any(one.finding.level == "error" or strict for one in found.breaches):
        raise typer.Exit(1)


def _explained(wanted: str) -> str:
    from loopgraph.audit.rules import RULES
    from loopgraph.model.errors import UsageError, nearest
    from loopgraph.views import rules

    found = next((rule for rule in RULES if rule.id == wanted.upper()), None)
    if found is None:
        known = [rule.id for rule in RULES]
        raise UsageError(_("no such rule"), where=wanted, fix=nearest(wanted, known))
    return rules.explain(found)


def _seen_from_here(path: Path) -> str:
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()
