"""The opening position: what ledger, directives and ops say before the first round."""

from __future__ import annotations

from typing import Final, NamedTuple

from loopgraph.author.gates import OWNER
from loopgraph.author.wording import gap, gap_verify, say
from loopgraph.model import states
from loopgraph.model.facts import GapSeed, Repository
from loopgraph.model.languages import Language
from loopgraph.model.spec import CarriedGate, Gate, RunSpec

_FEW_ROWS: Final = 3


class Slice(NamedTuple):
    """The Current slice of a fresh ledger."""

    item: str
    write_set: str
    context: str
    """Ids of ops.md, joined by commas."""
    verify: str
    done_when: str


class ScoreRow(NamedTuple):
    """A row of the Gate scoreboard; it starts open."""

    gate: str
    status: str
    next: str


class GapRow(NamedTuple):
    """A row of the Debt & gap register."""

    id: str
    priority: str
    milestone: str
    write_set: str
    verify: str
    line: str


class StandingRow(NamedTuple):
    """An entry of STANDING."""

    id: str
    kind: str
    text: str


class Tracker(NamedTuple):
    """The limits that the Convergence tracker names."""

    every: int | str | None
    cap: int | str | None


class Opening(NamedTuple):
    """Everything the live files start from."""

    slice: Slice
    rows: tuple[ScoreRow, ...]
    gaps: tuple[GapRow, ...]
    survey: bool
    """Fewer than three independent debt rows are known: the first round looks for more."""
    standing: tuple[StandingRow, ...]
    repositories: tuple[Repository, ...]
    own_paths: tuple[str, ...]
    """Paths that making this run created; never the owner's work."""
    facts: tuple[str, ...]
    highest_gap: str
    highest_standing: str
    tracker: Tracker


def opening(spec: RunSpec) -> Opening:
    """The opening position of a run."""
    gaps = _gaps(spec)
    standing = _standing(spec)
    survey = len(gaps) < _FEW_ROWS
    return Opening(
        slice=_slice(spec, survey=survey),
        rows=_rows(spec),
        gaps=gaps,
        survey=survey,
        standing=standing,
        repositories=spec.facts.repositories,
        own_paths=(
            f".longgraph/{spec.slug}/",
            ".longgraph/.gitignore",
            ".longgraph/.gitattributes",
        ),
        facts=_facts(spec),
        highest_gap=gaps[-1].id if gaps else "GAP none",
        highest_standing=standing[-1].id if standing else "S none",
        tracker=Tracker(spec.knob("CONVERGE_EVERY"), spec.knob("NET_LINE_CAP")),
    )


def _slice(spec: RunSpec, *, survey: bool) -> Slice:
    lang = spec.lang
    context = ", ".join(row.id for row in spec.context) or "none"
    verify = _narrowest(spec)
    if spec.pack.discovery_driven:
        area = spec.areas[0] if spec.areas else spec.scope
        item = say("slice.sweep" if spec.detectors else "slice.sweep.none", lang, area=area)
        return Slice(
            item,
            say("survey.write", lang),
            context,
            say("slice.sweep.verify", lang),
            say("slice.sweep.done", lang),
        )
    if survey:
        item = spec.pack.survey or say("slice.survey", lang)
        return Slice(
            item,
            say("survey.write", lang),
            context,
            say("slice.survey.verify", lang),
            say("slice.survey.done", lang),
        )
    first = spec.milestones[0]
    item = (
        say("slice.first", lang, id=first.id)
        if len(spec.milestones) > 1
        else say("slice.goal", lang)
    )
    return Slice(item, first.write_set, context, verify, say("slice.first.done", lang))


def _narrowest(spec: RunSpec) -> str:
    """The cheapest command that decides, else what to observe."""
    commands = [gate for gate in spec.gates if gate.command]
    order = ("seconds", "minutes", "money", "risk")
    if commands:
        return min(commands, key=lambda gate: order.index(gate.cost)).command
    return spec.gates[0].observation if spec.gates else spec.north_star.proof


def _rows(spec: RunSpec) -> tuple[ScoreRow, ...]:
    lang = spec.lang
    ending = "row.proof.next" if spec.node("supervisor") else "row.proof.next.owner"
    rows = [ScoreRow(say("row.proof", lang), "open", say(ending, lang))]
    if len(spec.milestones) > 1:
        rows += [
            ScoreRow(
                say("row.milestone", lang, id=milestone.id),
                "open",
                say("row.milestone.next", lang),
            )
            for milestone in spec.milestones
        ]
    rows += [_gate_row(gate, spec) for gate in spec.gates]
    there = {row.gate for row in rows}
    carried = spec.carried.gates if spec.carried else ()
    rows += [ScoreRow(*_score(row)) for row in carried if row.gate not in there]
    return tuple(rows)


