"""The questions an owner may be asked, as data, and the answers that may be given ahead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple, Protocol

from loopgraph.author import goal as words
from loopgraph.author.packs import Pack
from loopgraph.author.wording import say
from loopgraph.hosts import HOSTS
from loopgraph.hosts import nearest as nearest_host
from loopgraph.model import knobs
from loopgraph.model.errors import UsageError, nearest
from loopgraph.model.facts import Facts, FoundGate
from loopgraph.model.languages import LANGUAGES, Language
from loopgraph.model.messages import N_, _
from loopgraph.model.spec import Answer

LIMIT: Final = 3
"""No interview asks more questions than this."""

Origin = Literal[
    "command line", "answers file", "recommended", "owner", "earlier run", "user defaults"
]
"""Who gave an answer; `owner` is the person at the terminal."""


class Key(NamedTuple):
    """Something that may be answered ahead, by flag, `--set` or answers file."""

    name: str
    choices: tuple[str, ...]
    """The allowed answers; empty for free text."""
    means: str


KEYS: Final[tuple[Key, ...]] = (
    Key("goal", (), N_("what the run is for, in your own words")),
    Key("north_star.outcome", (), N_("what must be true when the run ends; the goal where absent")),
    Key("north_star.proof", (), N_("the command or observation that decides it")),
    Key(
        "authority",
        ("A", "B", "C"),
        N_("A local edits and checkpoint commits, B no commit, C A plus authority.bar"),
    ),
    Key("authority.bar", (), N_("for C: what is pre-authorized, and the evidence that opens it")),
    Key(
        "milestones",
        ("pack", "single"),
        N_("the pack's split, or one goal without boundaries; in a file also a list of your own"),
    ),
    Key(
        "gate",
        (),
        N_("the command that decides; `observe: …` for an observation; `none` (needs --anyway)"),
    ),
    Key(
        "gates_except",
        (),
        N_("found gates to leave out, separated by commas: a kind such as `lint`, or a command"),
    ),
    Key("launch", ("print",), N_("print the prompts to paste")),
    Key("host", tuple(HOSTS), N_("where the nodes run")),
    Key("supervisor_host", tuple(HOSTS), N_("where the supervisor runs, if elsewhere")),
    Key("client", (), N_("the executor's client executable, for hosts that start one")),
    Key("supervisor", ("yes", "no"), N_("whether a separate node audits the work")),
    Key("lang", LANGUAGES, N_("the language of the run's files")),
    Key("slug", (), N_("the run's name after its date")),
    Key("scope", (), N_("the folder that may be changed, relative to the root")),
    Key(
        "production",
        (),
        N_("globs of production code, separated by commas; the rest counts as none"),
    ),
    Key("budget", (), N_("what metered work may cost, with number and unit, such as `20 USD`")),
    Key("scout", (), N_("a brief for a third node that only reads and reports")),
    Key("shell", ("posix", "powershell"), N_("the shell that command lines are quoted for")),
)
BY_NAME: Final[Mapping[str, Key]] = {key.name: key for key in KEYS}

Answers = Mapping[str, Answer]


class Option(NamedTuple):
    """One answer to a question."""

    letter: str
    value: str
    text: str
    free: bool = False
    """Choosing it asks for a line of the owner's own words."""
    also: tuple[tuple[str, str], ...] = ()
    """Other keys that are answered with it, each with its value."""


class Question(NamedTuple):
    """One owner decision; the first option is the recommended one, and none means free text."""

    key: str
    text: str
    options: tuple[Option, ...]
    offered: str = ""
    """For free text: what stands there already, to be edited."""
    missing: str = ""
    """For free text: what is said where nobody can be asked."""


class Asker(Protocol):
    """Someone who answers: a terminal, or the recommendations."""

    origin: Origin

    def __call__(self, question: Question, number: int, /) -> str | None:
        """The value of the chosen option; None goes back to the question before.

        `number` counts the questions from 1.
        """
        ...


class Recommended:
    """Answers as we recommend: the asker behind `--yes`."""

    origin: Origin = "recommended"

    def __call__(self, question: Question, _number: int = 1, /) -> str:
        """The first option's value."""
        if not question.options:
            raise UsageError(question.missing, where=question.key)
        return question.options[0].value


