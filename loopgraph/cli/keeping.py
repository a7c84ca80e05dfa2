"""What every command that keeps a run shares: which run, who speaks, one change, one answer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loopgraph.cli import options
from loopgraph.cli.meant import find
from loopgraph.cli.options import environ
from loopgraph.model.messages import _

if TYPE_CHECKING:  # the names are for types alone
    from loopgraph.disk.apply import Act, Done
    from loopgraph.disk.measures import Measured
    from loopgraph.edges.change import Change
    from loopgraph.edges.run import Run
    from loopgraph.node.call import Call
    from loopgraph.node.measure import Measure
    from loopgraph.node.speaker import Speaker

__all__ = ["find"]

RunOption = Annotated[
    str | None,
    typer.Option("--run", metavar="RUN", help="A run, if not the session's or the one going on."),
]
RunHere = Annotated[
    str | None,
    typer.Argument(metavar="[RUN]", help="The same as --run."),
]


def text(name: str, help_: str) -> object:
    """An option that takes one line of text."""
    return typer.Option(name, metavar="TEXT", help=help_)


def keep(  # noqa: PLR0913  what every command has, and what comes after
    command: Callable[[Run, Call], Change],
    *,
    run: str | None,
    said: str | None,
    workspace: str | None,
    json: bool,
    after: Callable[[Path], None] | None = None,
) -> None:
    """Carry a command out on a run, and say what it did; `after` cleans up behind it."""
    from loopgraph.disk.apply import apply
    from loopgraph.model.errors import LoopgraphError
    from loopgraph.model.messages import _

    path, call, act = begin(run, said, workspace)
    done = apply(path, lambda found: command(found, call), act)
    try:
        if after is not None:
            after(path)
    except (LoopgraphError, OSError) as error:
        done = done._replace(warning=_("done, but its snapshots are left: {reason}", reason=error))
    tell(path, done, json=json)


def begin(run: str | None, said: str | None, workspace: str | None) -> tuple[Path, Call, Act]:
    """Which run, who speaks and when, and the line of acts.jsonl; the clock is read here, once."""
    from loopgraph.cli import clock
    from loopgraph.disk.apply import Act
    from loopgraph.node.call import Call

    path = find(run, workspace)
    speaking = speaker(said, path)
    now = clock.now(None, environ()).isoformat()
    session = speaking.sessions[0].named if len(speaking.sessions) == 1 else ""
    return path, Call(speaking, now), Act(now, speaking.name, session, _words())


def measured(  # noqa: PLR0913  what keep() takes, and how to measure
    command: Callable[[Run, Call, Measure | None], Change],
    take: Callable[[Path, Mapping[str, str], str], Measured | None],
    *,
    run: str | None,
    said: str | None,
    workspace: str | None,
    json: bool,
) -> None:
    """The same with a snapshot: taken before the lock, since it may be long, and named at the end.

    A round is recorded all the same where no snapshot can be taken, by what the node claims.
    """
    from loopgraph.disk import config_file, measures, runs
    from loopgraph.disk.apply import apply
    from loopgraph.model.errors import LoopgraphError
    from loopgraph.model.messages import _

    path, call, act = begin(run, said, workspace)
    config_file.load(runs.root_of(path))  # a mistake in it is refused, as everywhere
    found, why = None, ""
    try:
        found = take(path, environ(), call.now)
    except (LoopgraphError, OSError) as error:
        why = _("not measured: {reason}", reason=error)
    measure = found.measure if found else None
    done = apply(path, lambda read: command(read, call, measure), act)
    try:
        measures.keep(path, found, call.now)
    except (LoopgraphError, OSError) as error:
        why = _("done, but its snapshot has no name yet: {reason}", reason=error)
    if why:
        done = done._replace(warning="; ".join(filter(None, (done.warning, why))))
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
        said = _("{said}. {fix}", said=finding.message, fix=finding.fix)
        line = f"{finding.file}:{finding.line}: {finding.rule}: {said}"
        typer.echo(visible(line.rstrip()), err=True)
