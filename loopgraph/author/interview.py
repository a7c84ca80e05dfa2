"""The questions an owner may be asked, as data, and the answers that may be given ahead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple, Protocol

from loopgraph.author.packs import Pack
from loopgraph.author.wording import LANGUAGES
from loopgraph.hosts import HOSTS
from loopgraph.model import knobs
from loopgraph.model.errors import UsageError, nearest
from loopgraph.model.facts import Facts, FoundGate
from loopgraph.model.spec import Answer

LIMIT: Final = 3
"""No interview asks more questions than this."""

Origin = Literal["command line", "answers file", "recommended", "owner"]


class Key(NamedTuple):
    """Something that may be answered ahead, by flag, `--set` or answers file."""

    name: str
    choices: tuple[str, ...]
    """The allowed answers; empty for free text."""
    means: str


KEYS: Final[tuple[Key, ...]] = (
    Key("goal", (), "what the run is for, in your own words"),
    Key("north_star.outcome", (), "what must be true when the run ends; the goal where absent"),
    Key("north_star.proof", (), "the command or observation that decides it"),
    Key("authority", ("A", "B", "C"), "A local edits and checkpoint commits, B no commit, C A plus authority.bar"),
    Key("authority.bar", (), "for C: what is pre-authorized, and the evidence that opens it"),
    Key("milestones", ("pack", "single"), "the pack's split, or one goal without boundaries; in a file also a list"),
    Key("gate", (), "the command that decides; `observe: …` for an observation; `none` (needs --anyway)"),
    Key("launch", ("print",), "print the prompts to paste"),
    Key("host", tuple(HOSTS), "where the nodes run"),
    Key("supervisor_host", tuple(HOSTS), "where the supervisor runs, if elsewhere"),
    Key("client", (), "the executor's client executable, for hosts that start one"),
    Key("supervisor", ("yes", "no"), "whether a separate node audits the work"),
    Key("lang", LANGUAGES, "the language of the run's files"),
    Key("slug", (), "the run's name after its date"),
    Key("scope", (), "the folder that may be changed, relative to the root"),
    Key("production", (), "globs of production code, separated by commas; the rest counts as none"),
    Key("budget", (), "what metered work may cost, with number and unit, such as `20 USD`"),
    Key("scout", (), "a brief for a third node that only reads and reports"),
    Key("shell", ("posix", "powershell"), "the shell that command lines are quoted for"),
)
BY_NAME: Final[Mapping[str, Key]] = {key.name: key for key in KEYS}

Answers = Mapping[str, Answer]


class Option(NamedTuple):
    """One answer to a question."""

    letter: str
    value: str
    text: str


class Question(NamedTuple):
    """One owner decision; the first option is the recommended one."""

    key: str
    text: str
    options: tuple[Option, ...]


class Asker(Protocol):
    """Someone who answers: a terminal, or the recommendations."""

    origin: Origin

    def __call__(self, question: Question) -> str:
        """The value of the chosen option."""
        ...


class Recommended:
    """Answers as we recommend: the asker behind `--yes`."""

    origin: Origin = "recommended"

    def __call__(self, question: Question) -> str:
        """The first option's value."""
        return question.options[0].value


class Nobody:
    """Refuses to answer: neither a terminal nor `--yes`."""

    origin: Origin = "recommended"

    def __call__(self, question: Question) -> str:
        """Say which answer is missing and what the choices are."""
        choices = "; ".join(f"{option.value} ({option.text})" for option in question.options)
        raise UsageError(
            "no answer, and no terminal to ask in",
            where=question.key,
            fix=f"Give --yes, or --set {question.key}=… with one of: {choices}",
        )


def accept(name: str, value: object, origin: Origin, pack: Pack | None = None) -> Answer:
    """Check the key and shape of one answer given ahead; knobs are checked by their own table."""
    if name in knobs.BY_NAME:
        return Answer(name, str(value), origin)
    extra = {question.key: question for question in pack.questions} if pack else {}
    key = BY_NAME.get(name)
    if key is None and name not in extra:
        known = [*BY_NAME, *knobs.BY_NAME, *extra]
        raise UsageError("no such key", where=f"{name} ({origin})", fix=nearest(name, known))
    if isinstance(value, bool):  # YAML reads a bare yes or no as a truth value
        value = "yes" if value else "no"
    if not isinstance(value, str | int | float):
        raise UsageError("one line of text is wanted here", where=f"{name} ({origin})")
    text = str(value)
    choices = key.choices if key else tuple(option.value for option in extra[name].options)
    if not choices:
        return Answer(name, text, origin)
    folded = {choice.casefold(): choice for choice in choices}
    chosen = folded.get(text.strip().casefold())
    if chosen is None:
        raise UsageError(
            f"{text!r} is none of the choices",
            where=f"{name} ({origin})",
            fix=nearest(text, choices),
        )
    return Answer(name, chosen, origin)


def open_questions(facts: Facts, pack: Pack, given: Answers) -> tuple[Question, ...]:
    """What only the owner can decide and has not, in order; never more than LIMIT."""
    wanted = [
        None if "authority" in given else _authority(supervised=_supervised(given)),
        None if "gate" in given else _gate(facts.gates),
        *(
            Question(
                question.key,
                question.text,
                tuple(
                    Option("ABC"[place], option.value, option.text)
                    for place, option in enumerate(question.options)
                ),
            )
            for question in pack.questions
            if question.key not in given
        ),
    ]
    return tuple(question for question in wanted if question)[:LIMIT]


def _supervised(given: Answers) -> bool:
    answer = given.get("supervisor")
    return answer is None or answer.value == "yes"


def _authority(*, supervised: bool) -> Question:
    commits = (
        "local edits and checks; the supervisor commits audited work locally; no push"
        if supervised
        else "local edits and checks; you commit; no push"
    )
    return Question(
        "authority",
        "What may the nodes do without asking?",
        (
            Option("A", "A", commits),
            Option("B", "B", "local edits and checks, and no commit at all"),
        ),
    )


def _gate(gates: tuple[FoundGate, ...]) -> Question | None:
    """Asked when nothing decides, or several commands claim to."""
    tests = [gate for gate in gates if gate.kind == "test"] or list(gates)
    observe = Option(
        "C" if tests else "A", "observe", "no command: the North Star's proof is observed each time"
    )
    if len(tests) == 1:
        return None
    if not tests:
        return Question("gate", "No gate command was found. What decides?", (observe,))
    options = tuple(
        Option("AB"[place], gate.command, f"{gate.command} ({gate.file}:{gate.line})")
        for place, gate in enumerate(tests[:2])
    )
    return Question("gate", "Which command decides whether a round is good?", (*options, observe))


def ask(questions: Iterable[Question], asker: Asker) -> dict[str, Answer]:
    """Put each question to the asker, in order."""
    return {
        question.key: Answer(question.key, asker(question), asker.origin) for question in questions
    }
