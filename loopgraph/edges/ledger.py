"""The ledger: the run's only scoreboard, read as far as it can be understood."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from loopgraph.edges import fields
from loopgraph.edges.document import Document, Row, Section
from loopgraph.edges.fields import Card, Field
from loopgraph.model import states
from loopgraph.model.states import GateState, RowState, RunStatus
from loopgraph.plain import header, quoting, text


class Net(NamedTuple):
    """Production lines added and removed."""

    added: int
    removed: int


class Convergence(NamedTuple):
    """The Convergence tracker; what it does not say is None."""

    line: int
    k: int | None
    """Rounds since the last convergence round."""
    every: int | None
    """How many make one due."""
    m: int | None
    """Net production lines since then."""
    cap: int | None
    """Beyond how many one is due."""
    due: bool | None
    """What its flag says."""


class Discovery(NamedTuple):
    """The Discovery tracker of a discovery-driven run; what it does not say is None."""

    line: int
    area: str | None
    areas: int | None
    found: int | None
    done: int | None
    previous: int | None
    """New candidates of the full sweep before the last one."""
    last: int | None
    floor: int | None


class Slice(NamedTuple):
    """The Current slice; a field that is not there is None."""

    line: int
    """Of its heading."""
    lines: int
    """How many lines say something."""
    item: Field | None
    write_set: Field | None
    context: Field | None
    verify: Field | None
    done_when: Field | None


class GateRow(NamedTuple):
    """A row of the Gate scoreboard; a column that the table lacks is None."""

    line: int
    gate: str | None
    said: str | None
    """The word of its status, whatever it is."""
    status: RowState | None
    evidence: str | None


class Gap(NamedTuple):
    """A row of the Debt & gap register; a column that the table lacks is None."""

    line: int
    id: str | None
    number: int | None
    """Of `GAP-nnn`; None where the id is of no such form."""
    priority: str | None
    milestone: str | None
    write_set: str | None
    verify: str | None
    text: str | None


class Round(NamedTuple):
    """A round of the log, from its one line or its block; what it does not say is None."""

    line: int
    end: int
    """Its last line."""
    number: int
    date: str | None
    """As it is written, `2026-07-20`; the day may not exist."""
    converge: bool
    block: bool
    item: str | None
    changed: str | None
    verify: str | None
    net: Net | None
    claimed: Net | None
    """What the node said, where that differs from the measure."""
    next: str | None

    @property
    def failed(self) -> bool:
        """Whether its gate was red."""
        return (self.verify or "").startswith(FAILED)

    @property
    def forced(self) -> bool:
        """Whether it was recorded against a law, with the reason beside it."""
        return FORCED in (self.verify or "")


FAILED: Final = "failed"
"""How the verify of a round begins whose gate was red."""
FORCED: Final = "; forced: "
"""What stands in it before the reason for which a law was passed over."""


class Promotion(NamedTuple):
    """What waits for an audit; a field that is not there is None."""

    line: int
    """Of its heading."""
    boundary: Field | None
    surface: Field | None
    evidence: Field | None
    context: Field | None
    empty: bool
    """Nothing is asked for."""


class Ledger(NamedTuple):
    """What ledger.md says. None is unknown, never zero."""

    document: Document
    fields: Mapping[str, Field]
    """Of the Status header, by name, as they are written."""
    status: RunStatus | None
    gate: GateState | None
    milestone: str | None
    """Its id, such as `M-2`; None also where a single goal has none."""
    round: int | None
    net: Net | None
    """Of the last round."""
    next_item: str | None
    folded: int | None
    """The watermark: 0 for none."""
    highest: Mapping[str, int]
    """The highest number by kind of id (`GAP`, `OB`); a kind that is not named is absent."""
    convergence: Convergence | None
    discovery: Discovery | None
    slice: Slice | None
    scoreboard: tuple[GateRow, ...]
    metrics: tuple[Row, ...]
    gaps: tuple[Gap, ...]
    rounds: tuple[Round, ...]
    strays: tuple[int, ...]
    """Lines of the log that begin an item of a list and are no round's."""
    cards: tuple[Card, ...]
    promotion: Promotion | None

    def line(self, name: str) -> int:
        """The line of a field of the Status header; 0 where it is absent."""
        found = self.fields.get(name)
        return found.line if found else 0

    def folded_after(self) -> int | None:
        """The newest round when the watermark moved last; None where nobody noted it."""
        field = self.fields.get("Last directive folded")
        return folded_after(field.text) if field else None


