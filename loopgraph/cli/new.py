"""`loopgraph new`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from loopgraph.cli import usage
from loopgraph.cli.options import Json, Workspace, environ, here

if TYPE_CHECKING:  # a call for help imports none of it
    from loopgraph.author.summary import Row
    from loopgraph.cli.drafting import Call, Draft
    from loopgraph.model.spec import RunSpec


class Wanted(NamedTuple):
    """What the words after `new` say."""

    preset: str | None
    goal: str | None


def new(  # noqa: PLR0913  the command's own options
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar='[PRESET] ["GOAL"]', help="A preset, a goal in quotes, or both."),
    ] = None,
    *,
    yes: Annotated[
        bool, typer.Option("--yes", rich_help_panel=usage.DECIDE, help="Take every recommendation.")
    ] = False,
    answers: Annotated[
        Path | None,
        typer.Option(
            "--answers",
            metavar="FILE",
            rich_help_panel=usage.DECIDE,
            help="Answers as YAML or JSON.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            rich_help_panel=usage.DECIDE,
            help="One answer or knob; may be repeated.",
        ),
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(metavar="HOST", rich_help_panel=usage.NODES, help="Where the nodes run."),
    ] = None,
    supervisor_host: Annotated[
        str | None,
        typer.Option(
            metavar="HOST",
            rich_help_panel=usage.NODES,
            help="Where the supervisor runs, if elsewhere.",
        ),
    ] = None,
    client: Annotated[
        str | None,
        typer.Option(
            metavar="EXE",
            rich_help_panel=usage.NODES,
            help="The client that the shell host starts.",
        ),
    ] = None,
    no_supervisor: Annotated[
        bool,
        typer.Option(
            "--no-supervisor",
            rich_help_panel=usage.NODES,
            help="No second node; you accept milestones.",
        ),
    ] = False,
    scout: Annotated[
        str | None,
        typer.Option(
            metavar="BRIEF",
            rich_help_panel=usage.NODES,
            help="Add a node that only reads and reports.",
        ),
    ] = None,
    lang: Annotated[
        str | None,
        typer.Option(metavar="LANG", rich_help_panel=usage.DECIDE, help="Language of the files."),
    ] = None,
    slug: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", rich_help_panel=usage.DECIDE, help="The run's name after its date."
        ),
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option(
            metavar="DIR", rich_help_panel=usage.DECIDE, help="The folder that may be changed."
        ),
    ] = None,
    preset: Annotated[
        Path | None,
        typer.Option(
            "--preset", metavar="FILE", rich_help_panel=usage.DECIDE, help="A pack of your own."
        ),
    ] = None,
    created: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", rich_help_panel=usage.OUTPUT, help="The moment it is made (RFC 3339)."
        ),
    ] = None,
    anyway: Annotated[
        bool,
        typer.Option(
            "--anyway",
            rich_help_panel=usage.DECIDE,
            help="Go on without a gate, or where no graph is needed.",
        ),
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            rich_help_panel=usage.OUTPUT,
            help="Do everything but write; list what would be written.",
        ),
    ] = False,
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="RUN",
            rich_help_panel=usage.DECIDE,
            help="Carry on from an earlier run.",
        ),
    ] = None,
    print_answers: Annotated[
        bool,
        typer.Option(
            "--print-answers",
            rich_help_panel=usage.OUTPUT,
            help="Print an answers file to edit, and end.",
        ),
    ] = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Ask what only you can decide, compile a fresh run, and say what to paste where."""
    flags = {
        "host": host, "supervisor_host": supervisor_host, "client": client, "scout": scout,
        "lang": lang, "slug": slug, "scope": scope, "supervisor": "no" if no_supervisor else None,
    }  # fmt: skip
    _tell_stop(workspace)
    call = _call(
        words or [],
        flags={key: value for key, value in flags.items() if value is not None},
        settings=settings or [],
        answers=answers,
        preset=preset,
        created=created,
        workspace=workspace,
        anyway=anyway,
        from_=from_,
    )
    if print_answers:
        typer.echo(_answers_file(call), nl=False)
        return
    settled = _settle(call, yes=yes, ask=not json)
    made = _make(call, settled, dry_run=dry_run)
    if json:
        _show_json(made, client or "", dry_run=dry_run)
    elif dry_run:
        _show_dry(made)
    else:
        _show(call, made, client or "", yes=yes)


