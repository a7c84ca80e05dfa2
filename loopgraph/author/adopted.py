"""Adopt: an older or hand-written run becomes a run of this contract, and nothing of it is lost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from loopgraph.author.wording import say
from loopgraph.edges import adoption, adoption_directives, adoption_ledger, edit, record
from loopgraph.edges.adoption import RULE, Adopted
from loopgraph.edges.change import Change, Move
from loopgraph.edges.contract_id import versions
from loopgraph.edges.document import Document, parse
from loopgraph.edges.run import Run
from loopgraph.model import contract, knobs
from loopgraph.model.errors import RefusedError, UnreadableError
from loopgraph.model.facts import Facts, Found
from loopgraph.model.finding import Finding
from loopgraph.model.languages import Language
from loopgraph.model.messages import _
from loopgraph.model.spec import Answer, Milestone, RunSpec
from loopgraph.plain import header, tables, text

ORIGIN: Final = "earlier run"
RECORD: Final = "run.yaml"

_STAR: Final = ("North Star", "Outcome", "Goal", "Objective")
_CJK: Final = re.compile(r"[\u3400-\u9fff]")
_WORD: Final = re.compile(r"[A-Za-z]+")
_STAGE: Final = re.compile(r"\bM-?(\d{1,2})\b[ :]*([^→|;.,\n]*)")
_HIGHEST: Final = re.compile(r"\bS-\d+")
_LONGEST: Final = 1000
"""Characters of an outcome or a proof that was found in a prompt."""


class Known(NamedTuple):
    """What the files of a run say that its record needs; empty where they don't."""

    project: str
    contract: str
    """`v4`; `by-hand` where no file bears a contract id."""
    lang: Language
    outcome: str
    proof: str
    milestones: tuple[Milestone, ...]
    supervised: bool
    knobs: Mapping[str, int]


def nothing_to_do(run: Run) -> bool:
    """Whether a run has a record and the contract of today; refuses what can't be adopted."""
    if not any(name in run.files for name in contract.ARTIFACTS):
        raise UnreadableError(_("no file of a run is here"))
    for name, why in run.others.items():
        if name in contract.ARTIFACTS or name == RECORD:
            raise UnreadableError(why, where=name, fix=_("Mend it first; nothing was changed."))
    if run.record_problem:
        raise UnreadableError(
            run.record_problem, where=RECORD, fix=_("Mend it, or move it away, and adopt again.")
        )
    found = versions(run.files)
    ours = _number(contract.VERSION)
    newer = next((version for version in found if _number(version) > ours), None)
    if newer:
        raise RefusedError(
            _("it is of contract {newer}, and this is {ours}", newer=newer, ours=contract.VERSION),
            fix=_("Use the loopgraph that wrote it."),
        )
    return run.record is not None and found == (contract.VERSION,)


def _number(version: str) -> int:
    return header.number(version.removeprefix("v")) or 0


def known(run: Run) -> Known:
    """Read what a record needs out of a run's files."""
    older = [version for version in versions(run.files) if version != contract.VERSION]
    prompt = run.document("executor.md") or parse("")
    outcome, proof = _north_star(prompt)
    said = "".join(run.files.get(name, "") for name in contract.ARTIFACTS)
    wide, narrow = len(_CJK.findall(said)), len(_WORD.findall(said))
    return Known(
        _project(run.document("ledger.md")),
        older[0] if older else contract.VERSION if versions(run.files) else "by-hand",
        "zh" if wide > narrow else "en",
        outcome,
        proof,
        _milestones(run, prompt),
        "supervisor.md" in run.files,
        _knobs(run),
    )


def _project(ledger: Document | None) -> str:
    """What the ledger's title names before its dash."""
    title = next((part.title for part in ledger.sections if part.level == 1), "") if ledger else ""
    return title.partition(" — ")[0].strip() if " — " in title else ""


def _north_star(prompt: Document) -> tuple[str, str]:
    """Outcome and proof: of a table's first and last columns, else the section's own words."""
    part = next((found for title in _STAR if (found := prompt.section(title))), None)
    if part is None:
        return "", ""
    rows = prompt.table(part)
    if rows:
        columns = list(prompt.tables(part)[0].columns)
        words = (("goal", "outcome"), ("verified", "proof", "check"))
        places = tables.columns(columns, words) or [1, len(columns) - 1]
        halves = ["; ".join(_cell(row.cells, at) for row in rows) for at in places]
        return _short(halves[0].strip("; ")), _short(halves[1].strip("; "))
    said = [line.strip() for _, line in prompt.body(part) if line.strip()]
    named = header.fields(list(prompt.body(part)), ("Outcome", "Proof", "Verified by"))
    proof = next((named[name][1] for name in ("Proof", "Verified by") if name in named), "")
    outcome = named["Outcome"][1] if "Outcome" in named else " ".join(said)
    return _short(outcome), _short(proof)


