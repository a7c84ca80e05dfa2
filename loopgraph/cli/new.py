"""`loopgraph new`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from loopgraph.author.interview import Asker
from loopgraph.cli.options import Json, Workspace, environ
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
    yes: Annotated[bool, typer.Option("--yes", help="Take every recommendation.")] = False,
    answers: Annotated[
        Path | None, typer.Option("--answers", metavar="FILE", help="Answers as YAML or JSON.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="One answer or knob; may be repeated."),
    ] = None,
    host: Annotated[str | None, typer.Option(metavar="HOST", help="Where the nodes run.")] = None,
    supervisor_host: Annotated[
        str | None, typer.Option(metavar="HOST", help="Where the supervisor runs, if elsewhere.")
    ] = None,
    client: Annotated[
        str | None, typer.Option(metavar="EXE", help="The client that the shell host starts.")
    ] = None,
    no_supervisor: Annotated[
        bool, typer.Option("--no-supervisor", help="No second node; you accept milestones.")
    ] = False,
    scout: Annotated[
        str | None, typer.Option(metavar="BRIEF", help="Add a node that only reads and reports.")
    ] = None,
    lang: Annotated[str | None, typer.Option(metavar="LANG", help="Language of the files.")] = None,
    slug: Annotated[
        str | None, typer.Option(metavar="NAME", help="The run's name after its date.")
    ] = None,
    scope: Annotated[
        str | None, typer.Option(metavar="DIR", help="The folder that may be changed.")
    ] = None,
    preset: Annotated[
        Path | None, typer.Option("--preset", metavar="FILE", help="A pack of your own.")
    ] = None,
    created: Annotated[
        str | None, typer.Option(metavar="TIME", help="The moment it is made (RFC 3339).")
    ] = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Go on without a gate.")
    ] = False,
    print_answers: Annotated[
        bool, typer.Option("--print-answers", help="Print an answers file to edit, and end.")
    ] = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Ask what only you can decide, compile a fresh run, and say what to paste where."""
    from loopgraph.author import answers as answers_file

    if print_answers:
        typer.echo(answers_file.skeleton(), nl=False)
        return
    flags = {
        "host": host, "supervisor_host": supervisor_host, "client": client, "scout": scout,
        "lang": lang, "slug": slug, "scope": scope, "supervisor": "no" if no_supervisor else None,
    }  # fmt: skip
    made = _make(
        words or [],
        flags={key: value for key, value in flags.items() if value is not None},
        settings=settings or [],
        answers=answers,
        preset=preset,
        created=created,
        workspace=workspace,
        yes=yes,
        anyway=anyway,
    )
    _show(made, client or "", json=json)


class Made(NamedTuple):
    """A run that now exists, and what its owner should hear about it."""

    spec: RunSpec
    path: Path
    root: Path
    notes: tuple[str, ...]


def _make(  # noqa: PLR0913
    words: Sequence[str],
    *,
    flags: dict[str, str],
    settings: Sequence[str],
    answers: Path | None,
    preset: Path | None,
    created: str | None,
    workspace: str | None,
    yes: bool,
    anyway: bool,
) -> Made:
    from loopgraph import discover
    from loopgraph.author import answers as answers_file
    from loopgraph.author import compiler, interview, packs, resolve
    from loopgraph.cli import clock
    from loopgraph.discover import host as host_of
    from loopgraph.disk import config, floor, roots, runs
    from loopgraph.disk import packs as shelf

    env = environ()
    root = roots.find(workspace, Path.cwd(), env)
    config_folder = config.folder(env)
    names = shelf.names(root=root, config=config_folder)
    said = _read_words(words, names, by_path=preset is not None)
    raw = {}
    if answers is not None:
        raw = answers_file.read(floor.read(str(answers), 1 << 20).decode("utf-8"), str(answers))
    by_set = dict(_pairs(settings))
    goal = said.goal or by_set.get("goal") or str(raw.get("goal") or "")
    notes: list[str] = []
    chosen = said.preset or _recommended(goal, names, notes, by_path=preset is not None)
    given_lang = flags.get("lang") or by_set.get("lang") or str(raw.get("lang") or "") or "en"
    interview.accept("lang", given_lang, "command line")
    found = shelf.find(chosen, root=root, config=config_folder, path=preset)
    pack = packs.parse(
        found.source, name=found.name, where=found.where, origin=found.origin,
        lang="zh" if given_lang == "zh" else "en",
    )  # fmt: skip
    if found.origin == "workspace":
        notes.append(f"the preset {found.name} comes from this workspace: {found.where}")
    file = answers_file.accept(raw, pack, str(answers))
    line = {**flags, **by_set, **({"goal": said.goal} if said.goal is not None else {})}
    given = {
        **file.answers,
        **{key: interview.accept(key, value, "command line", pack) for key, value in line.items()},
    }
    scope = given["scope"].value if "scope" in given else "."
    facts = discover.workspace(root, scope=scope)
    asker = _asker(yes=yes)
    asked = interview.ask(interview.open_questions(facts, pack, given), asker)
    wish = resolve.Wish(
        facts=facts,
        pack=pack,
        answers={**asked, **given},
        milestones=file.milestones,
        created=clock.now(created, env),
        host=host_of.here(env),
        anyway=anyway,
    )
    spec = resolve.resolve(wish)
    cache = config.template_cache(env)
    path = runs.create(
        root,
        spec.slug,
        lambda name: compiler.compile_run(resolve.renamed(spec, name), cache_folder=cache),
    )
    return Made(resolve.renamed(spec, path.name), path, root, tuple(notes))