def _tell_stop(workspace: str | None) -> None:
    """Say first of all that nothing will go on here before the owner lifts a stop."""
    from loopgraph.disk import places, roots
    from loopgraph.model.errors import LoopgraphError
    from loopgraph.node import stops
    from loopgraph.plain.quoting import inline

    root = roots.find(workspace, here(), environ())
    try:
        notes = stops.note(places.load(root, stops.wanted(None)[:1]))
    except LoopgraphError as error:  # a STOP that is no file stops a hook all the same
        notes = (str(error),)
    for note in notes:
        typer.echo(f"loopgraph: {inline(note)}", err=True)


def _call(  # noqa: PLR0913
    words: Sequence[str],
    *,
    flags: dict[str, str],
    settings: Sequence[str],
    answers: Path | None,
    preset: Path | None,
    created: str | None,
    workspace: str | None,
    anyway: bool,
    from_: str | None,
) -> Call:
    from loopgraph.author import answers as answers_file
    from loopgraph.author import successor
    from loopgraph.cli import clock, drafting
    from loopgraph.discover import host as host_of
    from loopgraph.disk import catalogue, config, read, roots, runs
    from loopgraph.disk import packs as shelf
    from loopgraph.edges import record

    env = environ()
    root = roots.find(workspace, here(), env)
    folder = config.folder(env)
    names = shelf.names(root=root, config=folder)
    said = _read_words(words, names, by_path=preset is not None)
    raw: dict[str, object] = {}
    lines: dict[str, int] = {}
    if answers is not None:
        source = read.named(str(answers))
        raw, lines = answers_file.read(source, str(answers)), record.key_lines(source)
    line = {**flags, **dict(_pairs(settings))}
    if said.goal is not None:
        line["goal"] = said.goal
    earlier = None
    if from_ is not None:
        old = runs.find(from_, root)
        same_goal = "goal" not in line and "goal" not in raw
        earlier = successor.begin(old.name, runs.load(old), same_goal=same_goal)
    call = drafting.Call(
        root=root,
        environ=env,
        config=folder,
        names=names,
        preset=said.preset,
        path=preset,
        line=line,
        raw=raw,
        where=str(answers),
        lines=lines,
        user=drafting.user_defaults(folder),
        earlier=earlier,
        created=clock.now(created, env),
        host=host_of.here(env),
        anyway=anyway,
        seen={},
    )
    catalogue.speak(drafting.language(call, {}))
    return call


def _answers_file(call: Call) -> str:
    """An answers file to edit, with what this call says filled in."""
    from loopgraph.author import answers as answers_file
    from loopgraph.cli import drafting

    if not (call.preset or call.path or call.earlier or drafting.goal(call, {}).strip()):
        return answers_file.skeleton()
    wish = drafting.draft(call, {}).wish
    given = {
        answer.key: answer.value
        for answer in wish.answers.values()
        if answer.source != "recommended"
    }
    name = "--preset FILE" if call.path else wish.pack.text.name
    return answers_file.skeleton(
        given, preset=name, questions=wish.pack.questions, milestones=wish.milestones
    )


class Settled(NamedTuple):
    """Everything decided, and nothing written."""

    draft: Draft
    spec: RunSpec


def _settle(call: Call, *, yes: bool, ask: bool) -> Settled:
    """Decide everything: by the recommendations, or with the person at the terminal."""
    from loopgraph.author import interview, resolve
    from loopgraph.cli import drafting

    if not yes and ask and sys.stdin.isatty() and sys.stdout.isatty():
        return _settle_at_terminal(call)
    asker = interview.Recommended() if yes else interview.Nobody()
    steps = interview.hold(lambda said: drafting.questions(call, said, terminal=False), asker)
    draft = drafting.draft(call, interview.said(steps))
    return Settled(draft, resolve.resolve(draft.wish))


def _settle_at_terminal(call: Call) -> Settled:
    """Ask, show the summary, and change what its reader wants changed, until it is confirmed."""
    from loopgraph.author import interview, resolve, summary
    from loopgraph.cli import drafting, wizard
    from loopgraph.model.errors import LoopgraphError
    from loopgraph.model.spec import Answer

    terminal = wizard.Terminal(call.environ)
    steps: tuple[interview.Step, ...] = ()
    edits: dict[str, Answer] = {}
    last: tuple[str, Answer | None] | None = None

    def questions(said: Mapping[str, Answer]) -> tuple[interview.Question, ...]:
        return drafting.questions(call, {**said, **edits}, terminal=True)

    while True:
        try:
            steps = interview.hold(questions, terminal, steps)
            draft = drafting.draft(call, {**interview.said(steps), **edits})
            spec = resolve.resolve(draft.wish)
        except LoopgraphError as error:
            if last is None:
                raise
            terminal.tell(str(error))
            key, before = last
            last = None
            edits = {name: answer for name, answer in edits.items() if name != key}
            edits |= {key: before} if before else {}
            continue
        last = None
        spec = resolve.renamed(spec, _name(call, spec))
        rows = summary.rows(draft.wish, spec, draft.choice)
        chosen = terminal.review(rows)
        if chosen == wizard.WRITE:
            return Settled(draft, spec)
        if chosen is None:
            edits = {key: answer for key, answer in edits.items() if key not in _keys(steps[-1:])}
            steps = steps[:-1]
            continue
        question = next(row.edit for row in rows if row.key == chosen and row.edit)
        value = terminal(question, 0)
        if value is None:
            continue
        key, value = _edited(chosen, value)
        last = (key, edits.get(key))
        changed = interview.step(question._replace(key=key), value, "owner").answers
        edits |= {answer.key: answer for answer in changed}


