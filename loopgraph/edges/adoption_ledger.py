"""Bring a ledger of an older contract to the canonical form, and tell what it never said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from loopgraph.edges import adoption, edit, fields, ledger
from loopgraph.edges.adoption import RULE, UNKNOWN, Adopted
from loopgraph.edges.change import Move
from loopgraph.edges.document import Document
from loopgraph.edges.ledger import Ledger, Net, Round
from loopgraph.model import contract, states
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import header, quoting, text

FILE: Final = "ledger.md"

_GAPS: Final = (
    *(("id",), ("priority",), ("milestone",), ("write",), ("verify",)),
    ("one line", "line", "gap"),
)
_SCORE_COLUMNS: Final = ("Gate", "Status", "Evidence / next action")
_PROMOTION: Final = ("Boundary", "Audit surface", "Evidence", "Context")
_BLOCK: Final = (
    *("Item", "Gate", "Changed", "Change", "Verify"),
    *("Net lines", "Net", "Open", "Next"),
)


class Plan(NamedTuple):
    """What a ledger's new parts are made of."""

    bodies: Mapping[str, Sequence[str]]
    """What stands in a section that was missing, as a fresh run has it."""
    milestones: tuple[str, ...]
    """Ids of the run's milestones."""
    slice: Mapping[str, str]
    """Fields of a Current slice that was missing."""
    every: int
    cap: int
    keep: int
    """CONVERGE_EVERY, NET_LINE_CAP, KEEP_ROUNDS."""
    discovers: bool
    past: str
    """Texts in which ids of this run may stand: archives and the other files."""


def adopt(source: str, plan: Plan) -> Adopted:
    """The ledger in the canonical form; whatever it did not understand stays where it was."""
    told: list[Finding] = []
    was = ledger.read(adoption.begun(source, "ledger"))
    document, moves = _rounds(was, plan, told)
    bodies = {**plan.bodies, "Current slice": _slice(was, plan)}
    document = adoption.completed(document, FILE, contract.LEDGER_SECTIONS, bodies)
    document = _tables(document, was, plan, told)
    document = _promotion(document, told)
    document = _header(document, was, plan, told)
    return Adopted(document.text(), tuple(moves), tuple(told))


def _slice(was: Ledger, plan: Plan) -> list[str]:
    item = was.next_item or (was.rounds[-1].next if was.rounds else None) or UNKNOWN
    said = {**dict.fromkeys(header.SLICE, UNKNOWN), **plan.slice, "Item": item}
    return [f"- {name}: {quoting.inline(said[name])}" for name in header.SLICE]


# The log ---------------------------------------------------------------------------------------


def _rounds(was: Ledger, plan: Plan, told: list[Finding]) -> tuple[Document, list[Move]]:
    """The log with one line a round, the newest last; what can't be said so goes to the archive."""
    document = was.document
    order = sorted(was.rounds, key=lambda entry: entry.number)
    said = {entry.line: _entry(document, entry) for entry in was.rounds}
    kept = _kept(order, said, plan.keep)
    once = len({entry.number for entry in kept}) == len(kept)
    there = sorted(kept, key=lambda entry: entry.line)
    into = dict(zip((entry.line for entry in there), kept if once else there, strict=True))
    moves: list[Move] = []
    for entry in sorted(was.rounds, key=lambda entry: entry.line, reverse=True):
        end = _end(document, entry)
        old = edit.taken(document, entry.line, end)
        here = into.get(entry.line)
        new = said[here.line] if here else None
        if entry not in kept or entry.block:
            mark = edit.line_end(document)
            instead = f"{said[entry.line]}{mark}" if entry in kept else ""
            moves.append(Move(f"R{entry.number}", FILE, "rounds", old, instead))
        if new is None or text.bare(old) != new:
            document = edit.splice(document, entry.line, end, [] if new is None else [new])
    document = _close(_strays(document, moves))
    gone = [f"R{entry.number}" for entry in order if entry not in kept]
    if gone:
        says = _(
            "{gone} went to the archive: too old, or without a date or net lines",
            gone=", ".join(gone),
        )
        told.append(Finding(RULE, FILE, 0, says))
    return document, sorted(moves, key=lambda move: header.number(move.id) or 0)


