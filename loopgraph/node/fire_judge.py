"""What a supervisor finds when it wakes, and an owner: what to audit, and what to judge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.edges.directives import Correction
from loopgraph.edges.run import Run
from loopgraph.model.spec import Milestone
from loopgraph.node import checkpoint, fire_parts, promotion, results
from loopgraph.node.call import DIRECTIVES, LEDGER, writer
from loopgraph.node.fire_parts import At, Part, Size
from loopgraph.node.results import Result
from loopgraph.plain import header, law, when

# The judge -------------------------------------------------------------------------------------


def judge(at: At) -> Iterator[Part]:
    """All that a supervisor finds, in its order."""
    yield from fire_parts.stops(at)
    if at.beside.stops:
        return
    yield from _judging(at)
    yield from fire_parts.cards(at)
    yield from fire_parts.full(at, _judge_sizes(at))


def _judging(at: At) -> Iterator[Part]:
    queue = at.run.directives()
    state = queue.state if queue else None
    audited = state.audited if state else None
    yield from _closed(at, audited)
    yield from _audit(at, audited)
    given = queue.judged(at.found.folded, at.found.milestone) if queue else None
    over = at.board.status == "closed"
    if given:
        says = f"{given.id} {given.verdict}, not folded yet"
        yield Part("judged", "", says, (), (), at.say.show(given.id))
    elif not over:
        yield from _verdict(at)
    yield from fire_parts.answered(at)
    if queue and (folded := [one.id for one in queue.corrections if _is_folded(at, one)]):
        said = f"folded, to rotate: {', '.join(folded)}"
        yield Part("rotate", "", said, (), (at.say("directive rotate"),))
    waiting = queue.waiting(at.found.folded) if queue else ()
    if open_ := [one for one in waiting if given is None or one.id != given.id]:
        said = f"not folded yet: {', '.join(one.id for one in open_)}"
        yield Part("lane", "", said, (), (), at.say.show(open_[0].id))
    if not over and at.board.gate != "passed":
        yield from _checkpoint(at, audited)


def _verdict(at: At) -> Iterator[Part]:
    """What waits for a verdict: a milestone, else the end of the run."""
    asked = at.found.promotion and not at.found.promotion.empty
    if at.board.gate == law.PENDING or (asked and at.board.gate != "passed"):
        yield _promotion(at)
    elif at.board.status == "exit-ready":
        said = "the run is exit-ready: run the whole proof, then judge it"
        yield Part("judge", "", said, (), (at.say("finish closed --why REASON"),))
    if at.board.status == "stalled" and at.say.role != "owner":
        said = f"the run is stalled: {fire_parts.note(at.found, 'Run status')}"
        yield Part("judge", "", said, (), (at.say("owner ask QUESTION --why DIAGNOSIS"),))


def _closed(at: At, audited: int | None) -> Iterator[Part]:
    if at.board.status != "closed" or at.say.role == "owner":
        return
    last = at.found.round
    if audited is None or last is None or audited < last:
        yield Part("audit", "", "the run is closed: audit its last rounds, then end your timer")
    else:
        yield Part("end", "", "the run is closed and audited: end your timer")


def _audit(at: At, audited: int | None) -> Iterator[Part]:
    last = at.found.round
    if last == 0:
        return
    if last is None or audited is None or audited < last:
        said = f"audited through R{audited} of {_named(last)}"
        if audited is None:
            said = f"no round up to {_named(last)} is noted as audited"
        number = "R?" if last is None else f"R{last}"
        listed = f"rounds --since R{(audited or 0) + 1}" if audited is not None else "rounds --all"
        ways = [f"loopgraph {listed}{at.say.run}"]
        first = f"R{audited}" if audited else "R1.start"
        kept = at.board.status != "closed"  # its snapshots go when it is closed
        if kept and {first, number} <= at.beside.snapshots:
            ways.append(f"loopgraph diff {first} {number}{at.say.run}")
        ways.append(at.say(f"audited --through {number}"))
        yield Part("audit", "", said, at.told, tuple(ways), f"loopgraph rounds --all{at.say.run}")


_BEHIND: Final = 24
"""Of so many rounds it is told what was found of them."""


def to_audit(run: Run) -> range:
    """The rounds that the judge has not audited yet; of very many, the last ones."""
    found, queue = run.ledger(), run.directives()
    last = (found.round if found else None) or 0
    audited = (queue.state.audited if queue and queue.state else None) or 0
    return range(max(audited, last - _BEHIND) + 1, last + 1)


def _named(number: int | None) -> str:
    return "an unknown round" if number is None else f"R{number}"


def _is_folded(at: At, packet: Correction) -> bool:
    return at.found.folded is not None and packet.number <= at.found.folded


def _promotion(at: At) -> Part:
    """What is asked for, and each exit check with the judge's own newest result."""
    found = at.found.promotion
    fields = () if found is None else (found.boundary, found.surface, found.evidence, found.context)
    names = ("Boundary", "Audit surface", "Evidence", "Context")
    details = [f"{name}: {field.text}" for name, field in zip(names, fields, strict=False) if field]
    boundary = header.milestone(found.boundary.text) if found and found.boundary else None
    id_ = boundary or at.found.milestone or "M-n"
    if at.board.status == "exit-ready":
        details.append("The run is exit-ready, so run the whole proof: an accept closes it")
    commands_: list[str] = []
    asked = _asked(at)
    green = True
    for check, result in _checks(at, id_):
        fresh = result is not None and when.instant(result.time) >= asked
        said = f"{'passed' if result.passed else 'failed'} {result.time}" if result else "no result"
        old = "" if fresh or result is None else ", before the request"
        kind = "Exit check" if check.exits else "Gate of the surface"
        details.append(f"{kind} {check.id}: {said}{old}: {check.says}")
        if not (fresh and result and result.passed):
            commands_.append(at.say(_gate_run(check)))
            green = green and not fresh
    for one in _vetoes(at, id_, asked):
        details.append(f"Gate {one.check}: failed {one.time}, so nothing is accepted over it")
        commands_.append(at.say(f"gate run {one.check}"))
        green = False
    if green:
        commands_.append(at.say(f"promote accept {id_}"))
    commands_.append(at.say(f"promote redo {id_} --missing WHAT --verify COMMAND"))
    return Part(
        "judge", id_, f"{id_} waits for its audit", tuple(details), tuple(commands_),
        at.say.show(id_),
    )  # fmt: skip


