"""Bring a directives queue of an older contract to the canonical form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from loopgraph.edges import adoption, directives, edit
from loopgraph.edges.adoption import RULE, UNKNOWN, Adopted
from loopgraph.edges.change import Move
from loopgraph.edges.directives import Correction, Directives
from loopgraph.edges.document import Document
from loopgraph.model import contract
from loopgraph.model.finding import Finding
from loopgraph.model.messages import _
from loopgraph.plain import header, quoting, text

FILE: Final = "directives.md"

_ARROWS: Final = ("→", "->", "=>")
_MARKS: Final = "*_ \t"
_IDS: Final = ("D", "S", "OB")


class Plan(NamedTuple):
    """What a queue's new parts are made of."""

    bodies: Mapping[str, Sequence[str]]
    """What stands in a section that was missing, as a fresh run has it."""
    folded: int
    """The watermark; 0 for none, or where nobody knows it."""
    audits: bool
    """Whether a supervisor keeps the Supervisor state."""
    past: str
    """Texts in which ids of this run may stand: archives and the other files."""


def adopt(source: str, plan: Plan) -> Adopted:
    """The queue in the canonical form; whatever it did not understand stays or is archived."""
    told: list[Finding] = []
    moves: list[Move] = []
    document = adoption.begun(source, "directives")
    document = _packets(document, plan, moves, told)
    document = _prose(document, moves)
    document = adoption.completed(document, FILE, contract.DIRECTIVES_SECTIONS, plan.bodies)
    document = _standing(document, plan, told)
    cards = adoption.numbers(adoption.spoken(document) + plan.past, "OB")
    document = adoption.cards(document, FILE, told, cards)
    document = _state(document, plan, told)
    return Adopted(document.text(), tuple(moves), tuple(told))


def _packets(document: Document, plan: Plan, moves: list[Move], told: list[Finding]) -> Document:
    """Corrections as packets; a folded one goes to the archive as it is."""
    for packet in reversed(directives.read(document).corrections):
        old = edit.taken(document, packet.line, packet.end)
        if packet.number <= plan.folded:
            moves.append(Move(packet.id, FILE, "directives", old))
            document = edit.remove_lines(document, packet.line, packet.end)
        elif not _is_whole(packet):
            lines = _packet(document, packet)
            end = edit.line_end(document)
            new = "".join(f"{line}{end}" for line in lines)
            moves.append(Move(packet.id, FILE, "directives", old, new))
            document = edit.splice(document, packet.line, packet.end, lines)
            says = _(
                "{id} was no packet of four fields; its verdict is plan where unknown", id=packet.id
            )
            told.append(
                Finding(RULE, FILE, packet.line, says, _("Word it anew where that is wrong."))
            )
    return document


def _is_whole(packet: Correction) -> bool:
    fields = (packet.fields.get(name) for name in directives.PACKET)
    return packet.verdict is not None and all(field and field.text for field in fields)


def _packet(document: Document, packet: Correction) -> list[str]:
    """A correction in four fields; what it says is cut at its arrow, else all of it is Action."""
    verdict, boundary = packet.verdict or "plan", packet.boundary
    if verdict in ("accept", "redo") and boundary is None:
        verdict = "plan"
    parts = [packet.id, *([packet.date] if packet.date else []), verdict]
    parts += [boundary] if boundary and verdict in ("accept", "redo") else []
    said = {name: field.text for name, field in packet.fields.items() if field.text}
    problem, action = _cut(_words(document, packet))
    fresh = {"Context": problem or "none", "Action": action or UNKNOWN}
    fresh |= {"Verify": UNKNOWN, "Stop": "none"}
    fields = {**fresh, **said}
    return [
        " · ".join(parts),
        *(f"{name}: {quoting.inline(fields[name])}" for name in directives.PACKET),
    ]


