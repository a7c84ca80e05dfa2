"""Facts, answers and a pack become one RunSpec: every choice of a run settled, or refused."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final, Literal, NamedTuple

from loopgraph.author import gates as author_gates
from loopgraph.author import goal as words
from loopgraph.author import naming
from loopgraph.author.interview import Answers
from loopgraph.author.opening import opening
from loopgraph.author.packs import Pack
from loopgraph.author.wording import say
from loopgraph.hosts import HOSTS
from loopgraph.hosts.base import Host
from loopgraph.model import amounts, intervals, knobs, secrets
from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.model.facts import Facts, HostFact
from loopgraph.model.intervals import Interval
from loopgraph.model.knobs import Set
from loopgraph.model.languages import Language
from loopgraph.model.messages import _
from loopgraph.model.spec import (
    Authority,
    Carried,
    ContextRow,
    Detector,
    Gate,
    Milestone,
    NodeSpec,
    NorthStar,
    RunSpec,
)
from loopgraph.plain import paths

DEFAULT_HOST: Final = "claude-code"
_CONTEXT: Final = 8
_AREAS: Final = 12
_CHOICES: Final[Mapping[str, Literal["A", "B", "C"]]] = {"A": "A", "B": "B", "C": "C"}
_BLIND: Final[Mapping[str, str]] = {
    "vulture": "vulture", "ruff": "ruff", "deptry": "deptry", "knip": "knip", "jscpd": "jscpd",
    "coverage": "coverage", "--cov": "coverage", "c8": "coverage", "nyc": "coverage",
    "ts-prune": "exports", "unimported": "exports", "depcheck": "dependencies",
    "cargo": "cargo", "deadcode": "go", "staticcheck": "go",
}  # fmt: skip
"""Words of a detector's command, and the kind of blind spot that goes with it."""
_OWNER_ONLY: Final = ("schema", "remote", "data", "spend", "bar", "contract", "push")


class Wish(NamedTuple):
    """All that a run is made of before it is resolved."""

    facts: Facts
    pack: Pack
    answers: Answers
    milestones: tuple[Milestone, ...]
    """The owner's own list from an answers file; empty where there is none."""
    created: datetime
    """With an offset."""
    host: HostFact | None
    anyway: bool = False
    """The owner goes on where a run would be refused for its own good."""
    carried: Carried | None = None
    """What a successor brings along."""
    absent: tuple[str, ...] = ()
    """Programs that found gates start, and that are not to be found here."""


def resolve(wish: Wish) -> RunSpec:
    """Settle every choice; the directory's name may still get a number (see `renamed`)."""
    answers, pack = wish.answers, wish.pack
    _no_secrets(answers)
    goal = _text(answers, "goal")
    lang = _language(answers)
    north_star = _north_star(goal, pack, answers)
    supervised = _supervised(pack, answers)
    tuned = _knobs(pack, answers)
    nodes, tuned = _nodes(wish, tuned, supervised=supervised)
    hosts = [HOSTS[node.host] for node in nodes]
    chosen = _text(answers, "gate").strip()
    found = author_gates.without(wish.facts.gates, _text(answers, "gates_except"))
    gates = author_gates.gates(found, chosen, north_star.proof, lang, anyway=wish.anyway)
    scope = _scope(answers)
    spec = RunSpec(
        slug=_name(wish, goal),
        created=wish.created.isoformat(timespec="seconds"),
        lang=lang,
        project=wish.facts.project.value,
        goal=goal,
        north_star=north_star,
        pack=pack.text,
        authority=_authority(answers, pack, lang, supervised=supervised),
        scope=scope,
        scout=_text(answers, "scout").strip(),
        nodes=nodes,
        fanout_tier=HOSTS[nodes[0].host].CAPABILITIES.fanout_tier,
        timers=any(host.CAPABILITIES.timers_table for host in hosts),
        shell="powershell" if _text(answers, "shell") == "powershell" else "posix",
        knobs=tuned,
        milestones=_milestones(wish, scope, lang),
        gates=author_gates.marked(gates, wish.absent, lang),
        scopes=_scopes(pack, answers),
        context=_context(wish.facts, gates, lang),
        detectors=_detectors(wish.facts, lang) if pack.text.discovery_driven else (),
        areas=_areas(wish.facts, scope) if pack.text.discovery_driven else (),
        production=_production(answers),
        budget=_budget(answers),
        answers=tuple(answers[key] for key in sorted(answers)),
        facts=wish.facts,
        carried=wish.carried,
    )
    _within_cap(spec)
    return spec


def _within_cap(spec: RunSpec) -> None:
    """Refuse a successor that would begin with more standing entries than its files may hold."""
    cap = spec.knob("STANDING_CAP")
    if spec.carried is None or not isinstance(cap, int):
        return
    count = len(opening(spec).standing)
    if count > cap:
        raise RefusedError(
            _(
                "{count} standing entries would be in force, and the cap is {cap}",
                count=count,
                cap=cap,
            ),
            where="STANDING_CAP",
            fix=_(
                "Raise it with --set STANDING_CAP=…, or retire entries of {run} first.",
                run=spec.carried.run,
            ),
        )


