"""`loopgraph plan`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loopgraph.cli.loop import tell
from loopgraph.cli.options import (
    Json,
    SessionId,
    Workspace,
    environ,
    print_change,
    print_json,
    root,
    speaker,
)
from loopgraph.model.messages import _

if TYPE_CHECKING:  # the names are for types alone
    from loopgraph.edges.places import Change, Files
    from loopgraph.plain.works import Work
    from loopgraph.views.plans import Shown

app = typer.Typer(
    no_args_is_help=True,
    help="Plans: a checklist that a session works through until every row is ticked.",
)

Plan = Annotated[str, typer.Argument(metavar="PLAN", help="A Markdown file with `- [ ]` rows.")]
WorkName = Annotated[
    str | None,
    typer.Argument(metavar="[PLAN]", help="By its id or file; the session's own if left out."),
]


@app.command()
def start(  # noqa: PLR0913  the command's own options
    plan: Plan,
    *,
    make_pr: Annotated[
        bool, typer.Option("--make-pr", help="Hand over once the pull request is open.")
    ] = False,
    ship: Annotated[
        bool, typer.Option("--ship", help="Go on until it is merged and the worktree is gone.")
    ] = False,
    worktree: Annotated[
        str, typer.Option("--worktree", metavar="DIR", help="The task's own worktree.")
    ] = "",
    endless: Annotated[
        bool, typer.Option("--endless", help="Lift the limit of blocks in all.")
    ] = False,
    reentry: Annotated[
        str, typer.Option("--reentry", metavar="RULE", help="progress or strict.")
    ] = "",
    goal: Annotated[
        str,
        typer.Option(
            "--goal", metavar="HOW", help="A goal of the host is set: adopt, artifact-only."
        ),
    ] = "",
    approved: Annotated[
        str, typer.Option("--approved", metavar="TEXT", help="The owner's words, relayed.")
    ] = "",
    session: SessionId = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Begin a plan; run by an agent it binds that session."""
    from loopgraph.cli.meant import native_goal
    from loopgraph.model.errors import UsageError, nearest
    from loopgraph.node import plans
    from loopgraph.node import speaker as node

    if make_pr and ship:
        raise UsageError(_("choose one"), where="--make-pr --ship")
    if reentry and reentry not in plans.REENTRY:
        fix = nearest(reentry, plans.REENTRY)
        raise UsageError(_("no such way"), where=f"--reentry {reentry}", fix=fix)
    place = root(workspace)
    if worktree and not (place / worktree).is_dir():
        raise UsageError(_("no such folder"), where=f"--worktree {worktree}")
    mode: plans.Mode | None = "ship" if ship else "make-pr" if make_pr else None
    who = speaker(None, place)
    chosen = node.session(session, who, where="plan start")
    started = plans.Started(
        _inside(place, plan), mode, Path(worktree).as_posix() if worktree else "", endless,
        reentry, node.goal(goal, native_goal(chosen)), approved,
    )  # fmt: skip
    text = _text(place, started.plan)
    found = plans.checklist(text)
    unapproved = who.agent and plans.needs_approval(text)

    def command(files: Files) -> Change:
        return plans.start(files, started, found, session=chosen, now=_now(), unapproved=unapproved)

    _apply(place, command, json=json)