def _kept(order: list[Round], said: Mapping[int, str | None], keep: int) -> list[Round]:
    """The newest rounds that can be said in one line each, at most so many."""
    kept: list[Round] = []
    for entry in reversed(order):
        if said[entry.line] is None or len(kept) == keep:
            break
        kept.insert(0, entry)
    return kept


def _end(document: Document, entry: Round) -> int:
    """The last line of an entry: of a line's own, what is not indented below it is prose."""
    if entry.block:
        return entry.end
    end = entry.line
    while end < entry.end:
        line = document.lines[end]
        if line[:1] not in (" ", "\t") or line.lstrip()[:2] in ("- ", "* ", "+ "):
            break
        end += 1
    return end


def _close(document: Document) -> Document:
    """The log without blank lines between its rounds."""
    rounds = ledger.read(document).rounds
    for above, below in reversed(list(pairwise(rounds))):
        first = _end(document, above) + 1
        between = document.lines[first - 1 : below.line - 1]
        if between and not any(line.strip() for line in between):
            document = edit.remove_lines(document, first, below.line - 1)
    return document


def _strays(document: Document, moves: list[Move]) -> Document:
    """The log without list items that are no round's: they go to the archive word for word."""
    for line in reversed(ledger.read(document).strays):
        old = edit.taken(document, line, line)
        moves.append(Move(f"a line of the log ({line})", FILE, "rounds", old))
        document = edit.remove_lines(document, line, line)
    return document


def _entry(document: Document, entry: Round) -> str | None:
    """A round as one canonical line; None where that would have to invent something."""
    if entry.date is None or entry.net is None:
        return None
    whole = all((entry.item, entry.changed, entry.verify, entry.next))
    if whole and not entry.block and _end(document, entry) == entry.line:
        return text.bare(document.lines[entry.line - 1])
    verify, still = _checked(document, entry)
    tag = "CONVERGE " if entry.converge else ""
    net = f"net +{entry.net.added}/-{entry.net.removed}"
    if entry.claimed:
        net += f" (claimed +{entry.claimed.added}/-{entry.claimed.removed})"
    parts = [
        f"- R{entry.number} {entry.date}",
        tag + ledger.piece(entry.item or UNKNOWN),
        f"changed: {ledger.piece(entry.changed or UNKNOWN)}",
        f"verify: {ledger.piece(verify or UNKNOWN)}",
        net,
        *([f"open: {ledger.piece(still)}"] if still else []),
        f"next: {ledger.piece(entry.next or UNKNOWN)}",
    ]
    return " | ".join(parts)


def _checked(document: Document, entry: Round) -> tuple[str, str]:
    """What was verified, the gate's result before it, and what was left open."""
    if entry.block:
        found = fields.entries(document, entry.line, entry.end, _BLOCK)
        gate, verify, still = (
            found[name].text if name in found else "" for name in ("Gate", "Verify", "Open")
        )
    else:
        lines = document.lines[entry.line - 1 : _end(document, entry)]
        pieces = quoting.pieces(" ".join(text.bare(line).strip() for line in lines))
        keyed = dict(ledger.keyed(piece) for piece in reversed(pieces))
        gate, verify, still = (
            quoting.uncell(keyed.get(name, "")).strip() for name in ("gate", "verify", "open")
        )
    return "; ".join(part for part in (gate, verify) if part), still


# Tables and Pending promotion ------------------------------------------------------------------