def _cell(cells: tuple[str, ...], at: int) -> str:
    return cells[at].strip() if 0 <= at < len(cells) else ""


def _short(said: str) -> str:
    line = " ".join(said.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST].rstrip()} …"


def _milestones(run: Run, prompt: Document) -> tuple[Milestone, ...]:
    """The milestones that prompt and ledger name by id; empty for a single goal."""
    ledger = run.ledger()
    named = header.number((ledger.milestone or "")[1:].lstrip("-")) if ledger else None
    if named is None:
        return ()
    titles: dict[int, str] = {}
    for match in _STAGE.finditer(prompt.text()):
        title = match[2].strip(" *_`()").strip()
        titles.setdefault(int(match[1]), "")
        titles[int(match[1])] = titles[int(match[1])] or title
    count = max([named, *(number for number in titles if number <= named + len(titles))])
    unknown = adoption.UNKNOWN
    return tuple(
        Milestone(f"M-{n}", titles.get(n) or unknown, "as executor.md says", unknown, unknown)
        for n in range(1, count + 1)
    )


def _knobs(run: Run) -> Mapping[str, int]:
    """Limits that the tracker names, and caps that let stand what is live."""
    ledger, queue = run.ledger(), run.directives()
    wanted: dict[str, int] = {}
    tracker = ledger.convergence if ledger else None
    if tracker and tracker.every is not None:
        wanted["CONVERGE_EVERY"] = tracker.every
    if tracker and tracker.cap is not None:
        wanted["NET_LINE_CAP"] = tracker.cap
    live = {
        "GAP_CAP": len(ledger.gaps) if ledger else 0,
        "OWNER_CAP": len(ledger.cards) if ledger else 0,
        "METRIC_CAP": len(ledger.metrics) if ledger else 0,
        "STANDING_CAP": len(queue.standing) if queue else 0,
        "OPEN_DIRECTIVE_CAP": len(queue.corrections) if queue else 0,
    }
    for name, count in live.items():
        default = knobs.BY_NAME[name].default
        if isinstance(default, int) and count > default:
            wanted[name] = count
    lawful = {}
    for name, value in wanted.items():
        knob = knobs.BY_NAME[name]
        if knob.low <= value <= knob.high and value != knob.default:
            lawful[name] = value
    return lawful


def answers(found: Known, slug: str) -> dict[str, Answer]:
    """What a compile of this run would have been told, as far as its files say it."""
    star = {
        "north_star.outcome": found.outcome or say("adopted.outcome", found.lang, run=slug),
        "north_star.proof": found.proof or say("adopted.proof", found.lang),
    }
    said = {"lang": found.lang, "authority": "B", **star}
    said["goal"] = star["north_star.outcome"]
    said |= {} if found.milestones else {"milestones": "single"}
    said |= {} if found.supervised else {"supervisor": "no"}
    said |= {name: str(value) for name, value in found.knobs.items()}
    return {key: Answer(key, value, ORIGIN) for key, value in said.items()}


def settled(facts: Facts, found: Known) -> Facts:
    """The workspace's facts without its dirty paths: whose they are, nobody can tell any more."""
    clean = tuple(
        replace(one, dirty=(), dirty_count=0, dirty_digest="") for one in facts.repositories
    )
    project = Found(found.project, "") if found.project else facts.project
    return replace(facts, project=project, repositories=clean, gaps=(), earlier=())


def _assumed(spec: RunSpec, found: Known) -> list[Finding]:
    """What the record says though no file of the run did."""
    executor = spec.node("executor")
    said = []
    if executor:
        says = _(
            "where the nodes ran is unknown: {host}, every {interval}",
            host=executor.host,
            interval=executor.interval,
        )
        said.append((says, _("Name another with --host before, or in a new run.")))
    if not found.outcome or not found.proof:
        said.append((_("the prompt names no North Star with a proof"), _("executor.md decides.")))
    if not found.supervised:
        says = _("there is no supervisor.md, so the owner writes directives.md and accepts")
        said.append((says, ""))
    said.append(
        (
            _("who may commit is unknown: nobody, until STANDING grants it"),
            _("See `loopgraph standing`."),
        )
    )
    return [Finding(RULE, RECORD, 0, says, fix) for says, fix in said]


