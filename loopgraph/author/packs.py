"""A pack: what one kind of goal brings to a run, read from YAML as data and never as a template."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Final, NoReturn

import msgspec
import yaml
from msgspec import Meta, Struct

from loopgraph.edges import record
from loopgraph.model import knobs
from loopgraph.model.errors import UsageError, nearest
from loopgraph.model.languages import LANGUAGES, Language
from loopgraph.model.messages import N_, _
from loopgraph.model.spec import Emphasis, Milestone, Origin, PackText
from loopgraph.plain import quoting
from loopgraph.plain import text as plain

NAME: Final = r"[a-z0-9]+(-[a-z0-9]+)*"
"""How a pack may be named, and a slug be written."""

SLUG_LENGTH: Final = 24
LABEL_LENGTH: Final = 24
"""Characters of a question's label: it heads a line of the summary."""
TEXT_LENGTH: Final = 600
"""Characters of one text."""
DEPTH: Final = 8
"""How deep the data of a pack is nested at most; its deepest text is at five."""
EXECUTOR_BYTES: Final = 3_200
SUPERVISOR_BYTES: Final = 1_200
"""What a pack may add to a prompt, so that the prompt stays within its own limit."""
LIVE_BYTES: Final = 1_200
"""What a pack may add to each of ledger.md, directives.md and ops.md."""
LIST_LENGTH: Final = 16
"""Sentences of one list, milestones apart: each becomes a line."""

CORE_KEYS: Final = frozenset(
    {
        "goal", "north_star", "authority", "milestones", "gate", "gates_except", "launch", "host",
        "supervisor_host", "client", "supervisor", "lang", "slug", "scope", "production",
        "budget", "scout", "shell", *(name.lower() for name in knobs.BY_NAME),
    }
)  # fmt: skip
"""Answer keys of the interview itself; a pack's question may not take one."""

DISCOVERY_KNOBS: Final = ("FIRE_OUTPUT_FLOOR", "YIELD_FLOOR")
"""What a discovery-driven pack has to set."""

GRAPH_WORDS: Final = frozenset(
    word + ending
    for word in ("node", "edge", "writer", "reader", "file", "timer", "template", "host")
    for ending in ("", "s")
) | {"graph", "scout", "findings", "handoff", "contract"}
"""Keys under which somebody may try to change the graph."""

GRAPH_LAW: Final = N_(
    "A pack sets text, knobs and emphasis; it cannot add a node, an edge, a file or a timer"
)


@dataclass(frozen=True, slots=True)
class PackOption:
    """One answer to a pack's question."""

    value: str
    text: str
    says: str
    """The sentence that enters STANDING as a SCOPE entry."""


@dataclass(frozen=True, slots=True)
class PackQuestion:
    """A decision of the owner that this kind of goal needs; its first option is recommended."""

    key: str
    text: str
    options: tuple[PackOption, ...]
    label: str = ""
    """What a summary calls it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """A pack in one language, checked."""

    text: PackText
    outcome: str
    """Empty where the owner must say the goal."""
    proof: str
    """Empty where the owner must say it."""
    questions: tuple[PackQuestion, ...]
    knobs: Mapping[str, knobs.Set]
    milestones: tuple[Milestone, ...]
    """Empty for a single goal or a rotation."""

    def weigh(self) -> tuple[int, int]:
        """The bytes that this pack adds to executor.md and to supervisor.md."""
        text = self.text
        stages = (
            part
            for stage in self.milestones
            for part in (stage.outcome, stage.exit_checks, stage.audit_surface, stage.write_set)
        )
        executor = (text.item, *text.plan, *text.guards, *text.emphasis.executor, *stages)
        supervisor = (*text.audits, *text.emphasis.supervisor)
        return _bytes(executor), _bytes(supervisor)


Text = Annotated[str, Meta(min_length=1, extra_json_schema={"text": "Text"})]
"""One line of prose; in the file a string, or a map of languages."""
MaybeText = Annotated[str, Meta(extra_json_schema={"text": "MaybeText"})]
Label = Annotated[str, Meta(extra_json_schema={"text": "Label"})]
"""As Text; empty where the owner must say it."""
Sentences = Annotated[tuple[Text, ...], Meta(max_length=LIST_LENGTH)]
"""Each becomes a line of a file of the run."""


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a pack's file, after a language was chosen."""