class Nobody:
    """Refuses to answer: neither a terminal nor `--yes`."""

    origin: Origin = "recommended"

    def __call__(self, question: Question, _number: int = 1, /) -> str:
        """Say which answer is missing and what the choices are."""
        choices = _("; ").join(
            _("{value} ({text})", value=option.value, text=option.text)
            if not option.free
            else option.text
            for option in question.options
        )
        raise UsageError(
            _("no answer, and no terminal to ask in"),
            where=question.key,
            fix=_(
                "Give --yes, or --set {key}=… with one of: {choices}",
                key=question.key,
                choices=choices,
            ),
        )


_TRUTHS: Final = {"true": "yes", "on": "yes", "false": "no", "off": "no"}


def accept(
    name: str, value: object, origin: Origin, pack: Pack | None = None, *, where: str = ""
) -> Answer:
    """Check the key and shape of one answer given ahead; knobs are checked by their own table.

    `where` is the place in a file, if it is from one.
    """
    if name in knobs.BY_NAME:
        return Answer(name, str(value), origin)
    where = where or f"{name} ({origin})"
    extra = {question.key: question for question in pack.questions} if pack else {}
    key = BY_NAME.get(name)
    if key is None and name not in extra:
        known = [*BY_NAME, *knobs.BY_NAME, *extra]
        raise UsageError(_("no such key"), where=where, fix=nearest(name, known))
    choices = key.choices if key else tuple(option.value for option in extra[name].options)
    text = str(value)
    if "yes" in choices:
        text = _TRUTHS.get(text.strip().casefold(), text)
    elif isinstance(value, bool) or not isinstance(value, str | int | float):
        kinds = {bool: _("a truth value"), list: _("a list"), dict: _("a map")}
        raise UsageError(
            _(
                "one line of text is wanted here, not {kind}",
                kind=kinds.get(type(value), _("something else")),
            ),
            where=where,
            fix=_("Put it in quotes.") if isinstance(value, bool) else _("Write it in one line."),
        )
    if not choices:
        return Answer(name, text, origin)
    folded = {choice.casefold(): choice for choice in choices}
    chosen = folded.get(text.strip().casefold())
    if chosen is None:
        raise UsageError(
            _("{text} is none of the choices", text=repr(text)),
            where=where,
            fix=nearest_host(text) if set(choices) == set(HOSTS) else nearest(text, choices),
        )
    return Answer(name, chosen, origin)


def goal_question(pack: str = "") -> Question:
    """What the run is for: asked in a terminal where neither owner nor pack has said it."""
    return Question(
        "goal",
        _("What should be true when the run ends? One line, in your own words."),
        (),
        missing=_("the pack {pack} has no North Star of its own", pack=pack),
    )


def open_questions(
    facts: Facts, pack: Pack, given: Answers, *, lang: Language = "en", split: bool = True
) -> tuple[Question, ...]:
    """What only the owner can decide and has not, in order; never more than LIMIT.

    `split` is false where the owner gave milestones of their own.
    """
    goal = given["goal"].value if "goal" in given else ""
    wanted = [
        _proof(goal, pack, facts, given, lang),
        None if "authority" in given else authority(given, goal, lang),
        *(pack_question(pack, ask.key) for ask in pack.questions if ask.key not in given),
        _milestones(pack) if split and "milestones" not in given else None,
        None if "gate" in given else _gate(facts.gates),
    ]
    return tuple(question for question in wanted if question)[:LIMIT]


def _letters(options: list[Option]) -> tuple[Option, ...]:
    return tuple(option._replace(letter="ABCDEFGHI"[at]) for at, option in enumerate(options))


def _proof(goal: str, pack: Pack, facts: Facts, given: Answers, lang: Language) -> Question | None:
    """Asked where neither the goal's words nor the pack say what decides."""
    if pack.proof or "north_star.proof" in given or words.checkable(goal):
        return None
    return proof(facts, lang)


def proof(facts: Facts, lang: Language) -> Question:
    """What decides that the goal was reached."""
    drafts = [say("proof.consumer", lang)]
    tests = [gate for gate in facts.gates if gate.kind == "test"]
    drafts += [say("proof.test", lang, command=gate.command) for gate in tests[:1]]
    options = [Option("", draft, draft) for draft in drafts]
    own = Option("", "", _("in your own words: a command or an observation"), free=True)
    return Question(
        "north_star.proof", _("What decides that the goal was reached?"), _letters([*options, own])
    )