def _text(answers: Answers, key: str) -> str:
    found = answers.get(key)
    return found.value if found else ""


def _language(answers: Answers) -> Language:
    return "zh" if _text(answers, "lang") == "zh" else "en"


def _name(wish: Wish, goal: str) -> str:
    date = wish.created.date().isoformat()
    chosen = _text(wish.answers, "slug")
    if chosen:
        return f"{date}-{naming.accept_slug(chosen)}"
    return naming.run_name(date, wish.pack.text.slug, goal)


def _north_star(goal: str, pack: Pack, answers: Answers) -> NorthStar:
    outcome = _text(answers, "north_star.outcome") or goal or pack.outcome
    if not outcome.strip():
        raise UsageError(
            _("the pack {pack} has no North Star of its own", pack=pack.text.name),
            where="goal",
            fix=_('Say what the run is for: loopgraph new {pack} "…"', pack=pack.text.name),
        )
    proof = _text(answers, "north_star.proof") or pack.proof
    if not proof and words.checkable(goal):
        proof = say("proof.goal", _language(answers))
    return NorthStar(outcome=outcome, proof=proof)


def _supervised(pack: Pack, answers: Answers) -> bool:
    given = answers.get("supervisor")
    supervised = given is None or given.value != "no"
    if not supervised and pack.text.supervisor_required:
        if given and given.source == "user defaults":
            return True
        raise RefusedError(
            _("the pack {pack} requires a supervisor", pack=pack.text.name),
            where="supervisor",
            fix=_("Leave out --no-supervisor, or choose another pack."),
        )
    return supervised


def _authority(answers: Answers, pack: Pack, lang: Language, *, supervised: bool) -> Authority:
    bar = _text(answers, "authority.bar").strip()
    given = _text(answers, "authority") or ("C" if bar else "A")
    if given == "C" and not bar:
        raise UsageError(
            _("C needs the evidence bar that opens it"),
            where="authority.bar",
            fix=_('Say what is pre-authorized and when: --set "authority.bar=…"'),
        )
    choice = _CHOICES[given]
    calls = [*_OWNER_ONLY]
    calls += ["commit"] if choice == "B" or not supervised else []
    calls += ["name"] if pack.text.discovery_driven else []
    calls += ["metric"] if pack.text.metric_driven else []
    owner_only = tuple(say(f"owner.{call}", lang) for call in calls)
    return Authority(choice, choice != "B" and supervised, bar if given == "C" else "", owner_only)


def _knobs(pack: Pack, answers: Answers) -> dict[str, Set]:
    """Every knob of this run: whoever decided last and nearest to it, by `knobs.Source`."""
    sources = {name: source for source, name in knobs.SOURCE_NAMES.items()}
    tuned: dict[str, Set] = {}
    for knob in knobs.KNOBS:
        given = answers.get(knob.name)
        # A pack sets what its kind of goal needs: a user's general default gives way to it.
        if given and not (given.source == "user defaults" and knob.name in pack.knobs):
            tuned[knob.name] = knobs.accept(knob.name, given.value, sources[given.source])
        elif knob.name in pack.knobs:
            tuned[knob.name] = pack.knobs[knob.name]
        elif knob.default is not None:
            tuned[knob.name] = Set(knob.default, knobs.SOURCE_NAMES[knobs.Source.DEFAULT])
    return tuned


def _nodes(
    wish: Wish, tuned: dict[str, Set], *, supervised: bool
) -> tuple[tuple[NodeSpec, ...], dict[str, Set]]:
    """The nodes with their hosts and intervals, and the knobs with the derived one put in."""
    answers = wish.answers
    name = _text(answers, "host") or (wish.host.name if wish.host else DEFAULT_HOST)
    other = _text(answers, "supervisor_host") or name
    client = paths.name(_text(answers, "client"))
    executor = _interval(tuned["EXEC_INTERVAL"], "EXEC_INTERVAL", HOSTS[name])
    nodes = [NodeSpec("executor", name, client, str(executor))]
    tuned = {**tuned, "EXEC_INTERVAL": Set(str(executor), tuned["EXEC_INTERVAL"].source)}
    slower, source = _slower(executor, tuned["SUP_INTERVAL"], HOSTS[other])
    if supervised:
        nodes.append(NodeSpec("supervisor", other, client if other == name else "", str(slower)))
        tuned["SUP_INTERVAL"] = Set(str(slower), source)
    else:
        del tuned["SUP_INTERVAL"]
    if _text(answers, "scout").strip():
        nodes.append(NodeSpec("scout", name, client, str(slower)))
    return tuple(nodes), tuned