def folded_after(said: str) -> int | None:
    """The round that a watermark names as the newest when it moved; None where it names none."""
    _, mark, rest = said.partition(" after R")
    return header.number(rest) if mark else None


_ROUND: Final = (
    *("Item", "Gate", "Changed", "Change", "Verify"),
    *("Net lines", "Net", "Open", "Next"),
)
_PROMOTION: Final = ("Boundary", "Audit surface", "Evidence", "Context")
_CONVERGE: Final = "CONVERGE"


def read(document: Document) -> Ledger:
    """Read a ledger; nothing is refused."""
    found, status, gate, milestone, round_, net, item, folded, highest = header.status_header(
        _body(document, "Status header")
    )
    rounds, strays = log(document, document.section("Rounds log"))
    return Ledger(
        document=document,
        fields={name: Field(line, quoting.unquote(value)) for name, (line, value) in found.items()},
        status=next((known for known in states.RUN_STATUSES if known == status), None),
        gate=next((known for known in states.GATE_STATES if known == gate), None),
        milestone=milestone,
        round=round_,
        net=Net(*net) if net else None,
        next_item=item,
        folded=folded,
        highest=highest,
        convergence=_convergence(found),
        discovery=_discovery(found),
        slice=_slice(document),
        scoreboard=_scoreboard(document),
        metrics=_metrics(document),
        gaps=_gaps(document),
        rounds=rounds,
        strays=strays,
        cards=fields.cards(document),
        promotion=_promotion(document),
    )


def _body(document: Document, title: str) -> list[tuple[int, str]]:
    section = document.section(title)
    return list(document.body(section)) if section else []


def _convergence(found: Mapping[str, tuple[int, str]]) -> Convergence | None:
    if "Convergence tracker" not in found:
        return None
    line, value = found["Convergence tracker"]
    return Convergence(line, *header.convergence(value))


def _discovery(found: Mapping[str, tuple[int, str]]) -> Discovery | None:
    if "Discovery tracker" not in found:
        return None
    line, value = found["Discovery tracker"]
    return Discovery(line, *header.discovery(value))


def _slice(document: Document) -> Slice | None:
    section = document.section("Current slice")
    if section is None:
        return None
    found = {
        name: Field(line, value)
        for name, (line, value) in header.current_slice(list(document.body(section))).items()
    }
    lines = sum(
        bool(document.lines[index].strip(" \t\r\n-*_"))
        for index in range(section.start + 1, section.end)
        if document.kinds[index] != text.COMMENT
    )
    return Slice(section.start + 1, lines, *(found.get(name) for name in header.SLICE))


def _scoreboard(document: Document) -> tuple[GateRow, ...]:
    rows: list[GateRow] = []
    for line, (gate, cell, evidence) in header.score_rows(_body(document, "Gate scoreboard")):
        said = None if cell is None else header.word(cell)
        status = next((known for known in states.ROW_STATES if known == said), None)
        rows.append(GateRow(line, gate, said, status, evidence))
    return tuple(rows)


def _metrics(document: Document) -> tuple[Row, ...]:
    section = document.section("Metric snapshot")
    if section is None:
        return ()
    rows = document.table(section)
    return tuple(row for row in rows if not all(header.is_none(cell) for cell in row.cells))


def _gaps(document: Document) -> tuple[Gap, ...]:
    return tuple(
        Gap(line, *fields.numbered(cells[0], "GAP"), _plain(cells[1]), *cells[2:])
        for line, cells in header.debt_rows(_body(document, "Debt & gap register"))
    )