class NorthStarPart(Part, frozen=True):
    """Where a run goes, and what decides that it got there."""

    outcome: MaybeText
    proof: MaybeText


class SupervisorPart(Part, frozen=True):
    """Whether the run must have a supervisor, and what it checks beyond the common audit."""

    required: bool
    audits: Sentences


class OptionPart(Part, frozen=True):
    """One answer; `says` enters STANDING as a SCOPE entry."""

    value: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]+$", max_length=32)]
    text: Text
    says: Text


class QuestionPart(Part, frozen=True):
    """A decision that only the owner can take; the first option is the recommended one."""

    key: Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]+$", max_length=32)]
    question: Text
    options: Annotated[tuple[OptionPart, ...], Meta(min_length=2, max_length=3)]
    label: Label = ""
    """What the answer is about, in a word or two, for the summary; the key if left out."""


class MilestonePart(Part, frozen=True):
    """A boundary that is audited before it is crossed."""

    outcome: Text
    exit_checks: Text
    audit_surface: Text
    write_set: Text


class ShapePart(Part, frozen=True):
    """How work is cut: the work item, the plan, and milestones or a rotation."""

    item: Text
    discovery_driven: bool = False
    metric_driven: bool = False
    plan: Sentences = ()
    survey: MaybeText = ""
    milestones: Annotated[tuple[MilestonePart, ...], Meta(max_length=9)] = ()


class EmphasisPart(Part, frozen=True):
    """Facts for one file of the run."""

    executor: Sentences = ()
    supervisor: Sentences = ()
    ledger: Sentences = ()
    directives: Sentences = ()
    ops: Sentences = ()


class PackFile(Part, frozen=True):
    """The eight parts of a pack. It sets text, knobs and emphasis, and changes no graph."""

    north_star: NorthStarPart
    supervisor: SupervisorPart
    interview: Annotated[tuple[QuestionPart, ...], Meta(max_length=3)]
    shape: ShapePart
    guards: Sentences
    knobs: dict[str, Any]
    emphasis: EmphasisPart
    slug: Annotated[str, Meta(pattern=f"^{NAME}$", max_length=SLUG_LENGTH)]


_KINDS: Final[Mapping[str, type[Struct]]] = {
    "": PackFile,
    "north_star": NorthStarPart,
    "supervisor": SupervisorPart,
    "interview[]": QuestionPart,
    "interview[].options[]": OptionPart,
    "shape": ShapePart,
    "shape.milestones[]": MilestonePart,
    "emphasis": EmphasisPart,
}
"""Which keys belong where; `[]` stands for any row of a list."""

_FIXES: Final[Mapping[str, str]] = {
    "slug": N_("Lower-case words joined by hyphens, at most 24 characters, such as tidy-docs"),
    "interview": N_("At most three questions, each with two or three options"),
    "interview[].options": N_("Two or three options, the recommended one first"),
    "interview[].options[].value": N_(
        "One lower-case word of two letters or more; quote yes and no"
    ),
    "interview[].key": N_("One lower-case word of two letters or more, such as surface"),
    "emphasis": N_("A list of sentences for each of executor, supervisor, ledger, directives, ops"),
}


class _Place:
    """Says what is wrong with a pack, naming the pack and the key."""

    def __init__(self, name: str, where: str) -> None:
        self.pack = (
            _("pack {name} ({where})", name=name, where=where)
            if where
            else _("pack {name}", name=name)
        )

    def refuse(self, key: str, what: str, fix: str = "") -> NoReturn:
        where = f"{self.pack}: {key}" if key else self.pack
        raise UsageError(what, where=where, fix=fix) from None