def _tables(document: Document, was: Ledger, plan: Plan, told: list[Finding]) -> Document:
    stage = was.milestone or plan.milestones[0]
    lacking: dict[str, list[str]] = {}
    free = [adoption.numbers(adoption.spoken(document) + plan.past, "GAP")]

    def gap(_line: int, cells: list[str | None]) -> list[str]:
        id_, priority, milestone, write_set, verify, says = cells
        says = says or UNKNOWN
        if fields.numbered(id_, "GAP")[1] is None:
            free[0] += 1
            says = f"{id_}: {says}" if id_ else says
            id_ = f"GAP-{free[0]:03}"
        level = (priority or "").strip("*_` ")
        if level not in states.PRIORITIES:
            says = f"{says} (priority before: {level or 'none'})"
            level = "P2"
        row = [id_ or "", level, milestone or _canonical(stage)]
        row += [write_set or UNKNOWN, verify or UNKNOWN, says]
        for name, cell in zip(header.GAP_COLUMNS, cells, strict=True):
            if not cell:
                lacking.setdefault(row[0], []).append(name)
        return row

    def score(line: int, cells: list[str | None]) -> list[str]:
        gate, status, evidence = cells
        known = header.word(status or "") in states.ROW_STATES
        evidence = evidence or UNKNOWN
        if not known:
            evidence = f"{evidence} (status before: {status or 'none'})"
            says = _(
                "the status {status} is none of ours; the row is open now", status=status or ""
            )
            told.append(Finding(RULE, FILE, line, says, _("Close it by its evidence.")))
        return [gate or UNKNOWN, status if known and status else "open", evidence]

    for title, columns, words, mend in (
        ("Debt & gap register", header.GAP_COLUMNS, _GAPS, gap),
        ("Gate scoreboard", _SCORE_COLUMNS, header.SCORE_TITLES, score),
    ):
        document = adoption.tabled(document, title, columns, words, mend)
    for absent in dict.fromkeys(tuple(names) for names in lacking.values()):
        ids = ", ".join(id_ for id_, names in lacking.items() if tuple(names) == absent)
        says = _("{ids} said nothing under {absent}", ids=ids, absent=", ".join(absent))
        told.append(Finding(RULE, FILE, 0, says, _(_FILL, unknown=UNKNOWN)))
    cards = adoption.numbers(adoption.spoken(document) + plan.past, "OB")
    return adoption.cards(document, FILE, told, cards)


_FILL: Final = N_("Put in what is known where it says {unknown}.")


def _promotion(document: Document, told: list[Finding]) -> Document:
    """Pending promotion with its four fields; prose above them stays."""
    found = ledger.read(document)
    part = document.section("Pending promotion")
    if part is None or found.promotion is None or any(found.promotion[1:5]):
        return document
    waits = found.gate == "pending-audit"
    said = dict.fromkeys(_PROMOTION, UNKNOWN if waits else "none")
    if waits:
        said["Boundary"] = _canonical(found.milestone or "M-1")
        says = _("a promotion waits, and its surface and evidence are unknown")
        told.append(Finding(RULE, FILE, part.start + 1, says, _("Ask for it again.")))
    return adoption.add(document, part, [f"- {name}: {said[name]}" for name in _PROMOTION])


# The Status header -----------------------------------------------------------------------------


def _canonical(id_: str) -> str:
    """`M3` as `M-3`."""
    return f"M-{id_[1:].lstrip('-')}"


def _header(document: Document, was: Ledger, plan: Plan, told: list[Finding]) -> Document:
    """The Status header in its eight or nine lines; lines of it that are no field stay below."""
    now = ledger.read(document)
    part = document.section("Status header")
    if part is None:
        return document
    raw = {
        name: (line, value)
        for name, (line, value) in header.fields(list(document.body(part)), header.FIELDS).items()
        if value
    }
    line = part.start + 1
    unknown: list[str] = []
    said = {name: value for name, (_, value) in raw.items()}
    said["Current milestone"] = _milestone(now, said.get("Current milestone", ""), plan, unknown)
    for name, made in _told_elsewhere(was, now, plan, document).items():
        if name not in said or (name == "Highest ids"):
            said[name] = made
            unknown += [name] if made.startswith(UNKNOWN) else []
    if now.net and _plain_net(said["Last round net lines"]):
        said["Last round net lines"] = _net(now.net)
    said["Convergence tracker"] = _tracker(now, plan, said.get("Convergence tracker", ""), told)
    _states(now, plan, said, unknown)
    if plan.discovers:
        empty = f"area 1 of 1 | refill 0/0 | sweep yields none, none (floor {UNKNOWN})"
        said.setdefault("Discovery tracker", empty)
    if unknown:
        says = _("the Status header did not say {unknown}", unknown=", ".join(unknown))
        told.append(Finding(RULE, FILE, line, says, _("Set what is known.")))
    lines = _laid_out(said)
    old = sorted({at for at, _ in raw.values()})
    whole = [text.bare(document.lines[at - 1]) for at in old]
    if whole == lines:
        return document
    first = old[0] if old else line + 1
    for at in reversed(old):
        document = edit.remove_lines(document, at, at)
    blank = [] if old else [""]
    return edit.splice(document, first, first - 1, [*blank, *lines, *blank])