def _plain(cell: str | None) -> str | None:
    return None if cell is None else cell.strip("*_` ")


def _promotion(document: Document) -> Promotion | None:
    section = document.section("Pending promotion")
    if section is None:
        return None
    found = fields.entries(document, section.start + 1, section.end, _PROMOTION)
    values = list(found.values()) or fields.spoken(document, section)
    empty = all(field.empty for field in values)
    boundary, surface, evidence, context = (found.get(name) for name in _PROMOTION)
    return Promotion(section.start + 1, boundary, surface, evidence, context, empty=empty)


class _Entry(NamedTuple):
    """Where a round of the log begins."""

    at: int
    """Index of its line."""
    number: int
    block: bool


def log(document: Document, section: Section | None) -> tuple[tuple[Round, ...], tuple[int, ...]]:
    """The rounds of a section, and the lines of list items that are none."""
    if section is None:
        return (), ()
    starts, strays = _starts(document, section)
    ends = [start for start, _ in starts[1:]] + [section.end]
    rounds = tuple(
        _block(document, entry, end) if entry.block else _one_line(document, entry, end)
        for (_, entry), end in zip(starts, ends, strict=False)
        if entry
    )
    return rounds, strays


def _starts(
    document: Document, section: Section
) -> tuple[list[tuple[int, _Entry | None]], tuple[int, ...]]:
    """Where each entry of the log begins; a heading that is no round's ends the one above it."""
    heads = {
        found.start: found.title
        for found in document.sections
        if section.start < found.start < section.end
    }
    starts: list[tuple[int, _Entry | None]] = []
    strays: list[int] = []
    block = False
    for index in range(section.start + 1, section.end):
        line = text.bare(document.lines[index])
        if document.kinds[index] != text.TEXT:
            continue
        if index in heads:
            number = _round_number(heads[index])
            block = number is not None
            starts.append((index, None if number is None else _Entry(index, number, block=True)))
        elif line[:2] in ("- ", "* ", "+ ") and not (block and "|" not in line):
            number = _round_number(line)
            if number is not None:
                starts.append((index, _Entry(index, number, block=False)))
            elif not header.is_none(header.unmarked(line)):
                strays.append(index + 1)
    return starts, tuple(strays)


def _round_number(line: str) -> int | None:
    """The number in `R9 …` or `Round 9 …`."""
    said = header.flat(header.unmarked(line))
    for lead in ("round ", "round-", "r"):
        rest = said[len(lead) :].lstrip(" ")
        if said[: len(lead)].casefold() == lead and rest[:1].isdigit():
            digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
            after = rest[len(digits) : len(digits) + 1]
            return None if after.isalnum() or after == "." else header.number(digits)
    return None


def _last_line(document: Document, first: int, end: int) -> int:
    """The number of the last line that says something."""
    while end > first + 1 and not document.lines[end - 1].strip(" \t\r\n-*_"):
        end -= 1
    return end


def _one_line(document: Document, entry: _Entry, end: int) -> Round:
    last = _last_line(document, entry.at, end)
    parts = [text.bare(document.lines[entry.at])]
    for index in range(entry.at + 1, last):
        line = text.bare(document.lines[index])
        if line[:1] not in (" ", "\t") or line.lstrip()[:2] in ("- ", "* ", "+ "):
            break
        parts.append(line.strip())
    return _said(" ".join(parts), entry.at + 1, last, entry.number)


def round_line(line: str) -> Round | None:
    """The round that one line of the log says, as its first; None where it says none."""
    number = _round_number(line) if line[:2] in ("- ", "* ", "+ ") else None
    return None if number is None else _said(line, 1, 1, number)