def _keys(steps: Sequence[object]) -> set[str]:
    return {answer.key for step in steps for answer in step.answers}  # type: ignore[attr-defined]


def _edited(key: str, value: str) -> tuple[str, str]:
    """The answer's key and value; a knob's line names its own key."""
    from loopgraph.author.summary import KNOB

    if key != KNOB:
        return key, value
    name, _, number = value.partition("=")
    return name.strip().upper(), number.strip()


def _name(call: Call, spec: RunSpec) -> str:
    from loopgraph.disk import runs

    return runs.free_name(call.root, spec.slug)


def _approve(call: Call, spec: RunSpec) -> None:
    """The summary has shown the gates; a person who goes on has approved their commands."""
    from contextlib import suppress

    from loopgraph.disk import trust
    from loopgraph.model.errors import LoopgraphError
    from loopgraph.node import speaker

    commands = [gate.command for gate in spec.gates if gate.command]
    if commands and not speaker.is_agent(call.environ):
        with suppress(LoopgraphError, OSError):  # `trust` says later what is in the way
            trust.approve(call.root, commands, call.environ)


class Made(NamedTuple):
    """A run that now exists (or would), and what its owner should hear about it."""

    spec: RunSpec
    root: Path
    rows: tuple[Row, ...]
    files: Mapping[str, str]
    notes: tuple[str, ...]
    pack_keys: tuple[str, ...]


def _make(call: Call, settled: Settled, *, dry_run: bool) -> Made:
    from loopgraph.author import compiler, gates, resolve, summary
    from loopgraph.disk import config, runs
    from loopgraph.model.messages import _
    from loopgraph.views import facts

    draft, spec = settled
    files: dict[str, str] = {}

    def files_for(name: str) -> Mapping[str, str]:
        cache = None if dry_run else config.template_cache(call.environ)
        files.update(compiler.compile_run(resolve.renamed(spec, name), cache_folder=cache))
        return files

    if dry_run:
        name = _name(call, spec)
        files_for(name)
    else:
        name = runs.create(call.root, spec.slug, files_for).name
        _approve(call, spec)
    made = resolve.renamed(spec, name)
    name = draft.wish.pack.text.name
    brought = _(
        "the preset {name} comes from this workspace: {where}", name=name, where=draft.where
    )
    return Made(
        made,
        call.root,
        summary.rows(draft.wish, made, draft.choice),
        files,
        (
            *((brought,) if draft.where else ()),
            *_stays(call),
            *facts.warnings(made.facts),
            *summary.warnings(made, draft.wish.absent),
            *gates.lacking(made.gates, draft.wish.absent),
        ),
        tuple(question.key for question in draft.wish.pack.questions),
    )


def _stays(call: Call) -> tuple[str, ...]:
    """What no successor carries over, so that nobody misses it."""
    from loopgraph.model.messages import _

    earlier = call.earlier
    if earlier is None or not earlier.left:
        return ()
    said = _(
        "not carried over, since nobody took them up: {ids}; they stay in {run}",
        ids=", ".join(earlier.left),
        run=earlier.carried.run,
    )
    return (said,)


def _show(call: Call, made: Made, client: str, *, yes: bool) -> None:
    from loopgraph.author import handoff, summary
    from loopgraph.cli.handoff import located
    from loopgraph.disk import config
    from loopgraph.model.messages import _
    from loopgraph.plain.quoting import inline

    for note in made.notes:
        typer.echo(f"loopgraph: {inline(note)}", err=True)
    shown = summary.short(made.rows, made.pack_keys) if yes or not sys.stdin.isatty() else ()
    for row in shown:
        value = summary.shortened(row.value, 120)
        line = _("{label}: {value} ({source})", label=row.label, value=value, source=row.source)
        typer.echo(f"loopgraph: {inline(line)}", err=True)
    root = str(made.root)
    parts = handoff.parts(made.spec, root=root, clients=located(made.spec, client))
    cache = config.template_cache(call.environ)
    typer.echo(handoff.text(made.spec, parts, root=root, cache_folder=cache), nl=False)


