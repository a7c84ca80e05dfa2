"""`loopgraph loop`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

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
    from loopgraph.edges.loops import Settings
    from loopgraph.edges.places import Change, Files
    from loopgraph.model.languages import Language
    from loopgraph.node.loops import Call

app = typer.Typer(
    no_args_is_help=True,
    help="Loops: a prompt that a session is given again until it is done.",
)

Global = Annotated[
    bool, typer.Option("--global", help="The loops in ~/.codex/.omx, of every project.")
]
Task = Annotated[
    str | None,
    typer.Argument(metavar="[TASK]", help="A task; the session's own if left out."),
]
Prompt = Annotated[str | None, typer.Option("--prompt", metavar="TEXT", help="What is to be done.")]
PromptFile = Annotated[
    Path | None,
    typer.Option("--prompt-file", metavar="FILE", help="The same, from a file; - is the input."),
]
Limit = Annotated[
    int,
    typer.Option("--max-iterations", "--max", metavar="N", help="The last iteration; 0 for none."),
]
Promise = Annotated[
    str,
    typer.Option(
        "--completion-promise", "--promise", metavar="TEXT", help="What ends it when said; `none`."
    ),
]
Chunk = Annotated[bool, typer.Option("--chunk/--no-chunk", help="Ask for work in small pieces.")]
Chars = Annotated[
    int, typer.Option("--max-chars", metavar="N", help="Characters of an answer to stay below.")
]
Strict = Annotated[
    bool, typer.Option("--strict-output", help="Answers have a fixed form: nothing else in them.")
]
NoHook = Annotated[
    bool, typer.Option("--no-hook", help="No Stop hook works here: the session goes on by itself.")
]
Lang = Annotated[
    str | None,
    typer.Option("--lang", metavar="LANG", help="en or zh, if not as the prompt is."),
]
Goal = Annotated[
    str,
    typer.Option("--goal", metavar="HOW", help="A goal of the host is set: adopt, artifact-only."),
]

_PROMISE = "DONE"


@app.command()
def init(  # noqa: PLR0913  the command's own options
    task: Annotated[str, typer.Argument(metavar="TASK", help="A name for it.")],
    *,
    prompt: Prompt = None,
    prompt_file: PromptFile = None,
    max_iterations: Limit = 50,
    promise: Promise = _PROMISE,
    chunk: Chunk = True,
    max_chars: Chars = 800,
    strict_output: Strict = False,
    no_hook: NoHook = False,
    goal: Goal = "",
    session: SessionId = None,
    lang: Lang = None,
    everywhere: Global = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Make a loop; run by an agent it binds that session."""
    from loopgraph.node import loops

    text = _prompt(prompt, prompt_file)
    base, call = scope(workspace, everywhere=everywhere)
    settings = _settings(
        call,
        session=session,
        max_iterations=max_iterations,
        promise=promise,
        chunk=chunk,
        max_chars=max_chars,
        strict=strict_output,
        goal=goal,
    )
    language = _language(lang, text)

    def command(files: Files) -> Change:
        return loops.init(
            files, call, task=task, prompt=text, settings=settings, lang=language, hook=not no_hook
        )

    _apply(base, call, command, json=json)