def parse(source: str, *, name: str, where: str, origin: Origin, lang: Language) -> Pack:
    """Read a pack in one language; refuse what is not one, naming the pack and the key."""
    place = _Place(name, where)
    file = _file(source, place, where or name, lang)
    _questions(file.interview, place)
    _discovery(file, place)
    shape, emphasis = file.shape, file.emphasis
    pack = Pack(
        text=PackText(
            name=name,
            version=version(source),
            origin=origin,
            slug=file.slug,
            item=shape.item,
            discovery_driven=shape.discovery_driven,
            metric_driven=shape.metric_driven,
            plan=shape.plan,
            guards=file.guards,
            audits=file.supervisor.audits,
            supervisor_required=file.supervisor.required,
            emphasis=Emphasis(*(getattr(emphasis, key) for key in emphasis.__struct_fields__)),
            survey=shape.survey,
        ),
        outcome=file.north_star.outcome,
        proof=file.north_star.proof,
        questions=tuple(
            PackQuestion(
                ask.key,
                ask.question,
                tuple(PackOption(one.value, one.text, one.says) for one in ask.options),
                ask.label or ask.key,
            )
            for ask in file.interview
        ),
        knobs=_knobs(file.knobs, place),
        milestones=tuple(
            Milestone(f"M-{at}", row.outcome, row.exit_checks, row.audit_surface, row.write_set)
            for at, row in enumerate(shape.milestones, 1)
        ),
    )
    _weight(pack, place)
    return pack


def version(source: str) -> str:
    """First twelve hex digits of the SHA-256 of a pack's LF text."""
    return record.digest(source)[:12]


def untranslated(source: str, where: str) -> tuple[str, ...]:
    """The keys whose text is given in English but not in every language."""
    return tuple(_gaps(record.load_yaml(source, where), ""))


def _gaps(value: object, key: str) -> Iterator[str]:
    if isinstance(value, list):
        for at, row in enumerate(value, 1):
            yield from _gaps(row, f"{key}[{at}]")
    if not isinstance(value, dict):
        return
    if value and value.keys() < set(LANGUAGES):
        yield key
        return
    for name, part in value.items():
        yield from _gaps(part, f"{key}.{name}" if key else str(name))


def schema() -> dict[str, Any]:
    """The published JSON Schema of a pack's file."""
    made = msgspec.json.schema(PackFile)
    parts = _refer(made["$defs"])
    file = parts["PackFile"]
    file["properties"]["knobs"] = {
        "type": "object",
        "properties": {knob.name: _knob_schema(knob) for knob in knobs.KNOBS},
        "additionalProperties": False,
    }
    file["if"] = {
        "properties": {
            "shape": {
                "properties": {"discovery_driven": {"const": True}},
                "required": ["discovery_driven"],
            }
        }
    }
    file["then"] = {"properties": {"knobs": {"required": list(DISCOVERY_KNOBS)}}}
    return {
        "$schema": record.DIALECT,
        "title": "A pack of loopgraph",
        "$ref": made["$ref"],
        "$defs": {
            **parts,
            "Text": _text_schema(1),
            "MaybeText": _text_schema(0),
            "Label": _text_schema(0, LABEL_LENGTH),
        },
    }


def _refer(value: Any) -> Any:
    """The same schema with each text of a pack as a reference to one definition."""
    if isinstance(value, list):
        return [_refer(row) for row in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("text"), str):
        return {"$ref": f"#/$defs/{value['text']}"}
    return {name: _refer(part) for name, part in value.items()}


def _text_schema(least: int, most: int = TEXT_LENGTH) -> dict[str, Any]:
    line = {"type": "string", "minLength": least, "maxLength": most}
    return {
        "description": "One line of prose: a string, or a map of languages.",
        "anyOf": [
            line,
            {
                "type": "object",
                "properties": dict.fromkeys(LANGUAGES, line),
                "required": [LANGUAGES[0]],
                "additionalProperties": False,
            },
        ],
    }


def _knob_schema(knob: knobs.Knob) -> dict[str, Any]:
    said = {"description": f"{knob.meaning} ({knobs.bounds(knob)})"}
    if knob.kind == "text":
        return {**said, "$ref": "#/$defs/Text"}
    if knob.kind == "interval":
        return {**said, "type": "string", "pattern": "^[0-9]{1,4}[mhd]$"}
    return {**said, "type": "integer", "minimum": knob.low, "maximum": knob.high}


def _file(source: str, place: _Place, where: str, lang: Language) -> PackFile:
    _plain(source, place)
    data = _speak(record.load_yaml(source, where), "", lang, place)
    if not isinstance(data, dict):
        place.refuse("", _("not a pack: its eight parts are keys of one mapping"))
    try:
        return msgspec.convert(data, PackFile)
    except msgspec.ValidationError as error:
        _reword(str(error), place)