def adopt(run: Run, spec: RunSpec, made: Mapping[str, str], *, past: str = "") -> Change:
    """Everything that brings a run to the canonical form, as one change.

    `made` is the run as a compile of `spec` would write it; `past` are the archives' texts.
    """
    files = dict(run.files)
    moves: list[Move] = []
    told = _assumed(spec, known(run))

    def take(name: str, done: Adopted) -> None:
        files[name] = done.text
        moves.extend(done.moves)
        told.extend(done.told)

    queue = run.files.get("directives.md", "")
    old = run.files.get("ledger.md", "")
    ledger = run.ledger()
    source = old or contract.contract_line("ledger") + "\n"
    take("ledger.md", adoption_ledger.adopt(source, _ledger_plan(spec, made, past + queue)))
    bodies = {**_bodies(made["directives.md"])}
    if queue:  # its standing entries are its own, and so are their ids
        state = bodies["Supervisor state"]
        bodies["Supervisor state"] = [_HIGHEST.sub("S none", line) for line in state]
    plan = adoption_directives.Plan(
        bodies,
        (ledger.folded if ledger else None) or 0,
        spec.node("supervisor") is not None,
        past + old,
    )
    take("directives.md", adoption_directives.adopt(queue or made["directives.md"], plan))
    for name in contract.PROMPTS:
        if name in files:
            files[name] = _prompt(files[name], name, spec.lang)
    if "executor.md" not in files:
        files["executor.md"] = made["executor.md"]
        told.append(Finding(RULE, "executor.md", 0, _("there was none; it is compiled anew")))
    files["ops.md"] = _ops(run.files.get("ops.md"), made["ops.md"])
    if "findings.md" in files:
        files["findings.md"] = adoption.begun(files["findings.md"], "findings").text()
    files.pop(RECORD, None)
    files[RECORD] = record.write(spec, record.frozen_parts(files))
    changed = {name: new for name, new in files.items() if run.files.get(name) != new}
    folder = f"adopted-{spec.adopted}"
    copies = {f"{folder}/{name}": run.files[name] for name in changed if name in run.files}
    where = f"archive/{folder}/"
    says = [
        _("{name}: rewritten; as it was in {where}", name=n, where=where)
        for n in changed
        if n in run.files
    ]
    says += [_("{name}: new", name=name) for name in changed if name not in run.files]
    return Change(changed, tuple(moves), copies=copies, says=tuple(says), findings=tuple(told))


def _bodies(source: str) -> Mapping[str, list[str]]:
    """What stands in each section of a compiled file."""
    document = parse(source)
    return {
        part.title: _trimmed(
            [text.bare(line) for line in document.lines[part.start + 1 : part.end]]
        )
        for part in document.sections
        if part.level == 2  # noqa: PLR2004  as sections of a run's files are
    }


def _trimmed(lines: list[str]) -> list[str]:
    while lines and not lines[0].strip():
        lines = lines[1:]
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def _ledger_plan(spec: RunSpec, made: Mapping[str, str], past: str) -> adoption_ledger.Plan:
    def count(name: str) -> int:
        value = spec.knob(name)
        return value if isinstance(value, int) else 0

    bodies = {**_bodies(made["ledger.md"])}
    bodies["Debt & gap register"] = adoption.head(header.GAP_COLUMNS)
    gate = next((gate for gate in spec.gates if gate.command), None)
    verify = gate.command if gate else spec.north_star.proof
    fields = {"Context": "none", "Verify": verify}
    fields["Done when"] = say("adopted.done", spec.lang)
    return adoption_ledger.Plan(
        bodies,
        tuple(milestone.id for milestone in spec.milestones),
        fields,
        count("CONVERGE_EVERY"),
        count("NET_LINE_CAP"),
        count("KEEP_ROUNDS"),
        spec.pack.discovery_driven,
        past,
    )


def _prompt(source: str, name: str, lang: Language) -> str:
    """A prompt as it was, under our contract id, and at its end how the files are kept now."""
    artifact = contract.ARTIFACTS[name]
    document = adoption.begun(source, artifact)
    title = say("adopted.title", lang)
    if artifact == "scout" or document.section(title) is not None:
        return document.text()
    lines = [f"## {title}", "", *say(f"adopted.{artifact}", lang).split("\n")]
    end = len(document.lines) + 1
    blank = [""] if document.lines[-1].strip() else []
    return edit.splice(document, end, end - 1, [*blank, *lines]).text()


def _ops(source: str | None, made: str) -> str:
    """The facts as they were, and what a compile would say in sections that were missing."""
    if source is None:
        return made
    bodies = _bodies(made)
    titles = [part.title for part in parse(made).sections if part.level == 2]  # noqa: PLR2004
    document = adoption.completed(adoption.begun(source, "ops"), "ops.md", titles, bodies)
    return document.text()