def authority(given: Answers, goal: str, lang: Language) -> Question:
    """What the nodes may do: A with local commits, B without, C with one call opened ahead."""
    supervisor = given.get("supervisor")
    alone = supervisor is not None and supervisor.value == "no"
    commits = (
        _("local edits and checks; you commit; no push")
        if alone
        else _("local edits and checks; the second agent commits audited work locally; no push")
    )
    bar = given["authority.bar"].value if "authority.bar" in given else draft(goal, lang)
    return Question(
        "authority",
        _("What may the agents do without asking?"),
        (
            Option("A", "A", commits),
            Option("B", "B", _("local edits and checks, and no commit at all")),
            Option(
                "C", "C", _("A, and one decision of yours allowed ahead: {bar}", bar=bar),
                also=(("authority.bar", bar),),
            ),
        ),
    )  # fmt: skip


def draft(goal: str, lang: Language) -> str:
    """The pre-authorization that this goal most likely asks for, with its evidence bar."""
    return say(f"bar.{words.call_on_path(goal)}", lang)


def pack_question(pack: Pack, key: str) -> Question:
    """A question of the pack's own."""
    (found,) = (question for question in pack.questions if question.key == key)
    return Question(
        key, found.text, _letters([Option("", one.value, one.text) for one in found.options])
    )


def _milestones(pack: Pack) -> Question | None:
    return milestones(pack) if len(pack.milestones) > 1 else None


def milestones(pack: Pack) -> Question:
    """The pack's split, or none: asked only where the pack has one."""
    stages = _("; ").join(f"{stage.id} {stage.outcome}" for stage in pack.milestones)
    return Question(
        "milestones",
        _("How is the work split?"),
        (
            Option("A", "pack", stages),
            Option("B", "single", _("one goal, without audits in between")),
        ),
    )


def _gate(gates: tuple[FoundGate, ...]) -> Question | None:
    """Asked when nothing decides, or several commands claim to."""
    return None if len(_deciding(gates)) == 1 else gate(gates)


def _deciding(gates: tuple[FoundGate, ...]) -> list[FoundGate]:
    """The gates that claim to decide: a part of the checks, such as `test:browser`, does not."""
    whole = [gate for gate in gates if not gate.also]
    return [gate for gate in whole if gate.kind == "test"] or whole


def gate(gates: tuple[FoundGate, ...]) -> Question:
    """Which command decides: the best that was found, another one, or an observation."""
    tests = _deciding(gates)
    found = [
        Option("", each.command, f"{each.command} ({each.file}:{each.line})") for each in tests[:2]
    ]
    observe = Option("", "observe", _("no command: somebody looks at the proof each time"))
    own = Option("", "", _("a command of your own"), free=True)
    text = (
        _("Which command tells whether the work is good?")
        if tests
        else _("No test or check command was found. What decides?")
    )
    last = [own] if len(found) < 2 else []  # noqa: PLR2004  three letters are enough
    return Question("gate", text, _letters([*found, observe, *last]))


class Step(NamedTuple):
    """A question that was asked, and every answer it gave."""

    key: str
    answers: tuple[Answer, ...]


def said(steps: tuple[Step, ...]) -> dict[str, Answer]:
    """The answers of all steps."""
    return {answer.key: answer for step in steps for answer in step.answers}


def hold(
    questions: Callable[[Answers], tuple[Question, ...]],
    asker: Asker,
    steps: tuple[Step, ...] = (),
) -> tuple[Step, ...]:
    """Ask until nothing is open or the limit is reached; going back forgets the last answer.

    `questions` gets what was said so far, since one answer may settle or open another.
    """
    while len(steps) < LIMIT:
        wanted = questions(said(steps))
        if not wanted:
            break
        question = wanted[0]
        value = asker(question, len(steps) + 1)
        steps = steps[:-1] if value is None else (*steps, step(question, value, asker.origin))
    return steps


def step(question: Question, value: str, origin: Origin) -> Step:
    """A question with its answer, and what is answered with it."""
    also = next((option.also for option in question.options if option.value == value), ())
    pairs = ((question.key, value), *also)
    return Step(question.key, tuple(Answer(key, text, origin) for key, text in pairs))