@app.command()
def bind(
    work: WorkName = None,
    *,
    session: SessionId = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Bind a session to a plan; an agent binds its own."""
    from loopgraph.node import plans
    from loopgraph.node import speaker as node

    place = root(workspace)
    who = speaker(None, place)
    chosen = node.session(session, who, where="plan bind")
    _apply(
        place,
        lambda files: plans.bind(files, who, work=work, session=chosen, now=_now()),
        json=json,
    )


@app.command()
def show(work: WorkName = None, *, workspace: Workspace = None, json: Json = False) -> None:
    """Show which plans are worked on, and how far they are."""
    from loopgraph.disk import places
    from loopgraph.edges import plans as edge
    from loopgraph.node import plans, stops
    from loopgraph.plain.places import BOULDER, PLANS
    from loopgraph.views import plans as view

    place = root(workspace)
    files = places.load(place, plans.wanted())
    if work is not None:
        works = [(plans.named(files, work, speaker(None, place)), PLANS)]
    else:
        works = [(one, PLANS) for one in edge.read(files.get(PLANS))]
        works += [(one, BOULDER) for one in edge.of_boulder(files.get(BOULDER, ""))]
    shown = [_shown(place, one, record) for one, record in works]
    if json:
        print_json(view.listing_data(shown))
    else:
        tell(stops.note(files))
        typer.echo(view.listing(shown), nl=False)


@app.command()
def check(plan: Plan, *, workspace: Workspace = None, json: Json = False) -> None:
    """Say which rows of a plan count, and what is wrong with it."""
    from loopgraph.node import plans
    from loopgraph.views import plans as view

    place = root(workspace)
    path = _inside(place, plan)
    found = plans.checklist(_text(place, path))
    if json:
        print_json(view.check_data(path, found))
    else:
        typer.echo(view.check(path, found), nl=False)
    if any(level == "error" for level, _, _ in plans.problems(found)):
        raise typer.Exit(1)


@app.command()
def complete(
    work: WorkName = None,
    *,
    evidence: Annotated[
        list[str], typer.Option("--evidence", metavar="PATH", help="A file that shows it.")
    ],
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Complete a plan whose rows are all ticked, with what shows it."""
    from loopgraph.disk import places
    from loopgraph.node import plans

    place = root(workspace)
    who = speaker(None, place)
    paths = [_inside(place, path) for path in evidence]
    sizes = {path: len(_text(place, path).strip()) for path in paths}

    def command(files: Files) -> Change:
        one = plans.named(files, work, who)
        text = _plan_text(place, one)
        found = None if text is None else plans.checklist(text)
        return plans.complete(files, who, work=one.id, found=found, evidence=sizes, now=_now())

    print_change(places.apply(place, plans.wanted(), command, lock=_lock()), json=json)


def _shown(place: Path, work: Work, record: str) -> Shown:
    from loopgraph.model.errors import LoopgraphError
    from loopgraph.node import plans
    from loopgraph.views import plans as view

    try:
        text = _plan_text(place, work)
        found = None if text is None else plans.checklist(text)
    except LoopgraphError as error:
        return view.Shown(work, record, None, _("cannot be read: {why}", why=error.what))
    return view.Shown(work, record, found, "" if found else _("the plan is not there"))


def _plan_text(place: Path, work: Work) -> str | None:
    """The text of a plan: in the work's own worktree where it is there, else in the workspace."""
    from loopgraph.disk import places

    for base in (*([place / work.worktree] if work.worktree else []), place):
        if base.is_dir() and (text := places.load(base, (work.plan,)).get(work.plan)) is not None:
            return text
    return None


def _text(place: Path, path: str) -> str:
    """The text of a file that must be there."""
    from loopgraph.disk import places
    from loopgraph.model.errors import UnreadableError

    files = places.load(place, (path,))
    if path not in files:
        raise UnreadableError(_("no such file"), where=path)
    return files[path]


def _inside(place: Path, given: str) -> str:
    """A path of the command line as one below the workspace."""
    from loopgraph.model.errors import UsageError

    try:
        return (Path.cwd() / given).resolve().relative_to(place.resolve()).as_posix()
    except ValueError:
        raise UsageError(
            _("it is outside of the workspace"), where=given, fix=_("Name a file below it.")
        ) from None


def _apply(place: Path, command: Callable[[Files], Change], *, json: bool) -> None:
    from loopgraph.disk import places
    from loopgraph.node import plans

    print_change(places.apply(place, plans.wanted(), command, lock=_lock()), json=json)


def _lock() -> str:
    from loopgraph.plain.places import LOCK

    return LOCK


def _now() -> str:
    from loopgraph.cli import clock

    return clock.now(None, environ()).isoformat()