def _score(row: CarriedGate) -> tuple[str, str, str]:
    known = row.status in states.ROW_STATES and row.status != "closed"
    return row.gate, row.status if known else "open", row.next


def _gate_row(gate: Gate, spec: RunSpec) -> ScoreRow:
    name = say("row.gate", spec.lang, id=gate.id, name=gate.name)
    return ScoreRow(name, "open", say("row.gate.next", spec.lang))


def _gaps(spec: RunSpec) -> tuple[GapRow, ...]:
    first = spec.milestones[0].id
    gated = any(gate.command for gate in spec.gates)
    named = any(gate.command and gate.source == OWNER for gate in spec.gates)
    # A run without any gate has a wider row of its own; one whose owner named a command has a gate.
    lacks = gated and not named
    found = [seed for seed in spec.facts.gaps if lacks or seed.kind != "no-test-gate"]
    seeds = [_seed(seed, spec.lang) for seed in found]
    carried = spec.carried.gaps if spec.carried else ()
    known = {(row.write_set, row.line) for row in carried}
    seeds = [seed for seed in seeds if (seed[1], seed[3]) not in known]
    if not gated:
        line = say("gap.no-gate", spec.lang)
        proof = spec.north_star.proof
        seeds.insert(0, ("P1", say("write.root", spec.lang), proof, line))
    seeds[:0] = [(row.priority, row.write_set, row.verify, row.line) for row in carried]
    cap = spec.knob("GAP_CAP")
    limit = cap if isinstance(cap, int) else len(seeds)
    return tuple(
        GapRow(f"GAP-{number:03}", priority, first, write_set, verify, line)
        for number, (priority, write_set, verify, line) in enumerate(seeds[:limit], 1)
    )


def _seed(seed: GapSeed, lang: Language) -> tuple[str, str, str, str]:
    """Priority, write set, verify and line of a row that discovery has proved."""
    if seed.kind is None:
        return seed.priority, seed.write_set, seed.verify, seed.line
    verify = gap_verify(seed.kind, lang) if seed.observed else seed.verify
    line = gap(seed.kind, lang, about=seed.about, count=seed.count)
    return seed.priority, seed.write_set, verify, line


def _standing(spec: RunSpec) -> tuple[StandingRow, ...]:
    lang, authority = spec.lang, spec.authority
    if authority.commits:
        grant = "authority.A"
    else:
        grant = "authority.B" if authority.choice == "B" else "authority.A.no-supervisor"
    entries = [
        (
            "AUTHORITY",
            ("" if lang == "zh" else " ").join((say(grant, lang), say("authority.never", lang))),
        )
    ]
    if authority.bar:
        entries.append(("PRE-AUTH", authority.bar))
    if spec.scope != ".":
        entries.append(("SCOPE", say("scope.path", lang, scope=spec.scope)))
    entries += [("SCOPE", sentence) for sentence in spec.scopes]
    there = {text for _, text in entries}
    carried = spec.carried.standing if spec.carried else ()
    entries += [(entry.kind, entry.text) for entry in carried if entry.text not in there]
    return tuple(
        StandingRow(f"S-{number:03}", kind, text) for number, (kind, text) in enumerate(entries, 1)
    )


def _facts(spec: RunSpec) -> tuple[str, ...]:
    facts, lang = spec.facts, spec.lang
    found = {
        "fact.class": facts.repository_class or "",
        "fact.sources": ", ".join(facts.sources),
        "fact.tests": ", ".join(facts.tests),
        "fact.surface": ", ".join(f"{fact.value} ({fact.file})" for fact in facts.surface),
        "fact.earlier": ", ".join(
            f"{run.slug} ({run.status})" if run.status else run.slug
            for run in facts.earlier
            if spec.carried is None or run.slug != spec.carried.run
        ),
    }
    said = [say(key, lang, value=value) for key, value in found.items() if value]
    return (*_carried(spec), *said)


def _carried(spec: RunSpec) -> tuple[str, ...]:
    """What a successor's Starting snapshot says about the run before it."""
    if spec.carried is None:
        return ()
    kept, lang = spec.carried, spec.lang
    cap = spec.knob("GAP_CAP")
    over = len(kept.gaps) - cap if isinstance(cap, int) else 0
    return (
        say("carried.run", lang, value=kept.run),
        *(
            say("carried.gate", lang, gate=row.gate, status=row.status, next=row.next or "none")
            for row in kept.gates
        ),
        *(say("carried.metric", lang, value=line) for line in kept.metrics),
        *([say("carried.more", lang, count=str(over), value=kept.run)] if over > 0 else []),
    )