def _interval(chosen: Set, where: str, host: Host) -> Interval:
    """An interval that the host can express exactly, or a refusal with the nearest ones."""
    wanted = intervals.parse(str(chosen.value)) or Interval(10)
    among = intervals.legal(host.CAPABILITIES.minimum)
    if wanted in among:
        return wanted
    near = _(" or ").join(str(interval) for interval in intervals.nearest(wanted, among))
    raise UsageError(
        _("{host} cannot keep an interval of {wanted} exactly", host=_(host.TITLE), wanted=wanted),
        where=f"{where} ({chosen.source})",
        fix=_("Nearest: {near}", near=near),
    )


def _slower(executor: Interval, chosen: Set, host: Host) -> tuple[Interval, str]:
    """The supervisor's interval: derived from the executor's unless somebody chose it."""
    among = intervals.legal(host.CAPABILITIES.minimum)
    lawful = intervals.supervisor(executor, among)
    if chosen.source == knobs.SOURCE_NAMES[knobs.Source.DEFAULT]:
        return lawful, chosen.source
    wanted = _interval(chosen, "SUP_INTERVAL", host)
    inside = 3 * executor.minutes <= wanted.minutes <= 4 * executor.minutes
    if not inside and wanted != lawful:
        raise UsageError(
            _(
                "{wanted} is not three to four times the executor's {executor}",
                wanted=wanted,
                executor=executor,
            ),
            where=f"SUP_INTERVAL ({chosen.source})",
            fix=_("Use {lawful}", lawful=lawful),
        )
    return wanted, chosen.source


def _milestones(wish: Wish, scope: str, lang: Language) -> tuple[Milestone, ...]:
    if wish.milestones:
        return wish.milestones
    if wish.pack.milestones and _text(wish.answers, "milestones") != "single":
        return wish.pack.milestones
    write = say("write.root", lang) if scope == "." else say("write.scope", lang, scope=scope)
    return (
        Milestone(
            "M-1",
            say("single.outcome", lang),
            say("single.exit", lang),
            say("single.surface", lang),
            write,
        ),
    )


def _scope(answers: Answers) -> str:
    given = _text(answers, "scope").strip() or "."
    clean = paths.inside(given)
    if clean is None:
        raise UsageError(
            _("{given} leaves the root", given=repr(given)),
            where="scope",
            fix=_("Name a folder below the root, relative to it."),
        )
    return clean


def _scopes(pack: Pack, answers: Answers) -> tuple[str, ...]:
    sentences: list[str] = []
    for question in pack.questions:
        given = _text(answers, question.key)
        sentences += [option.says for option in question.options if option.value == given]
    return tuple(sentence for sentence in sentences if sentence)


def _context(facts: Facts, gates: tuple[Gate, ...], lang: Language) -> tuple[ContextRow, ...]:
    rows = [
        (
            say("context.instructions", lang),
            author_gates.place(fact.file, fact.line),
            say("context.instructions.verify", lang),
        )
        for fact in facts.instructions[:4]
    ]
    rows += [
        (
            say("context.gate", lang),
            gate.source,
            say("context.gate.verify", lang, command=gate.command),
        )
        for gate in gates[:2]
        if gate.command and gate.source != author_gates.OWNER
    ]
    if facts.sources:
        places = ", ".join((*facts.sources[:6], *facts.tests[:2]))
        rows.append((say("context.sources", lang), places, say("context.sources.verify", lang)))
    return tuple(ContextRow(f"C-{n:02}", *row) for n, row in enumerate(rows[:_CONTEXT], 1))


def _detectors(facts: Facts, lang: Language) -> tuple[Detector, ...]:
    """Each detector that was found, with what a tool of its kind cannot see."""
    rows = []
    for fact in facts.detectors:
        words = fact.value.split()
        name = next((word for word in words if word in _BLIND), words[0])
        rows.append(Detector(name, fact.value, say(f"blind.{_BLIND.get(name, 'other')}", lang)))
    return tuple(rows)


def _areas(facts: Facts, scope: str) -> tuple[str, ...]:
    return facts.sources[:_AREAS] or (scope,)


def _budget(answers: Answers) -> str:
    text = " ".join(_text(answers, "budget").split())
    if text and not amounts.is_nothing(text) and not amounts.has_amount(text):
        raise UsageError(
            _("{text} is no amount", text=repr(text)),
            where="budget",
            fix=_("Give a number with its unit: 20 USD"),
        )
    return text


def _no_secrets(answers: Answers) -> None:
    """What an owner answers is written into files that are committed."""
    for answer in answers.values():
        for secret in secrets.find(answer.value):
            raise UsageError(
                _("it holds what looks like {kind}", kind=_(secret.kind)),
                where=answer.key,
                fix=_("Say where the credential is kept, never its value."),
            )


def _production(answers: Answers) -> tuple[str, ...]:
    return tuple(part.strip() for part in _text(answers, "production").split(",") if part.strip())


def renamed(spec: RunSpec, slug: str) -> RunSpec:
    """The same run under the name that was free."""
    from dataclasses import replace  # noqa: PLC0415

    return spec if slug == spec.slug else replace(spec, slug=slug)