def _show_json(made: Made, client: str, *, dry_run: bool) -> None:
    from loopgraph.author import handoff
    from loopgraph.cli.handoff import located
    from loopgraph.cli.options import print_json

    root = str(made.root)
    parts = handoff.parts(made.spec, root=root, clients=located(made.spec, client))
    print_json(
        {
            "schema": "loopgraph/new/1",
            "run": made.spec.slug,
            "path": f".longgraph/{made.spec.slug}",
            "root": root,
            "written": not dry_run,
            "files": [
                {"name": name, "lines": lines, "bytes": size} for name, lines, size in _sizes(made)
            ],
            "answers": {
                answer.key: {"value": answer.value, "source": answer.source}
                for answer in made.spec.answers
            },
            "assumptions": [
                {"key": row.key, "label": row.label, "value": row.value, "source": row.source}
                for row in made.rows
            ],
            "notes": list(made.notes),
            "handoff": handoff.data(made.spec, parts, root=root),
        }
    )


def _sizes(made: Made) -> Iterator[tuple[str, int, int]]:
    for name, text in sorted(made.files.items()):
        yield name, text.count("\n"), len(text.encode("utf-8"))


def _show_dry(made: Made) -> None:
    from loopgraph.author.summary import shortened
    from loopgraph.model.columns import hang, pad, width
    from loopgraph.model.messages import _
    from loopgraph.plain.quoting import inline

    columns = 80
    label = max(width(row.label) for row in made.rows)
    for note in made.notes:
        typer.echo(hang(inline(note), columns))
    typer.echo(_("Nothing was written. This would be the run:") + "\n")
    for row in made.rows:
        said = inline(shortened(row.value)) + (f"  [{row.source}]" if row.source else "")
        typer.echo(hang(said, columns, f"  {pad(row.label, label)}  "))
    typer.echo("\n" + _("Files:") + "\n")
    for name, lines, size in _sizes(made):
        said = _("{lines} lines, {size} bytes", lines=lines, size=size)
        typer.echo(f"  .longgraph/{made.spec.slug}/{name}: {said}")


def _read_words(words: Sequence[str], names: Sequence[str], *, by_path: bool) -> Wanted:
    """One word is a preset if it is a known name, a goal if it has a blank or another script."""
    from loopgraph.model.errors import UsageError, nearest
    from loopgraph.model.messages import _

    for word in words:
        _refuse_odd(word)
    match list(words):
        case []:
            return Wanted(None, None)
        case [word] if word in names and not by_path:
            return Wanted(word, None)
        case [word] if by_path or _is_text(word) or not word:
            return Wanted(None, word)
        case [name, __] if by_path:
            raise UsageError(_("a preset and --preset"), where=name, fix=_("Give one of them."))
        case [name, goal] if name in names:
            return Wanted(name, goal)
        case [name, *__] if len(words) < 3:  # noqa: PLR2004
            raise UsageError(_("no such preset"), where=name, fix=nearest(name, names))
        case _:
            raise UsageError(
                _("too many words"),
                where=words[2],
                fix=_('Put the goal in quotes: new deliver "…"'),
            )


def _refuse_odd(word: str) -> None:
    """Refuse a word that is not text, and an option that is none."""
    from loopgraph.model.errors import UsageError, nearest
    from loopgraph.model.messages import _

    if any(0xD800 <= ord(char) <= 0xDFFF for char in word):  # noqa: PLR2004
        raise UsageError(_("not valid UTF-8"), where="goal", fix=_("Give it in an answers file."))
    if word.startswith("-") and not _is_text(word):
        raise UsageError(
            _("no such option"), where=word.partition("=")[0], fix=nearest(word, _flags())
        )


def _is_text(word: str) -> bool:
    return any(char.isspace() for char in word) or not word.isascii()


def _flags() -> list[str]:
    import inspect

    hints = inspect.signature(new).parameters
    renamed = {"settings": "--set", "from_": "--from"}
    return [renamed.get(name, "--" + name.replace("_", "-")) for name in hints if name != "words"]


def _pairs(settings: Sequence[str]) -> list[tuple[str, str]]:
    from loopgraph.model.errors import UsageError
    from loopgraph.model.messages import _

    pairs = []
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key.strip():
            raise UsageError(_("KEY=VALUE is wanted"), where=f"--set {setting}")
        pairs.append((key.strip(), value))
    return pairs