def _said(line: str, first: int, last: int, number: int) -> Round:
    """A round from its line."""
    head, *pieces = quoting.pieces(line)
    named: dict[str, str] = {}
    free: list[str] = []
    for piece in pieces:
        key, value = keyed(piece)
        if key:
            named.setdefault(key, quoting.uncell(value))
        elif piece.strip():
            free.append(piece.strip())
    items = [quoting.uncell(item) for piece in free if (item := _untagged(piece))]
    net, claimed = _nets(named.get("net"))
    return Round(
        line=first,
        end=last,
        number=number,
        date=header.date(head),
        converge=_tagged(head) or any(_untagged(piece) != piece for piece in free),
        block=False,
        item=items[0] if items else None,
        changed=named.get("changed"),
        verify=named.get("verify", named.get("gate")),
        net=net,
        claimed=claimed,
        next=named.get("next"),
    )


_KEYS: Final = ("changed", "verify", "gate", "next", "open", "net")
_LONGEST: Final = 7


def keyed(piece: str) -> tuple[str, str]:
    """The key that a piece of a round's line begins with, and its value; no key for free text."""
    said = header.unmarked(piece)
    begins = said[:_LONGEST].casefold()
    if not begins.startswith(_KEYS):
        return "", piece
    for key in _KEYS:
        if not begins.startswith(key):
            continue
        rest = said[len(key) :].lstrip("*_ ")
        if rest[:1] in (":", "："):
            return key, rest[1:].strip(" *_") if key == "net" else rest[1:].strip()
        if key == "net" and header.net(rest):
            return key, rest.strip()
    return "", piece


def tracker(k: int, m: int, *, every: int, cap: int, due: bool) -> str:
    """The Convergence tracker as the Status header says it: rounds, net lines, and the flag."""
    return (
        f"rounds since last {every}: **{k}** | net lines since last +{cap}: **{m:+}** | "
        f"**next round converges: {'yes' if due else 'no'}**"
    )


def piece(text: str) -> str:
    """Owner text as a piece of a round's line: no key, no tag, and no pipe in it ends it."""
    shown = quoting.cell(text)
    if keyed(shown)[0] or _untagged(shown) != shown:
        return quoting.shown(shown[0]) + shown[1:]
    return shown


def _tagged(head: str) -> bool:
    """Whether the tag of a convergence round stands there as a word."""
    return _CONVERGE in head.replace("*", " ").replace("`", " ").split()


def _untagged(item: str) -> str:
    """An item without the tag of a convergence round before it."""
    said = item.lstrip("*_`")
    rest = said.removeprefix(_CONVERGE)
    return item if rest == said or rest[:1].isalnum() else rest.lstrip("*_` ;:,—–-·：；")


def _nets(value: str | None) -> tuple[Net | None, Net | None]:
    if value is None:
        return None, None
    net = header.net(value)
    claim = value.partition("claimed")[2].lstrip(" :)")
    claimed = header.net(claim) if claim else None
    return Net(*net) if net else None, Net(*claimed) if claimed else None


def _item_tagged(document: Document, item: Field | None) -> bool:
    """Whether the tag stands before a block's item, as it is written: an escaped one is text."""
    line = text.bare(document.lines[item.line - 1]) if item else ""
    named = header.label(line, ("Item",))
    return bool(named and _untagged(named[1]) != named[1])


def _block(document: Document, entry: _Entry, end: int) -> Round:
    last = _last_line(document, entry.at, end)
    found = fields.entries(document, entry.at + 1, last, _ROUND)
    said = {name: field.text for name, field in found.items() if field.text}
    title = text.bare(document.lines[entry.at])
    item, tagged = said.get("Item", ""), _item_tagged(document, found.get("Item"))
    net, claimed = _nets(said.get("Net lines", said.get("Net")))
    return Round(
        line=entry.at + 1,
        end=last,
        number=entry.number,
        date=header.date(title),
        converge=_tagged(title) or tagged,
        block=True,
        item=(_untagged(item) if tagged else item) or None,
        changed=said.get("Changed", said.get("Change")),
        verify=said.get("Verify", said.get("Gate")),
        net=net,
        claimed=claimed,
        next=said.get("Next"),
    )
