"""The past on the screen: one entry word for word, the rounds, and who decided what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from loopgraph.edges import answers, history
from loopgraph.edges.history import Asked, Decisions, Found, Id, Logged, Place
from loopgraph.model.messages import _
from loopgraph.plain.quoting import visible
from loopgraph.views import shape

SHOW: Final = "loopgraph/show/1"
ROUNDS: Final = "loopgraph/rounds/1"
DECISIONS: Final = "loopgraph/decisions/1"

_LONG: Final = 200
"""Characters of a line on the screen; `show` has the whole."""
_NAMED: Final = 20
"""Lines that only mention an id, as far as they are listed on the screen."""


# show ------------------------------------------------------------------------------------------


class Shown(NamedTuple):
    """An id, every entry that bears it, and every line that mentions it."""

    id: str
    entries: tuple[history.Entry, ...]
    named: tuple[Place, ...]
    problems: tuple[str, ...]


def show(id_: Id, found: Found) -> str:
    """Each entry word for word below its place."""
    parts: list[str] = []
    for one in found.entries:
        where = _("live") if one.live else _("archived")
        body = visible(one.text, keep="\n\t").replace("<U+000D>\n", "\n")
        parts.append(f"{one.file}:{one.line} ({where})\n{body.rstrip()}\n")
    if not found.entries:
        parts += [_line(f"{one.file}:{one.line}: {one.text}") for one in found.named[:_NAMED]]
        parts = ["\n".join(parts) + "\n"]
    if found.named:
        shown = ", ".join(f"{one.file}:{one.line}" for one in found.named[:_NAMED])
        more = len(found.named) - _NAMED
        rest = _(", and {count} more", count=more) if more > 0 else ""
        parts.append(_("{id} is named in: {places}", id=str(id_), places=f"{shown}{rest}") + "\n")
    return "\n".join(parts)


def show_data(id_: Id, found: Found, problems: tuple[str, ...]) -> dict[str, Any]:
    """The same as plain data."""
    shown = Shown(str(id_), found.entries, found.named, problems)
    return {"schema": SHOW, **shape.plain(shown)}


def show_schema() -> dict[str, Any]:
    """The published schema of `show_data`."""
    return shape.schema(Shown, SHOW, "What loopgraph show knows of an id")


# rounds ----------------------------------------------------------------------------------------


class Row(NamedTuple):
    """A round; what it does not say is null."""

    number: int
    date: str | None
    converge: bool
    item: str | None
    changed: str | None
    verify: str | None
    added: int | None
    removed: int | None
    next: str | None
    file: str
    line: int
    live: bool


class Rows(NamedTuple):
    """The rounds, the oldest first."""

    rounds: tuple[Row, ...]
    problems: tuple[str, ...]


def rows(logged: Sequence[Logged]) -> tuple[Row, ...]:
    """Rounds as values."""
    return tuple(
        Row(
            one.round.number,
            one.round.date,
            one.round.converge,
            one.round.item,
            one.round.changed,
            one.round.verify,
            one.round.net.added if one.round.net else None,
            one.round.net.removed if one.round.net else None,
            one.round.next,
            one.file,
            one.round.line,
            one.live,
        )
        for one in logged
    )


def rounds(found: Sequence[Row], every: Sequence[Row] = ()) -> str:
    """A line each; where none was asked for that is there, which `every` has."""
    if found or not every:
        return "".join(f"{_row(row)}\n" for row in found) or _("No round is recorded.") + "\n"
    numbers = [row.number for row in every]
    first, last = min(numbers), max(numbers)
    return (
        _("No such round is recorded: there are R{first} to R{last}.", first=first, last=last)
        + "\n"
    )


def _row(row: Row) -> str:
    net = "" if row.added is None else f" +{row.added}/-{row.removed}"
    tag = " CONVERGE" if row.converge else ""
    parts = [f"R{row.number} {row.date or '?'}{tag}{net}", row.item or "?"]
    parts += [f"verify: {row.verify}"] if row.verify else []
    return _line(" | ".join(parts))


def rounds_data(found: Sequence[Row], problems: tuple[str, ...]) -> dict[str, Any]:
    """The same as plain data."""
    return {"schema": ROUNDS, **shape.plain(Rows(tuple(found), problems))}


def rounds_schema() -> dict[str, Any]:
    """The published schema of `rounds_data`."""
    return shape.schema(Rows, ROUNDS, "What loopgraph rounds lists; null is unknown")


# decisions -------------------------------------------------------------------------------------


class Answer(NamedTuple):
    """One answer to a card."""

    letter: str
    relayed: bool
    """A node passed it on; only the owner's own word opens what is the owner's."""
    by: str
    """`owner`, `relayed`, or `by hand`: in the card's row, where nothing proves whose hand."""
    after: int | None
    """The newest round when it was given; unknown while it stands in the row."""
    says: str
    file: str
    line: int


