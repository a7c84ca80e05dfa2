"""From a call of `loopgraph new` to a wish: who said what, in which order of rank."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from loopgraph import discover
from loopgraph.author import answers as answers_file
from loopgraph.author import gates, interview, packs, resolve
from loopgraph.author import goal as words
from loopgraph.author.interview import Answers, Question
from loopgraph.author.recommend import recommend
from loopgraph.author.successor import Earlier
from loopgraph.author.summary import PRESET, Choice
from loopgraph.disk import catalogue, programs, read
from loopgraph.disk import packs as shelf
from loopgraph.model.errors import RefusedError, UsageError, nearest
from loopgraph.model.facts import Facts, HostFact
from loopgraph.model.knobs import BY_NAME
from loopgraph.model.languages import LANGUAGES, Language
from loopgraph.model.messages import _
from loopgraph.model.spec import Answer, Milestone

USER_FILE: Final = "config.yaml"


class Call(NamedTuple):
    """What one call of `new` said, and what surrounds it."""

    root: Path
    environ: Mapping[str, str]
    config: Path
    """The user's configuration folder."""
    names: shelf.Names
    preset: str | None
    path: Path | None
    """The pack's own file."""
    line: Mapping[str, str]
    """Flags, `--set` and the goal."""
    raw: Mapping[str, object]
    """What the answers file says."""
    where: str
    """The answers file's name."""
    lines: Mapping[str, int]
    """The line of each key in it."""
    user: Mapping[str, object]
    """What the user's defaults say."""
    earlier: Earlier | None
    created: datetime
    host: HostFact | None
    anyway: bool
    seen: dict[str, Facts]
    """Facts by scope: a workspace is looked at once."""


class Draft(NamedTuple):
    """A call with the answers so far: what would be made of it."""

    wish: resolve.Wish
    choice: Choice
    where: str
    """Where the pack is from, if a workspace brought it."""


def user_defaults(config: Path) -> dict[str, object]:
    """The user's own defaults; empty where there is no such file."""
    path = config / USER_FILE
    if not path.is_file():
        return {}
    said = answers_file.read(read.named(str(path)), str(path))
    for key in said:
        if key not in answers_file.USER_KEYS and key not in BY_NAME:
            raise UsageError(
                _("{key} is no default of a user", key=repr(key)),
                where=str(path),
                fix=nearest(key, [*answers_file.USER_KEYS, *BY_NAME]),
            )
    if str(said.get("authority", "A")).strip().upper() == "C":
        raise UsageError(
            _("a pre-authorization is given to one run, never to all"),
            where=f"{path}: authority",
            fix=_("Write A or B."),
        )
    return said


def _spoken(call: Call, said: Answers, key: str) -> str:
    """An answer that is needed before the pack is known, by whoever has the highest rank."""
    if key in said:
        return said[key].value
    if key in call.line:
        return call.line[key]
    for source in (call.raw, call.earlier.answers if call.earlier else {}, call.user):
        if source.get(key) is not None:
            found = source[key]
            return found.value if isinstance(found, Answer) else str(found)
    return ""


def goal(call: Call, said: Answers) -> str:
    """The goal so far."""
    return _spoken(call, said, "goal")


def language(call: Call, said: Answers) -> Language:
    """The language of the files: as somebody said, else the locale's."""
    given = _spoken(call, said, "lang") or catalogue.of_locale(call.environ, LANGUAGES)
    where = ""
    if "lang" not in said and "lang" not in call.line and call.raw.get("lang") is not None:
        where = answers_file.place("lang", call.where, call.lines)
    chosen = interview.accept("lang", given, "command line", where=where).value
    return "zh" if chosen == "zh" else "en"


def _preset(call: Call, said: Answers) -> tuple[str, str]:
    """The pack's name and why it is that one."""
    if PRESET in said:
        return said[PRESET].value, _("you")
    if call.path is not None:
        return "", _("command line")
    if call.preset is not None:
        return call.preset, _("command line")
    if call.earlier and call.earlier.preset:
        return call.earlier.preset, _("the earlier run")
    text = goal(call, said)
    if not text.strip():
        raise UsageError(
            _("no preset and no goal"),
            where="new",
            fix=_(
                'Give one: loopgraph new {name}, or loopgraph new deliver "…"',
                name=call.names[0],
            ),
        )  # fmt: skip
    fits = recommend(text, shelf.built_in())
    if fits.word:
        return fits.name, _("taken for the word “{word}”", word=fits.word)
    return fits.name, _("taken since no word speaks for another")


