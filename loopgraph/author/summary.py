"""The summary before a run is written: every assumption, where it came from, how to change it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from loopgraph.author import interview
from loopgraph.author.gates import OWNER, PROOF
from loopgraph.author.interview import Option, Question
from loopgraph.author.resolve import Wish
from loopgraph.hosts import HOSTS
from loopgraph.model.facts import HostFact
from loopgraph.model.knobs import BY_NAME, KNOBS, SOURCE_NAMES, Source
from loopgraph.model.languages import LANGUAGES
from loopgraph.model.messages import N_, _
from loopgraph.model.spec import Answer, Gate, RunSpec
from loopgraph.plain.quoting import visible

KNOB: Final = "KNOB"
"""The key of the row that changes any knob: its answer is `NAME=VALUE`."""
PRESET: Final = "preset"

_SHOWN: Final = 3
_LONG: Final = 400
_ORIGINS: Final = {
    "owner": N_("you"),
    "command line": N_("command line"),
    "answers file": N_("answers file"),
    "recommended": N_("recommended"),
    "earlier run": N_("the earlier run"),
    "user defaults": N_("your defaults"),
    "default": N_("default"),
    "pack": N_("preset"),
}
_HOW: Final = {
    "environment": N_("found by its environment variable {evidence}"),
    "process": N_("found as the calling process {evidence}"),
    "PATH": N_("found on PATH as {evidence}"),
}
_SHORT: Final = (
    *(PRESET, "authority", "authority.bar", "gate", "host", "supervisor", "scope"),
    *("EXEC_INTERVAL", "carried"),
)
"""Rows that are told also where nobody is asked."""


class Row(NamedTuple):
    """One assumption."""

    key: str
    """The answer it stands for."""
    label: str
    value: str
    source: str
    """Where it came from, in a few words."""
    edit: Question | None
    """How it is changed; None where it only follows from others."""


class Choice(NamedTuple):
    """The pack that was taken."""

    why: str
    """Who named it, or which word of the goal spoke for it."""
    names: tuple[str, ...]
    """The packs that could be taken instead; empty for a pack named by its path."""


def rows(wish: Wish, spec: RunSpec, choice: Choice) -> tuple[Row, ...]:
    """Every assumption of a run, in the order in which an owner decides."""
    return tuple(
        row
        for row in (
            *_aim(wish, spec, choice),
            *_authority(wish, spec),
            *_pack(wish),
            *_work(wish, spec),
            *_nodes(wish, spec),
            *_files(wish, spec),
        )
        if row.value
    )


def warnings(spec: RunSpec, absent: Collection[str] = ()) -> tuple[str, ...]:
    """What an owner ought to know before the nodes start, one sentence each.

    `absent` are programs that are not to be found here.
    """
    facts = spec.facts
    said: list[str] = []
    if "git" in absent:
        said.append(
            _("git is not on PATH: nothing can be compared or committed; install 2.31 or newer")
        )
    elif not facts.repositories:
        said.append(
            _("no git repository here: nothing can be compared or committed; git init comes first")
        )
    active = [run.slug for run in facts.earlier if run.status == "active"]
    if active:
        said.append(
            _(
                "active here already: {names}; two runs in one tree overwrite each other: end it "
                "(loopgraph finish closed --run {first} --why …), hold it (loopgraph stop "
                "{first}), or make this one in a git worktree of its own",
                names=", ".join(active),
                first=active[0],
            )
        )
    dirty = [path.path for repository in facts.repositories for path in repository.dirty]
    count = sum(repository.dirty_count for repository in facts.repositories)
    if count:
        shown = ", ".join(dirty[:_SHOWN]) + (" …" if count > _SHOWN else "")
        said.append(
            _(
                "changed and not committed: {count} ({names}); what the agents write there stays "
                "uncommitted: commit or stash first",
                count=str(count),
                names=shown,
            )
        )
    return tuple(said)


def short(all_rows: Iterable[Row], pack_keys: Iterable[str]) -> tuple[Row, ...]:
    """The rows that are told even where nobody is asked."""
    wanted = {*_SHORT, *pack_keys}
    return tuple(row for row in all_rows if row.key in wanted)


def origin(answer: Answer | None, otherwise: str = "") -> str:
    """Who gave an answer, as a person reads it."""
    if answer is None:
        return otherwise or _(_ORIGINS["default"])
    return _(_ORIGINS.get(answer.source, answer.source))


def host_found(found: HostFact | None, client: str = "") -> str:
    """How the host was found; a client that was named says nothing about it."""
    if found is None and client:
        return _("the default: {client} does not say which host; see --host", client=client)
    if found is None:
        return _("no client was found, so the default")
    return _(_HOW[found.how], evidence=found.evidence)


def _line(key: str, text: str, offered: str = "") -> Question:
    return Question(key, text, (), offered=offered)


def _pick(key: str, text: str, values: Iterable[tuple[str, str]]) -> Question:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    options = (Option(letters[at], value, said) for at, (value, said) in enumerate(values))
    return Question(key, text, tuple(options))


def _first(question: Question, value: str) -> Question:
    """The question with the answer that holds now in first place, so that Enter keeps it."""
    now = [option for option in question.options if option.value == value and not option.free]
    rest = [option for option in question.options if option not in now]
    return question._replace(
        options=tuple(
            option._replace(letter="ABCDEFGHI"[at]) for at, option in enumerate([*now, *rest])
        )
    )


def _aim(wish: Wish, spec: RunSpec, choice: Choice) -> Iterator[Row]:
    goal, proof = wish.answers.get("goal"), wish.answers.get("north_star.proof")
    own = spec.north_star.outcome
    if spec.goal:
        ask = _line("goal", _("What should be true when the run ends?"), spec.goal)
        yield Row("goal", _("goal"), spec.goal, origin(goal), ask)
    if own != spec.goal:
        source = origin(wish.answers.get("north_star.outcome"), _("preset"))
        ask = _line("north_star.outcome", _("What should be true when the run ends?"), own)
        yield Row("north_star.outcome", _("outcome"), own, source, ask)
    names = _pick(PRESET, _("Which preset?"), ((name, name) for name in choice.names))
    shown = wish.pack.text.name
    if wish.pack.text.origin not in ("built-in", "user"):
        shown = f"{shown} ({wish.pack.text.origin})"
    edit = _first(names, wish.pack.text.name) if len(choice.names) > 1 else None
    yield Row(PRESET, _("preset"), shown, choice.why, edit)
    source = origin(proof, _("preset") if wish.pack.proof else _("the goal's own words"))
    said = spec.north_star.proof
    ask = _line("north_star.proof", _("What decides that the goal was reached?"), said)
    yield Row("north_star.proof", _("proof"), said, source, ask)


def _authority(wish: Wish, spec: RunSpec) -> Iterator[Row]:
    question = interview.authority(wish.answers, spec.goal, spec.lang)
    chosen = spec.authority.choice
    said = next(option.text for option in question.options if option.value == chosen)
    if chosen == "C":
        said = _("A, and one decision of yours allowed ahead")
    given = wish.answers.get("authority")
    yield Row(
        "authority",
        _("may do unasked"),
        _("{choice}: {said}", choice=chosen, said=said),
        origin(given, _("recommended")),
        question,
    )
    bar = spec.authority.bar
    if bar:
        ask = _line("authority.bar", _("What is allowed ahead, and what evidence allows it?"), bar)
        source = origin(wish.answers.get("authority.bar"))
        yield Row("authority.bar", _("allowed ahead"), bar, source, ask)
    listed = _("; ").join(spec.authority.owner_only)
    yield Row(
        "owner_only", _("only you decide"), listed, _("the rights above, and the preset"), None
    )


def _pack(wish: Wish) -> Iterator[Row]:
    for question in wish.pack.questions:
        given = wish.answers.get(question.key)
        asked = interview.pack_question(wish.pack, question.key)
        value = given.value if given else ""
        said = next((one.text for one in asked.options if one.value == value), value)
        yield Row(question.key, question.label, said, origin(given), asked)


def _work(wish: Wish, spec: RunSpec) -> Iterator[Row]:
    answers = wish.answers
    if len(spec.milestones) > 1:
        said = _("; ").join(f"{stage.id} {stage.outcome}" for stage in spec.milestones)
        asked = interview.milestones(wish.pack) if len(wish.pack.milestones) > 1 else None
        source = _("answers file") if wish.milestones else _("preset")
        source = _(_ORIGINS["earlier run"]) if spec.carried and wish.milestones else source
        given = answers.get("milestones")
        yield Row("milestones", _("milestones"), said, origin(given, source), asked)
    named = wish.answers.get("gate")
    deciding = [_decides(gate, named) for gate in spec.gates]
    said = _("; ").join(deciding) or _("none")
    source = spec.gates[0].source if spec.gates else ""
    found = source if source not in (OWNER, PROOF) else ""
    nothing = (
        _("all that was found is left out: the proof is observed")
        if wish.facts.gates
        else _("nothing found: the proof is observed")
    )
    where = found or origin(named, nothing)
    yield Row("gate", _("checked by"), said, where, interview.gate(wish.facts.gates))
    if wish.facts.gates:
        out = answers["gates_except"].value if "gates_except" in answers else ""
        kinds = ", ".join(dict.fromkeys(gate.kind for gate in wish.facts.gates))
        ask = _line(
            "gates_except", _("Which found gates are left out? Of: {kinds}", kinds=kinds), out
        )
        shown = out or _("none")
        yield Row(
            "gates_except", _("checks left out"), shown, origin(answers.get("gates_except")), ask
        )
    ask = _line("scope", _("Which folder may be changed? `.` is all of it."), spec.scope)
    whole = _("the whole workspace") if spec.scope == "." else spec.scope
    yield Row("scope", _("may change"), whole, origin(answers.get("scope")), ask)
    globs = ", ".join(spec.production)
    ask = _line("production", _("Globs of production code, separated by commas:"), globs)
    shown = globs or _("all but tests, docs, locks and generated files")
    yield Row("production", _("production code"), shown, origin(answers.get("production")), ask)
    ask = _line("budget", _("What may metered work cost? Number and unit:"), spec.budget)
    nothing = _("nothing metered may be used")
    yield Row("budget", _("budget"), spec.budget or nothing, origin(answers.get("budget")), ask)
    kind = wish.facts.repository_class or ""
    yield Row(
        "class", _("kind of project"), kind, _("inferred from CI, tests and publishing"), None
    )


def _decides(gate: Gate, named: Answer | None) -> str:
    """A gate in a word; one that nobody has named is told from one that somebody has."""
    said = gate.command or gate.observation
    own = gate.source in (OWNER, PROOF) or (named is not None and named.value.strip() == said)
    return said if own else _("{said} [found]", said=said)


def _nodes(wish: Wish, spec: RunSpec) -> Iterator[Row]:
    answers = wish.answers
    executor, supervisor = spec.node("executor"), spec.node("supervisor")
    host = executor.host if executor else ""
    titles = ((name, _(one.TITLE)) for name, one in HOSTS.items())
    hosts = _pick("host", _("Where do the agents run?"), titles)
    shown = _(HOSTS[host].TITLE) if host in HOSTS else host
    client = visible(answers["client"].value) if "client" in answers else ""
    source = origin(answers.get("host"), host_found(wish.host, client))
    yield Row("host", _("runs in"), shown, source, _first(hosts, host))
    yes = _("yes, a second agent audits the work")
    no = _("no, you accept milestones")
    elsewhere = supervisor.host if supervisor and supervisor.host != host else ""
    other = f" ({_(HOSTS[elsewhere].TITLE)})" if elsewhere else ""
    asked = _pick(
        "supervisor", _("Does a second agent audit the work?"), (("yes", yes), ("no", no))
    )
    edit = None if wish.pack.text.supervisor_required else asked
    source = origin(
        answers.get("supervisor"), _("required by the preset") if edit is None else _("recommended")
    )
    yield Row("supervisor", _("second agent"), (yes if supervisor else no) + other, source, edit)
    pace = [_("the worker every {interval}", interval=executor.interval)] if executor else []
    pace += (
        [_("the second agent every {interval}", interval=supervisor.interval)] if supervisor else []
    )
    ask = _line(
        "EXEC_INTERVAL", _("How often does the worker wake? Such as 10m or 1h:"),
        executor.interval if executor else "",
    )  # fmt: skip
    source = _(_ORIGINS.get(spec.knobs["EXEC_INTERVAL"].source, "default"))
    yield Row("EXEC_INTERVAL", _("wakes up"), _(", ").join(pace), source, ask)
    if spec.scout:
        ask = _line("scout", _("What does the scout look for?"), spec.scout)
        yield Row("scout", _("scout"), spec.scout, origin(answers.get("scout")), ask)


def _files(wish: Wish, spec: RunSpec) -> Iterator[Row]:
    answers = wish.answers
    usual = SOURCE_NAMES[Source.DEFAULT]
    own = [
        f"{name}={visible(str(found.value))}"
        for name, found in spec.knobs.items()
        if found.source != usual and BY_NAME[name].kind != "interval"
    ]
    sources = dict.fromkeys(
        _(_ORIGINS.get(found.source, found.source))
        for name, found in spec.knobs.items()
        if found.source != usual and BY_NAME[name].kind != "interval"
    )
    names = ", ".join(knob.name for knob in KNOBS)
    ask = _line(KNOB, _("Change a number: NAME=VALUE. Names: {names}", names=names))
    yield Row(
        KNOB, _("fine-tuning"), _("; ").join(own) or _("all at their defaults"),
        _(", ").join(sources) or _(_ORIGINS["default"]), ask,
    )  # fmt: skip
    if len(LANGUAGES) > 1:
        langs = _pick("lang", _("Language of the files?"), ((lang, lang) for lang in LANGUAGES))
        given = answers.get("lang")
        said = None if given and given.source == "recommended" else given
        source = origin(said, _("the locale"))
        yield Row("lang", _("language"), spec.lang, source, _first(langs, spec.lang))
    if spec.carried:
        yield Row("carried", _("carried over"), carried(spec), spec.carried.run, None)
    ask = _line("slug", _("The run's name after its date:"), spec.slug[11:])
    yield Row("slug", _("written to"), f".longgraph/{spec.slug}/", _("date, preset, goal"), ask)


def carried(spec: RunSpec) -> str:
    """What a successor brings along, counted."""
    if spec.carried is None:
        return ""
    kept = spec.carried
    return _(
        "{standing} standing entries, {gaps} debt rows, {gates} open gates, {metrics} metrics",
        standing=len(kept.standing),
        gaps=len(kept.gaps),
        gates=len(kept.gates),
        metrics=len(kept.metrics),
    )


def shortened(text: str, most: int = _LONG) -> str:
    """A long text's beginning, with how long it is in all; nothing is cut without saying so."""
    said = " ".join(text.split())
    if len(said) <= most:
        return said
    return said[: most // 2].rstrip() + " … " + _("({count} characters in all)", count=len(text))