def _gate_run(check: results.Check) -> str:
    return f"gate run {check.id}" if check.id.startswith("G") else fire_parts.observe(check.id)


def _asked(at: At) -> float:
    field = at.found.promotion.boundary if at.found.promotion else None
    said = field.text if field else ""
    return when.instant(said.partition("asked ")[2].partition(" ")[0].rstrip(")"))


def _checks(at: At, id_: str) -> Iterator[tuple[results.Check, Result | None]]:
    judge = writer(at.run, "directives")
    for one in _milestones(at, id_):
        for check in promotion.wanted(at.run, one):
            yield check, results.newest(at.gathered, check.id, (judge, "owner"))


def _vetoes(at: At, id_: str, asked: float) -> Iterator[Result]:
    who = (writer(at.run, "directives"), "owner")
    for one in _milestones(at, id_):
        yield from promotion.vetoes(at.run, one, at.gathered, who=who, asked=asked)


def _milestones(at: At, id_: str) -> Iterator[Milestone]:
    milestones = at.run.record.spec.milestones if at.run.record else ()
    yield from (one for one in milestones if header.same_id(id_, [one.id]))


def _checkpoint(at: At, audited: int | None) -> Iterator[Part]:
    """Audited work that no commit holds yet, as far as acts.jsonl tells."""
    queue = at.run.directives()
    if not audited or queue is None or not checkpoint.granted(queue):
        return
    done, seen = at.beside.done.get("checkpoint", ""), at.beside.done.get("audited", "")
    if seen and when.instant(seen) > when.instant(done):
        said = f"audited through R{audited} since the last checkpoint"
        yield Part("checkpoint", "", said, (), (at.say("checkpoint"),))


def _judge_sizes(at: At) -> list[Size]:
    queue = at.run.directives()
    if queue is None:
        return []
    waiting = len(queue.waiting(at.found.folded))
    return [
        Size("open corrections", waiting, "OPEN_DIRECTIVE_CAP", ""),
        Size("standing entries", len(queue.standing), "STANDING_CAP", ""),
        Size("cards", len(queue.cards), "OWNER_CAP", ""),
        *fire_parts.file_sizes(at, DIRECTIVES, "directive rotate"),
    ]


def owner(at: At) -> Iterator[Part]:
    """All that the owner finds: who judges, too, where there is no supervisor."""
    yield from fire_parts.stops(at)
    yield from fire_parts.end(at)
    for file in (LEDGER, DIRECTIVES):
        for card in fire_parts.carded(at, file):
            if card.chosen():
                continue
            details = tuple(f"{letter}: {said}" for letter, said in card.options().items())
            command = at.say(f"owner answer {card.id or 'OB-nnn'} LETTER")
            yield Part("card", card.id or "", card.decision or "?", details, (command,))
    if writer(at.run, "directives") == "owner" and not at.beside.stops:
        yield from _judging(at)
        yield from fire_parts.full(at, _judge_sizes(at))