def draft(call: Call, said: Answers) -> Draft:
    """What would be made of the call with these answers."""
    name, why = _preset(call, said)
    lang = language(call, said)
    found = shelf.find(name, root=call.root, config=call.config, path=call.path)
    pack = packs.parse(
        found.source, name=found.name, where=found.where, origin=found.origin, lang=lang
    )
    given, milestones = _given(call, pack, said)
    given.setdefault("lang", Answer("lang", lang, "recommended"))
    scope = given["scope"].value if "scope" in given else "."
    if scope not in call.seen:
        call.seen[scope] = discover.workspace(call.root, scope=scope)
    commands = [gate.command for gate in call.seen[scope].gates]
    commands += [given["gate"].value] if "gate" in given else []
    programs_ = ["git", *map(gates.program, commands)]
    wish = resolve.Wish(
        facts=call.seen[scope],
        pack=pack,
        answers=given,
        milestones=milestones,
        created=call.created,
        host=call.host,
        anyway=call.anyway,
        carried=call.earlier.carried if call.earlier else None,
        absent=programs.absent(call.root, programs_, call.environ),
    )
    return Draft(
        wish,
        Choice(why, _others(call)),
        found.where if found.origin == "workspace" else "",
    )


def _others(call: Call) -> tuple[str, ...]:
    """The packs that could be taken instead: for a person only, since it means a long look."""
    return tuple(call.names) if call.path is None and sys.stdin.isatty() else ()


def _given(
    call: Call, pack: packs.Pack, said: Answers
) -> tuple[dict[str, Answer], tuple[Milestone, ...]]:
    file = answers_file.accept(call.raw, pack, call.where, call.lines)
    own = {question.key for question in pack.questions}
    earlier = call.earlier.answers if call.earlier else {}
    given = {
        **{
            key: interview.accept(key, value, "user defaults", pack)
            for key, value in call.user.items()
        },
        # A question of another pack is no question of this one.
        **{
            key: answer
            for key, answer in earlier.items()
            if key in interview.BY_NAME or key in BY_NAME or key in own
        },
        **file.answers,
        **{
            key: interview.accept(key, value, "command line", pack)
            for key, value in call.line.items()
        },
        **{key: answer for key, answer in said.items() if key != PRESET},
    }
    milestones = file.milestones
    if not milestones and call.earlier and "milestones" not in given:
        milestones = call.earlier.milestones
    return given, milestones


def questions(call: Call, said: Answers, *, terminal: bool) -> tuple[Question, ...]:
    """What is still to be asked; refuses a goal that plainly needs no graph."""
    text = goal(call, said)
    if not call.anyway:
        refuse_misfit(text)
    ask_goal = terminal and not text.strip()
    named = call.path or call.preset or call.earlier or PRESET in said
    if ask_goal and not named:
        return (interview.goal_question(),)
    found = draft(call, said)
    wish = found.wish
    if ask_goal and not wish.pack.outcome and "north_star.outcome" not in wish.answers:
        return (interview.goal_question(wish.pack.text.name),)
    return interview.open_questions(
        wish.facts,
        wish.pack,
        wish.answers,
        lang=language(call, said),
        split=not wish.milestones,
    )


def refuse_misfit(text: str) -> None:
    """Say that a goal needs no graph, where that is plain."""
    kind = words.misfit(text)
    if kind is None:
        return
    what = {
        "small": _("this is one self-contained edit, and a graph of nodes would cost more than it"),
        "eye": _("only a person's eye can tell each time whether this is done, and no gate can"),
    }[kind]
    raise RefusedError(
        what,
        where="goal",
        fix=_("Give it to one agent as a plain task, or go on with --anyway."),
    )