class Card(NamedTuple):
    """A card, asked or answered."""

    id: str | None
    decision: str | None
    why: str | None
    options: dict[str, str]
    open: bool
    """It still waits for the owner."""
    row: bool
    """Its answer stands in its own row, and no command has taken it in."""
    file: str | None
    line: int | None
    answers: tuple[Answer, ...]


class Standing(NamedTuple):
    """What the owner has granted or closed."""

    id: str
    kind: str | None
    text: str
    in_force: bool
    """In the archive stands what was replaced or retired."""
    file: str
    line: int


class Decided(NamedTuple):
    """Every decision of a run, live and archived."""

    cards: tuple[Card, ...]
    standing: tuple[Standing, ...]
    problems: tuple[str, ...]


def decided(found: Decisions, problems: tuple[str, ...] = ()) -> Decided:
    """Each card with its answers, in the order of their numbers; then what stands."""
    return Decided(
        tuple(_cards(found)),
        tuple(
            Standing(
                one.entry.id, one.entry.kind, one.entry.text, one.live, one.file, one.entry.line
            )
            for one in found.granted
        ),
        problems,
    )


def _cards(found: Decisions) -> Iterator[Card]:
    given: dict[str, list[Answer]] = {}
    for one in found.answered:
        said = one.answer
        given.setdefault(said.id, []).append(
            Answer(
                said.letter,
                said.by == answers.RELAYED,
                said.by,
                said.after,
                said.text,
                one.file,
                said.line,
            )
        )
    asked = {one.card.id: one for one in found.asked if one.card.id}
    nameless = [one for one in found.asked if not one.card.id]
    for id_ in sorted({*asked, *given}, key=_by_number):
        card = asked.get(id_)
        letter = card.card.chosen() if card and card.live else ""
        in_row = [_in_row(card, letter)] if card and letter else []
        said_ = tuple(dict.fromkeys((*given.get(id_, ()), *in_row)))
        yield Card(
            id_,
            card.card.decision if card else None,
            card.card.why if card else None,
            card.card.options() if card else {},
            bool(card and card.live and not letter),
            bool(letter),
            card.file if card else None,
            card.card.line if card else None,
            said_,
        )
    for entry in nameless:
        bare = entry.card
        yield Card(
            None,
            bare.decision,
            bare.why,
            bare.options(),
            entry.live and not bare.chosen(),
            entry.live and bool(bare.chosen()),
            entry.file,
            bare.line,
            (_in_row(entry, bare.chosen()),) if entry.live and bare.chosen() else (),
        )


def _in_row(entry: Asked, letter: str) -> Answer:
    card = entry.card
    return Answer(
        letter,
        relayed=False,
        by=answers.HAND,
        after=None,
        says=card.options()[letter],
        file=entry.file,
        line=card.line,
    )


def _by_number(id_: str) -> tuple[int, str]:
    found = history.parse_id(id_)
    return (found.number if found else 0, id_)


def decisions(found: Decided) -> str:
    """The cards, the open ones first; then what stands."""
    lines = [_card(card) for card in sorted(found.cards, key=_answered_last)]
    force = {True: _("in force"), False: _("no longer in force")}
    lines += [
        _line(f"{one.id} {one.kind or '?'}, {force[one.in_force]}: {one.text}")
        for one in found.standing
    ]
    return "\n".join(lines or [_("Nothing was asked, and nothing stands.")]) + "\n"


def _answered_last(card: Card) -> bool:
    return not card.open


def _card(card: Card) -> str:
    closed = _("answered in the row") if card.row else _("answered")
    state = _("open") if card.open else closed
    lines = [_line(f"{card.id or '?'} {state}: {card.decision or '?'}")]
    if card.open:
        lines += [_line(f"  {letter}: {said}") for letter, said in card.options.items()]
    for one in card.answers:
        when = f", R{one.after}" if one.after is not None else ""
        lines.append(_line(f"  {one.letter} {_by(card, one)}{when}: {one.says}"))
    return "\n".join(lines)


def _by(card: Card, said: Answer) -> str:
    """Who answered; what only the owner may open is not proven by a hand in its row."""
    if said.by != answers.HAND:
        return _("relayed by a node") if said.relayed else _("by the owner")
    return _("by hand") if answers.RELAY in (card.why or "") else _("by hand, not proven")


def decisions_data(found: Decided) -> dict[str, Any]:
    """The same as plain data."""
    return {"schema": DECISIONS, **shape.plain(found)}


def decisions_schema() -> dict[str, Any]:
    """The published schema of `decisions_data`."""
    return shape.schema(Decided, DECISIONS, "What loopgraph decisions lists; null is unknown")


def _line(said: str) -> str:
    indent = " " * (len(said) - len(said.lstrip(" ")))
    plain = indent + " ".join(visible(said).split())
    return plain if len(plain) <= _LONG else f"{plain[: _LONG - 1]}…"