def _words(document: Document, packet: Correction) -> str:
    """What a correction says beside its id, its date and its fields, in one line."""
    lines = [
        header.unmarked(text.bare(document.lines[at]))
        for at in range(packet.line - 1, packet.end)
        if not (at > packet.line - 1 and header.label(document.lines[at], directives.PACKET))
    ]
    said = " ".join(" ".join(lines).split()).replace(packet.id, "", 1)
    said = said.replace(packet.date, "", 1) if packet.date else said
    return said.lstrip("*_`·|:： \t—–-").rstrip()


def _cut(said: str) -> tuple[str, str]:
    for arrow in _ARROWS:
        problem, found, action = said.partition(arrow)
        if found and action.strip():
            return problem.strip(), action.strip()
    return "", said


def _prose(document: Document, moves: list[Move]) -> Document:
    """Corrections without text that is no packet: it goes to the archive, nobody folds it."""
    part = document.section("Corrections")
    if part is None:
        return document
    held = {
        line
        for packet in directives.read(document).corrections
        for line in range(packet.line, packet.end + 1)
    }
    loose = [
        line
        for line, said in document.body(part)
        if said.strip(" \t-*_") and line not in held and not header.is_none(said)
    ]
    for line in reversed(loose):
        old = edit.taken(document, line, line)
        moves.append(Move(f"a line of Corrections ({line})", FILE, "directives", old))
        document = edit.remove_lines(document, line, line)
    return document


def _standing(document: Document, plan: Plan, told: list[Finding]) -> Document:
    """Standing entries with an id and a kind; what has none becomes a SCOPE."""
    part = document.section("STANDING")
    if part is None:
        return document
    known = {entry.line: entry for entry in directives.read(document).standing}
    last = max(adoption.numbers(adoption.spoken(document) + plan.past, "S"), 0)
    for line, said in list(document.body(part)):
        entry = known.get(line)
        item = said[:2] in ("- ", "* ", "+ ")
        if (entry and entry.kind) or header.is_none(header.unmarked(said)) or not (entry or item):
            continue
        if entry:
            id_, words = entry.id, header.unmarked(said)[len(entry.id) :].lstrip(_MARKS + "·|:—–-")
        else:
            last += 1
            id_, words = f"S-{last:03}", said[2:].strip()
        document = edit.replace_line(document, line, f"- {id_} · SCOPE · {words}")
        says = _("{id} named no kind and is a SCOPE now", id=id_)
        told.append(
            Finding(RULE, FILE, line, says, _("Name AUTHORITY or PRE-AUTH where it is one."))
        )
    return document


def _state(document: Document, plan: Plan, told: list[Finding]) -> Document:
    """The Supervisor state with the fields that other writers count on."""
    part = document.section("Supervisor state")
    found = directives.read(document)
    if part is None or found.state is None:
        return document
    highest = _highest(document, found, plan)
    audited = found.state.audited is None and plan.audits
    said = [f"Highest ids: {highest}"]
    if audited:
        said.insert(0, "Audited through: R0")
        says = _("how far the supervisor has audited is unknown; R0 makes it look again")
        told.append(
            Finding(RULE, FILE, part.start + 1, says, _("Note it with `loopgraph audited`."))
        )
    if found.state.highest is None:
        return adoption.add(document, part, [" | ".join(said)])
    line = found.state.highest_line
    old = text.bare(document.lines[line - 1])
    at = old.casefold().index("highest ids")
    before = old[:at].rstrip(" |")
    new = " | ".join([*([before] if before else []), *said])
    return edit.replace_line(document, line, new) if new != old else document


def _highest(document: Document, found: Directives, plan: Plan) -> str:
    everywhere = adoption.spoken(document) + plan.past
    known = (found.state.highest if found.state else None) or {}
    numbers = {
        letters: max(adoption.numbers(everywhere, letters), known.get(letters, 0))
        for letters in _IDS
    }
    return " | ".join(adoption.shown(letters, number) for letters, number in numbers.items())