@app.command()
def start(  # noqa: PLR0913  the command's own options
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What is to be done, in your words.")],
    *,
    mode: Annotated[
        str | None,
        typer.Option("--mode", metavar="MODE", help="plan-only, plan-first or at-once."),
    ] = None,
    task: Annotated[
        str | None, typer.Option("--task", metavar="TASK", help="A name, if not from the text.")
    ] = None,
    max_iterations: Limit = 50,
    goal: Goal = "",
    session: SessionId = None,
    lang: Lang = None,
    everywhere: Global = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Begin a task as your words say: a plan first, or the work at once."""
    from loopgraph.node import start as node

    base, call = scope(workspace, everywhere=everywhere)
    settings = _settings(call, session=session, max_iterations=max_iterations, goal=goal)
    language = _language(lang, text)

    def command(files: Files) -> Change:
        return node.start(
            files, call, text=text, mode=mode, task=task, settings=settings, lang=language
        )

    _apply(base, call, command, wanted=node.wanted(call), json=json)


@app.command("list")
def list_(*, everywhere: Global = False, workspace: Workspace = None, json: Json = False) -> None:
    """List every loop: the active one has a star."""
    from loopgraph.disk import places
    from loopgraph.node import loops, stops
    from loopgraph.views import loops as view

    base, call = scope(workspace, everywhere=everywhere)
    files = places.load(base, loops.wanted(call.layout))
    found = loops.read(files, call.layout)
    every = (*found.loops, *found.others)
    if json:
        print_json(view.listing_data(every, found.active))
    else:
        tell(stops.note(files))
        typer.echo(view.listing(every, found.active), nl=False)


@app.command()
def show(
    task: Task = None,
    *,
    everywhere: Global = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Show what a loop says, and its evidence."""
    from loopgraph.disk import places
    from loopgraph.edges import state
    from loopgraph.node import loops, stops
    from loopgraph.views import loops as view

    base, call = scope(workspace, everywhere=everywhere)
    files = places.load(base, loops.wanted(call.layout))
    loop = loops.named(files, call, task)
    place = loops.evidence_path(files, call.layout, loop)
    evidence = state.read(files[place], place) if place in files else None
    if json:
        shown = view.state_data(evidence, place) if evidence else None
        print_json({"schema": view.SCHEMA, "loop": view.data(loop), "evidence": shown})
    else:
        tell(stops.note(files))
        typer.echo(view.one(loop, evidence, place), nl=False)


@app.command()
def activate(
    task: Annotated[str, typer.Argument(metavar="TASK")],
    *,
    everywhere: Global = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Make a task the active one."""
    from loopgraph.node import loops

    base, call = scope(workspace, everywhere=everywhere)
    _apply(base, call, lambda files: loops.activate(files, call, task=task), json=json)


@app.command()
def bind(
    task: Task = None,
    *,
    session: SessionId = None,
    everywhere: Global = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Bind a session to a loop; an agent binds its own."""
    from loopgraph.node import loops
    from loopgraph.node import speaker as node

    base, call = scope(workspace, everywhere=everywhere)
    chosen = node.session(session, call.speaker, where="loop bind")
    _apply(base, call, lambda files: loops.bind(files, call, task=task, session=chosen), json=json)


@app.command()
def sync(*, everywhere: Global = False, workspace: Workspace = None, json: Json = False) -> None:
    """Make the index anew, and the active task's file for other tools."""
    from loopgraph.node import loops

    base, call = scope(workspace, everywhere=everywhere)
    _apply(base, call, lambda files: loops.sync(files, call), json=json)


@app.command()
def done(
    task: Task = None,
    *,
    anyway: Annotated[bool, typer.Option("--anyway", help="Even without evidence.")] = False,
    everywhere: Global = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """End a loop whose work is done."""
    from loopgraph.node import loops

    base, call = scope(workspace, everywhere=everywhere)
    _apply(base, call, lambda files: loops.done(files, call, task=task, anyway=anyway), json=json)


@app.command()
def cancel(
    task: Task = None,
    *,
    everywhere: Global = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """End a loop at once, done or not."""
    from loopgraph.node import loops

    base, call = scope(workspace, everywhere=everywhere)
    _apply(base, call, lambda files: loops.cancel(files, call, task=task), json=json)


def tell(notes: Iterable[str]) -> None:
    """Say first of all what holds every loop and plan here."""
    from loopgraph.plain.quoting import visible

    for note in notes:
        typer.echo(visible(note))


def scope(workspace: str | None, *, everywhere: bool) -> tuple[Path, Call]:
    """The folder of this scope, and what every command is told."""
    from loopgraph.cli import clock
    from loopgraph.disk import roots
    from loopgraph.edges.places import GLOBAL, PROJECT
    from loopgraph.node.loops import Call

    place = root(workspace)
    now = clock.now(None, environ()).isoformat()
    who = speaker(None, place)
    if everywhere:
        return roots.home(environ()), Call(GLOBAL, who, now)
    return place, Call(PROJECT, who, now)


def _settings(  # noqa: PLR0913  a loop's own
    call: Call,
    *,
    session: str | None,
    max_iterations: int,
    promise: str = _PROMISE,
    chunk: bool = True,
    max_chars: int = 800,
    strict: bool = False,
    goal: str = "",
) -> Settings:
    from loopgraph.cli.meant import native_goal
    from loopgraph.edges.loops import Settings
    from loopgraph.node import speaker as node

    bound = node.session(session, call.speaker, where="loop")
    return Settings(
        max_iterations=max_iterations,
        promise=None if promise in ("", "none", "null") else promise,
        session=bound.id if bound else "",
        auto_chunk=chunk,
        max_output_chars=max_chars,
        strict=strict,
        goal=node.goal(goal, native_goal(bound)),
    )


def _prompt(text: str | None, file: Path | None) -> str:
    """The prompt from an option, a file, or the input."""
    from loopgraph.disk import read
    from loopgraph.model.errors import UsageError

    if (text is None) == (file is None):
        raise UsageError(
            _("say what is to be done"), where="loop init", fix=_("Give --prompt or --prompt-file.")
        )
    if text is not None or file is None:
        return text or ""
    if str(file) == "-":
        import sys

        return sys.stdin.read()
    return read.named(str(file))


def _language(lang: str | None, text: str) -> Language:
    from loopgraph.model.errors import UsageError, nearest
    from loopgraph.model.languages import LANGUAGES
    from loopgraph.node import wording

    if lang is None:
        return wording.language(text)
    for known in LANGUAGES:
        if lang == known:
            return known
    raise UsageError(_("no such language"), where=f"--lang {lang}", fix=nearest(lang, LANGUAGES))


def _apply(
    base: Path,
    call: Call,
    command: Callable[[Files], Change],
    *,
    json: bool,
    wanted: Iterable[str] = (),
) -> None:
    from loopgraph.disk import places
    from loopgraph.node import loops

    paths = tuple(wanted) or loops.wanted(call.layout)
    print_change(places.apply(base, paths, command, lock=call.layout.lock), json=json)