def _asker(*, yes: bool) -> Asker:
    from loopgraph.author import interview

    if yes:
        return interview.Recommended()
    if sys.stdin.isatty() and sys.stdout.isatty():
        from loopgraph.cli import wizard

        return wizard.Terminal()
    return interview.Nobody()


def _read_words(words: Sequence[str], names: Sequence[str], *, by_path: bool) -> Wanted:
    """One word is a preset when it is a known name, a goal when it has a blank or another script."""
    from loopgraph.model.errors import UsageError, nearest

    for word in words:
        if any(0xD800 <= ord(char) <= 0xDFFF for char in word):  # noqa: PLR2004
            raise UsageError("not valid UTF-8", where="goal", fix="Give it in an answers file.")
        if word.startswith("-") and not _is_text(word):
            raise UsageError(
                "no such option", where=word.partition("=")[0], fix=nearest(word, _flags())
            )
    match list(words):
        case []:
            return Wanted(None, None)
        case [word] if word in names and not by_path:
            return Wanted(word, None)
        case [word] if by_path or _is_text(word) or not word:
            return Wanted(None, word)
        case [word]:
            raise UsageError("no such preset", where=word, fix=nearest(word, names))
        case [name, _] if by_path:
            raise UsageError("a preset and --preset", where=name, fix="Give one of them.")
        case [name, goal]:
            if name not in names:
                raise UsageError("no such preset", where=name, fix=nearest(name, names))
            return Wanted(name, goal)
        case _:
            raise UsageError(
                "too many words", where=words[2], fix='Put the goal in quotes: new deliver "…"'
            )


def _is_text(word: str) -> bool:
    return any(char.isspace() for char in word) or not word.isascii()


def _flags() -> list[str]:
    import inspect

    hints = inspect.signature(new).parameters
    renamed = {"settings": "--set"}
    return [
        renamed.get(name, "--" + name.replace("_", "-")) for name in hints if name != "words"
    ]


def _pairs(settings: Sequence[str]) -> list[tuple[str, str]]:
    from loopgraph.model.errors import UsageError

    pairs = []
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key.strip():
            raise UsageError("KEY=VALUE is wanted", where=f"--set {setting}")
        pairs.append((key.strip(), value))
    return pairs


def _recommended(goal: str, names: Sequence[str], notes: list[str], *, by_path: bool) -> str:
    from loopgraph.author.recommend import recommend
    from loopgraph.disk import packs as shelf
    from loopgraph.model.errors import UsageError

    if by_path:
        return ""
    if not goal.strip():
        raise UsageError(
            "no preset and no goal",
            where="new",
            fix=f'Give one: loopgraph new {names[0]}, or loopgraph new deliver "…"',
        )
    fits = recommend(goal, shelf.built_in())
    why = f"for the word “{fits.word}”" if fits.word else "since no word speaks for another"
    notes.append(f"preset {fits.name} taken {why}; another: loopgraph new PRESET …")
    return fits.name


def _show(made: Made, client: str, *, json: bool) -> None:
    from loopgraph.author import handoff
    from loopgraph.cli.handoff import located
    from loopgraph.cli.options import print_json
    from loopgraph.disk import config

    for note in made.notes:
        typer.echo(f"loopgraph: {note}", err=True)
    root = str(made.root)
    parts = handoff.parts(made.spec, root=root, clients=located(made.spec, client))
    if json:
        print_json(handoff.data(made.spec, parts, root=root))
    else:
        cache = config.template_cache(environ())
        typer.echo(handoff.text(made.spec, parts, root=root, cache_folder=cache), nl=False)