def _laid_out(said: Mapping[str, str]) -> list[str]:
    """The header's lines: three fields share the first, each other one has its own."""
    first = " | ".join(f"{name}: {said[name]}" for name in header.FIELDS[:3])
    return [first, *(f"{name}: {said[name]}" for name in header.FIELDS[3:] if name in said)]


def _milestone(now: Ledger, said: str, plan: Plan, unknown: list[str]) -> str:
    if now.milestone:
        at = len(said) - len(said.lstrip(" \t*_`")) + len(now.milestone)
        return _canonical(now.milestone) + said[at:]
    if not said or len(plan.milestones) > 1:
        unknown.append("the milestone's id")
    return f"{plan.milestones[0]} {said}".rstrip()


def _told_elsewhere(was: Ledger, now: Ledger, plan: Plan, document: Document) -> Mapping[str, str]:
    """What other places of the run say about fields that the header may lack."""
    last = max(was.rounds, key=lambda entry: entry.number, default=None)
    everywhere = adoption.spoken(document) + plan.past
    gap = max(adoption.numbers(everywhere, "GAP"), now.highest.get("GAP", 0))
    card = max(adoption.numbers(everywhere, "OB"), now.highest.get("OB", 0))
    packets = adoption.numbers(everywhere, "D")
    return {
        "Round": str(last.number if last else 0),
        "Last round net lines": _net(last.net) if last and last.net else UNKNOWN,
        "Next unclosed work item": (last.next if last else None) or UNKNOWN,
        "Last directive folded": UNKNOWN if packets else "none",
        "Highest ids": f"{adoption.shown('GAP', gap)} | {adoption.shown('OB', card)}",
    }


def _net(net: Net) -> str:
    return f"+{net.added}/-{net.removed}"


def _plain_net(said: str) -> bool:
    """Whether a value is nothing but two numbers, so that writing them anew loses nothing."""
    return not header.flat(said).strip(" \t*_`+-/0123456789")


def _tracker(now: Ledger, plan: Plan, said: str, told: list[Finding]) -> str:
    """The Convergence tracker: its own numbers stay, and what it lacks is counted in the log."""
    tracker = now.convergence
    rounds = list(now.rounds)
    last = max((at for at, entry in enumerate(rounds) if entry.converge), default=-1)
    since = rounds[last + 1 :]
    lines = sum(entry.net.added - entry.net.removed for entry in since if entry.net)
    k = tracker.k if tracker and tracker.k is not None else len(since)
    m = tracker.m if tracker and tracker.m is not None else lines
    line = tracker.line if tracker else 0
    if k < len(since) or m < lines:
        says = _(
            "the Convergence tracker stays as it was, {k} rounds and {m} lines; "
            "the live rounds add up to {count} and {lines}",
            k=k,
            m=f"{m:+}",
            count=len(since),
            lines=f"{lines:+}",
        )
        told.append(Finding(RULE, FILE, line, says, _("Correct it where more is known.")))
    due = states.convergence_due(rounds=k, every=plan.every, net=m, cap=plan.cap)
    wanted = (k, plan.every, m, plan.cap, due)
    if tracker and tracker[1:] == wanted:
        return said
    if tracker is None or tracker.k is None or tracker.m is None:
        says = _("the Convergence tracker was counted anew: {k} rounds, {m} lines", k=k, m=f"{m:+}")
        told.append(Finding(RULE, FILE, line, says, _("Correct it where more is known.")))
    return ledger.tracker(k, m, every=plan.every, cap=plan.cap, due=due)


def _states(now: Ledger, plan: Plan, said: dict[str, str], unknown: list[str]) -> None:
    """Gate and status, each one of its table; an unknown word stays beside the default."""
    many = len(plan.milestones) > 1
    gate = "open" if many else "n/a"
    if now.gate is None or (many and now.gate == "n/a"):
        said["Milestone gate"] = _beside(gate, said.get("Milestone gate", ""))
        unknown.append("Milestone gate")
    if now.status is None:
        said["Run status"] = _beside("active", said.get("Run status", ""))
        unknown.append("Run status")


def _beside(value: str, said: str) -> str:
    before = said.replace("`", "").strip()
    return f"`{value}` (before: {before})" if before else f"`{value}`"
