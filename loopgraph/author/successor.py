"""A successor: what a new run brings along from the one before it, whose files stay as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal, NamedTuple

from loopgraph.author.opening import opening
from loopgraph.edges import answers
from loopgraph.edges.document import Document
from loopgraph.edges.ledger import Gap, Ledger
from loopgraph.edges.run import Run
from loopgraph.model.spec import (
    Answer,
    Carried,
    CarriedGap,
    CarriedGate,
    CarriedStanding,
    Milestone,
    RunSpec,
)

ORIGIN: Final = "earlier run"

Priority = Literal["P0", "P1", "P2", "P3"]
_PRIORITIES: Final[Mapping[str, Priority]] = {"P0": "P0", "P1": "P1", "P2": "P2", "P3": "P3"}
_OF_ONE_GOAL: Final = frozenset({"slug", "milestones", "north_star.outcome", "north_star.proof"})
"""Answers that fall with the goal they were given for."""


class Earlier(NamedTuple):
    """The run that a successor begins from."""

    carried: Carried
    preset: str
    """Its pack's name; empty where that is not known, or the pack was named by a path."""
    answers: Mapping[str, Answer]
    """Its owner's answers, and where it ran."""
    milestones: tuple[Milestone, ...]
    """Those that were not yet passed; empty for a single goal."""
    left: tuple[str, ...] = ()
    """What the earlier run was in the middle of, by id; it stays there."""


def begin(slug: str, run: Run, *, same_goal: bool) -> Earlier:
    """What a successor takes from a run; `same_goal` is false where the owner gives another."""
    spec = run.record.spec if run.record else None
    ledger = run.ledger()
    carried = Carried(
        run=slug,
        standing=_standing(run, spec),
        gaps=_gaps(ledger),
        gates=_gates(ledger, spec),
        metrics=_metrics(run.document("ledger.md")) or _anchors(spec),
    )
    if spec is None:
        return Earlier(carried, "", {}, (), _open(run, ledger))
    known = spec.pack.origin != "path"
    return Earlier(
        carried,
        spec.pack.name if known else "",
        _answers(spec, same_goal=same_goal),
        _left(spec, ledger) if same_goal else (),
        _open(run, ledger),
    )


def _open(run: Run, ledger: Ledger | None) -> tuple[str, ...]:
    """Cards and answers that nobody took up, and packets that are not folded."""
    queue = run.directives()
    cards = [card.id for found in (ledger, queue) if found for card in found.cards if card.id]
    given = [
        one.id
        for name in ("ledger.md", "directives.md")
        if (found := run.document(name))
        for one in answers.read(found)
    ]
    waiting = queue.waiting(ledger.folded if ledger else None) if queue else ()
    return tuple(dict.fromkeys([*cards, *given, *(packet.id for packet in waiting)]))


def _standing(run: Run, spec: RunSpec | None) -> tuple[CarriedStanding, ...]:
    """Entries in force but for those that a compile writes anew from the same answers."""
    directives = run.directives()
    if directives is None:
        return ()
    compiled = {entry.text for entry in opening(_fresh(spec)).standing} if spec else set()
    return tuple(
        CarriedStanding(entry.kind or "SCOPE", entry.text)
        for entry in directives.standing
        if entry.text.strip() and entry.text not in compiled
    )


def _fresh(spec: RunSpec) -> RunSpec:
    """The run as it would be if it had begun afresh."""
    return replace(spec, carried=None)


def _gaps(ledger: Ledger | None) -> tuple[CarriedGap, ...]:
    rows = [_gap(row) for row in ledger.gaps] if ledger else []
    return tuple(sorted(rows, key=lambda row: row.priority))


def _gap(row: Gap) -> CarriedGap:
    said = (row.priority or "").upper()
    priority: Priority = next((known for word, known in _PRIORITIES.items() if word in said), "P2")
    return CarriedGap(priority, row.write_set or "", row.verify or "", row.text or row.id or "")


def _gates(ledger: Ledger | None, spec: RunSpec | None) -> tuple[CarriedGate, ...]:
    """Open rows but for those that a compile wrote and nobody has touched since."""
    compiled = opening(_fresh(spec)).rows if spec else ()
    untouched = {(row.gate, row.status, row.next) for row in compiled}
    return tuple(
        CarriedGate(row.gate, row.said or "open", row.evidence or "")
        for row in (ledger.scoreboard if ledger else ())
        if row.gate
        and row.status != "closed"
        and (row.gate, row.said, row.evidence) not in untouched
    )


def _metrics(document: Document | None) -> tuple[str, ...]:
    section = document.section("Metric snapshot") if document else None
    if document is None or section is None:
        return ()
    anchors = []
    for table in document.tables(section):
        for row in table.rows:
            cells = [cell.strip() for cell in row.cells]
            named = zip(table.columns[1:], cells[1:], strict=False)
            rest = "; ".join(f"{head}: {cell}" for head, cell in named if cell)
            if cells and cells[0]:
                anchors.append(f"{cells[0]}: {rest}" if rest else cells[0])
    return tuple(anchors)


def _anchors(spec: RunSpec | None) -> tuple[str, ...]:
    """The anchors that a successor itself was given, while its ledger has none of its own."""
    return spec.carried.metrics if spec and spec.carried else ()


def _answers(spec: RunSpec, *, same_goal: bool) -> dict[str, Answer]:
    given = {answer.key: Answer(answer.key, answer.value, ORIGIN) for answer in spec.answers}
    executor, supervisor = spec.node("executor"), spec.node("supervisor")
    if executor:
        given["host"] = Answer("host", executor.host, ORIGIN)
    if executor and supervisor and supervisor.host != executor.host:
        given["supervisor_host"] = Answer("supervisor_host", supervisor.host, ORIGIN)
    given["lang"] = Answer("lang", spec.lang, ORIGIN)
    if same_goal:
        return given
    fallen = _OF_ONE_GOAL | {"goal"}
    return {key: answer for key, answer in given.items() if key not in fallen}


def _left(spec: RunSpec, ledger: Ledger | None) -> tuple[Milestone, ...]:
    """The milestones from the current one on, numbered anew; a passed one is done."""
    stages = spec.milestones
    at = next((n for n, stage in enumerate(stages) if ledger and stage.id == ledger.milestone), 0)
    if ledger and ledger.gate == "passed":
        at += 1
    left = stages[at:]
    if len(stages) < 2 or not left:  # noqa: PLR2004  one milestone is a single goal
        return ()
    return tuple(
        Milestone(f"M-{n}", s.outcome, s.exit_checks, s.audit_surface, s.write_set)
        for n, s in enumerate(left, 1)
    )
