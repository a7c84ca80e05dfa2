"""What every command that keeps a run shares: which run, who speaks, one change, one answer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loopgraph.cli import options
from loopgraph.cli.meant import find
from loopgraph.cli.options import environ

if TYPE_CHECKING:  # the names are for types alone
    from loopgraph.disk.apply import Done
    from loopgraph.edges.change import Change
    from loopgraph.edges.run import Run
    from loopgraph.node.call import Call
    from loopgraph.node.speaker import Speaker

__all__ = ["find"]

RunOption = Annotated[
    str | None,
    typer.Option("--run", metavar="RUN", help="A run, if not the session's or the only active."),
]
RunHere = Annotated[
    str | None,
    typer.Argument(metavar="[RUN]", help="The same as --run."),
]


def text(name: str, help_: str) -> object:
    """An option that takes one line of text."""
    return typer.Option(name, metavar="TEXT", help=help_)


def keep(
    command: Callable[[Run, Call], Change],
    *,
    run: str | None,
    said: str | None,
    workspace: str | None,
    json: bool,
) -> None:
    """Carry a command out on a run, and say what it did."""
    from loopgraph.cli import clock
    from loopgraph.disk.apply import Act, apply
    from loopgraph.node.call import Call

    path = find(run, workspace)
    speaking = speaker(said, path)
    now = clock.now(None, environ()).isoformat()
    session = speaking.sessions[0].named if len(speaking.sessions) == 1 else ""
    act = Act(now, speaking.name, session, _words())
    done = apply(path, lambda found: command(found, Call(speaking, now)), act)
    tell(path, done, json=json)


def speaker(said: str | None, path: Path) -> Speaker:
    """Who runs this command on this run."""
    from loopgraph.disk import runs

    return options.speaker(said, runs.root_of(path))


def _words() -> tuple[str, ...]:
    """What was called, for the record; a word that looks like a credential is left out."""
    from loopgraph.model import secrets

    return tuple("…" if any(secrets.find(word)) else word for word in sys.argv[1:])


def tell(path: Path, done: Done, *, json: bool) -> None:
    """Print what a command did; what is beside the answer goes to stderr."""
    from loopgraph.plain.quoting import visible
    from loopgraph.views import acts

    change = done.change
    if json:
        answer = acts.data(path.name, change, done.settled, done.warning)
        options.print_json(answer)
        return
    for line in change.says:
        typer.echo(visible(line, keep="\n\t"))
    for line in (*done.settled, *([done.warning] if done.warning else [])):
        typer.echo(visible(f"loopgraph: {line}"), err=True)
    for finding in change.findings:
        line = f"{finding.file}:{finding.line}: {finding.rule}: {finding.message}. {finding.fix}"
        typer.echo(visible(line.rstrip()), err=True)