_Loader: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _plain(source: str, place: _Place) -> None:
    """Refuse an alias and a key given twice: a pack says each thing once, where it stands."""
    nodes: list[yaml.Node] = []
    with suppress(yaml.YAMLError, ValueError, RecursionError):  # load_yaml says it better
        nodes = [node for node in [yaml.compose(source, Loader=_Loader)] if node]
    seen: set[int] = set()
    while nodes:
        node = nodes.pop()
        if id(node) in seen:
            place.refuse(
                _("line {number}", number=node.start_mark.line + 1), _("a pack has no YAML aliases")
            )
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            nodes += node.value
        if isinstance(node, yaml.MappingNode):
            given: set[str] = set()
            for key, value in node.value:
                word = key.value if isinstance(key, yaml.ScalarNode) else None
                if word in given:
                    place.refuse(
                        _("line {number}", number=key.start_mark.line + 1),
                        _("{word} is given twice", word=word),
                    )
                given |= {word} if word is not None else set()
                nodes += (key, value)


_WORD: Final = re.compile(r"[A-Za-z0-9_.-]+")


def _speak(value: Any, key: str, lang: Language, place: _Place, depth: int = 0) -> Any:
    """The same data in one language, every text checked to be one clean line."""
    if depth > DEPTH:
        place.refuse(key, _("nested too deep for a pack"))
    if isinstance(value, str):
        return _line(value, key, place)
    if isinstance(value, list):
        return [
            _speak(row, f"{key}[{at}]", lang, place, depth + 1) for at, row in enumerate(value, 1)
        ]
    if value is None or isinstance(value, bool | int | float):
        return value
    if not isinstance(value, dict):
        place.refuse(key, _("neither text, number, list nor mapping"), _("Quote it, if it is text"))
    if value and value.keys() <= set(LANGUAGES):
        return _choose(value, key, lang, place)
    under = f"{key}." if key else ""
    for name in value:
        if not isinstance(name, str) or not _WORD.fullmatch(name):
            place.refuse(f"{under}{name}", _("a key is one word"), _("Quote it, if it is one"))
    return {
        name: _speak(part, f"{under}{name}", lang, place, depth + 1) for name, part in value.items()
    }


def _choose(words: Mapping[str, object], key: str, lang: Language, place: _Place) -> str:
    """The run's language out of a map of languages, all of which are checked."""
    said: dict[str, str] = {}
    for name, text in words.items():
        if not isinstance(text, str):
            place.refuse(
                f"{key}.{name}",
                _("expected {wanted}, got {found}", wanted=_("text"), found=_called(text)),
            )
        said[name] = _line(text, f"{key}.{name}", place)
    if LANGUAGES[0] not in said:
        place.refuse(
            key, _("en is missing"), _("English stands in for a language that is not there")
        )
    return said.get(lang, said[LANGUAGES[0]])


def _line(text: str, key: str, place: _Place) -> str:
    line = text.strip()
    if len(plain.lines(line)) > 1:
        place.refuse(key, _("a line break where one line is needed"), _("Fold long text with >-"))
    shown = line.replace("<U+", "")
    if quoting.visible(shown) != shown:
        place.refuse(key, _("a control character"), _("Take it out"))
    if len(line) > TEXT_LENGTH:
        place.refuse(
            key,
            _("{count} characters", count=len(line)),
            _("At most {most}", most=TEXT_LENGTH),
        )
    return line


def _called(value: object) -> str:
    number = _("a number")
    names = {bool: _("yes or no"), int: number, float: number, list: _("a list")}
    return _("nothing") if value is None else names.get(type(value), _("a mapping"))


def _knobs(given: Mapping[str, object], place: _Place) -> dict[str, knobs.Set]:
    found: dict[str, knobs.Set] = {}
    for name, value in given.items():
        if name.lower() in GRAPH_WORDS:
            place.refuse(f"knobs.{name}", _("no such knob"), _(GRAPH_LAW))
        try:
            found[name] = knobs.accept(name, value, knobs.Source.PACK)
        except UsageError as error:
            place.refuse(f"knobs.{error.where}", error.what, error.fix)
    return found


_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING: Final = re.compile(r"Object missing required field `(.*)`", re.DOTALL)
_TYPES: Final[Mapping[str, str]] = {
    "array": N_("a list"),
    "object": N_("a mapping"),
    "str": N_("text"),
    "bool": N_("true or false"),
    "int": N_("a number"),
    "float": N_("a number"),
    "null": N_("nothing"),
}
_EXPECTED: Final = re.compile(
    rf"Expected `({'|'.join(_TYPES)})`(?:, got `({'|'.join(_TYPES)})`| of length ([<>]= \d+))"
)


def _worded(said: str) -> str:
    """What the reader of types says about a value, in the words of a person."""
    if " matching regex " in said:
        return _("it may not be written like that")
    found = _EXPECTED.fullmatch(said)
    if found is None:
        return said[:1].lower() + said[1:]
    wanted, got, length = found.groups()
    if got:
        return _("expected {wanted}, got {found}", wanted=_(_TYPES[wanted]), found=_(_TYPES[got]))
    if (wanted, length) == ("str", ">= 1"):
        return _("the text is empty")
    return _("expected {wanted} of length {length}", wanted=_(_TYPES[wanted]), length=length)


def _reword(said: str, place: _Place) -> NoReturn:
    """Turn what the reader of types says into a line that names the key and what to do."""
    said, _mark, path = said.partition(" - at `$")
    key = path.rstrip("`").removeprefix(".")
    kind = re.sub(r"\[\d+\]", "[]", key)
    shown = re.sub(r"\[(\d+)\]", lambda at: f"[{int(at[1]) + 1}]", key)
    under = f"{shown}." if shown else ""
    if found := _UNKNOWN.fullmatch(said):
        what = _("unknown key") if shown else _("unknown part")
        known = _KINDS[kind].__struct_fields__
        graph = found[1].lower() in GRAPH_WORDS
        place.refuse(
            f"{under}{found[1]}", what, _(GRAPH_LAW) if graph else nearest(found[1], known)
        )
    if found := _MISSING.fullmatch(said):
        place.refuse(
            f"{under}{found[1]}", _("it is missing"), "" if shown else _("All eight are needed")
        )
    place.refuse(shown, _worded(said), _(_FIXES[kind]) if kind in _FIXES else "")


def _questions(asked: tuple[QuestionPart, ...], place: _Place) -> None:
    keys = [ask.key for ask in asked]
    for at, ask in enumerate(asked, 1):
        if ask.key in CORE_KEYS:
            place.refuse(
                f"interview[{at}].key",
                _("{key} is a question of loopgraph itself", key=ask.key),
                _("Take another word"),
            )
        if keys.count(ask.key) > 1:
            place.refuse(f"interview[{at}].key", _("{key} is asked twice", key=ask.key))
        if len(ask.label) > LABEL_LENGTH:
            what = _("{count} characters", count=len(ask.label))
            place.refuse(f"interview[{at}].label", what, _("At most {most}", most=LABEL_LENGTH))
        values = [option.value for option in ask.options]
        if len(set(values)) < len(values):
            place.refuse(f"interview[{at}].options", _("two options have the same value"))


def _discovery(file: PackFile, place: _Place) -> None:
    if not file.shape.discovery_driven:
        return
    for name in DISCOVERY_KNOBS:
        if name not in file.knobs:
            place.refuse(f"knobs.{name}", _("it is missing"), _("A discovery-driven pack sets it"))


def _bytes(texts: tuple[str, ...]) -> int:
    return sum(len(text.encode()) for text in texts)


def _weight(pack: Pack, place: _Place) -> None:
    facts = pack.text.emphasis
    executor, supervisor = pack.weigh()
    for file, weight, most in (
        ("executor.md", executor, EXECUTOR_BYTES),
        ("supervisor.md", supervisor, SUPERVISOR_BYTES),
        ("ledger.md", _bytes(facts.ledger), LIVE_BYTES),
        ("directives.md", _bytes(facts.directives), LIVE_BYTES),
        ("ops.md", _bytes(facts.ops), LIVE_BYTES),
    ):
        if weight > most:
            place.refuse(
                "",
                _(
                    "its text adds {weight} bytes to {file}; at most {most}",
                    weight=weight,
                    file=file,
                    most=most,
                ),
                _("Say it shorter"),
            )
