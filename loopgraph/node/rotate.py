"""Rotate: what is settled moves from a live file to the archive, word for word."""

from __future__ import annotations

from typing import Final

from loopgraph.edges import answers as answered
from loopgraph.edges.answers import Answer
from loopgraph.edges.change import Change
from loopgraph.edges.fields import CARD_SECTION, Card
from loopgraph.edges.run import Run
from loopgraph.model import contract
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import draft as drafts
from loopgraph.node.call import DIRECTIVES, LEDGER, Call
from loopgraph.node.draft import Draft, Used

_EVERY: Final = 1 << 30


def rotate(run: Run, call: Call) -> Change:
    """Rotate what the speaker's own edge has settled."""
    judge = parts.writer(run, "directives")
    if call.speaker.role in (judge, "owner") and call.speaker.role != "executor":
        parts.writes(run, call, "directives", "rotate")
        draft = answers(folded(drafts.begin(run)), DIRECTIVES, before=_EVERY)
    else:
        parts.writes(run, call, "ledger", "rotate")
        draft = rounds(drafts.begin(run), keep=parts.knob(run, "KEEP_ROUNDS"))
        draft = answers(closed_rows(draft), LEDGER, before=_EVERY)
    ids = ", ".join(move.id for move in draft.moves)
    return draft.say(
        _("Moved to the archive: {ids}.", ids=ids) if ids else _("Nothing to rotate.")
    ).change()


def rounds(draft: Draft, *, keep: int) -> Draft:
    """The oldest rounds beyond `keep`."""
    for entry in draft.ledger.rounds[: max(len(draft.ledger.rounds) - keep, 0)]:
        oldest = draft.ledger.rounds[0]
        last = _with_blanks(draft, LEDGER, oldest.end) if oldest.block else oldest.end
        draft = draft.away(f"R{entry.number}", LEDGER, "rounds", (oldest.line, last))
    return draft


def closed_rows(draft: Draft) -> Draft:
    """The oldest closed rows of the Gate scoreboard beyond those that may stay."""
    closed = [row for row in draft.ledger.scoreboard if row.status == "closed"]
    for row in closed[: max(len(closed) - contract.CLOSED_ROWS, 0)]:
        oldest = next(one for one in draft.ledger.scoreboard if one.status == "closed")
        draft = draft.away(row.gate or "a row", LEDGER, "gates", (oldest.line, oldest.line))
    return draft


def folded(draft: Draft) -> Draft:
    """The packets at or below the watermark."""
    watermark = parts.known(draft.ledger.folded, draft.ledger, "Last directive folded")
    packets = draft.directives.corrections
    drafts.once("D", DIRECTIVES, (Used(packet.number, packet.line) for packet in packets))
    done = [packet for packet in packets if packet.number <= watermark]
    for packet in done:
        now = next(one for one in draft.directives.corrections if one.id == packet.id)
        last = _with_blanks(draft, DIRECTIVES, now.end)
        draft = draft.away(packet.id, DIRECTIVES, "directives", (now.line, last))
    return draft


def _with_blanks(draft: Draft, file: str, last: int) -> int:
    """The last line of an entry, with the blank ones that part it from the next."""
    lines = draft.document(file).lines
    while last < len(lines) and not lines[last].strip():
        last += 1
    return last


def answers(draft: Draft, file: str, *, before: int) -> Draft:
    """The answers of cards that were given before a round and that every node has seen.

    Cards that are answered in their row are taken in first. Where the file would grow beyond its
    cap, an answer does not wait for a node that has not looked: the archive has it.
    """
    draft = taken(draft, file)
    for answer in answered.read(draft.document(file)):
        if answer.after < before and (_seen(draft, answer) or draft.over(file)):
            now = next(one for one in answered.read(draft.document(file)) if one.id == answer.id)
            draft = draft.away(f"{now.id}", file, "decisions", (now.line, now.line))
    return draft


def _seen(draft: Draft, answer: Answer) -> bool:
    """Whether each node has worked since: the executor a whole round, the judge an audit."""
    if (draft.ledger.round or 0) < answer.after + 2:  # the next one may have been under way
        return False
    if parts.writer(draft.run, "directives") != "supervisor":
        return True
    state = draft.directives.state
    return bool(state and state.audited is not None and state.audited > answer.after)


def taken(draft: Draft, file: str) -> Draft:
    """The cards of a file that are answered in their row: row to the archive, answer below."""
    while card := next((one for one in cards(draft, file) if one.number and one.chosen()), None):
        draft = told(draft, file, card)
        draft = draft.say(
            _(
                "{id} was answered {letter} in its row (by hand): {text}",
                id=card.id or "?",
                letter=card.chosen(),
                text=card.options()[card.chosen()],
            )
        )
    return draft


def cards(draft: Draft, file: str) -> tuple[Card, ...]:
    """The cards of one of the two files."""
    return draft.ledger.cards if file == LEDGER else draft.directives.cards


def told(draft: Draft, file: str, card: Card) -> Draft:
    """Take in the answer that stands in a card's row."""
    letter = card.chosen()
    said = f"{card.decision or '?'}: {card.options()[letter]}"
    last = draft.ledger.round or 0
    line = answered.write(Answer(0, card.id or "?", letter, answered.HAND, last, said))
    draft = draft.away(card.id or "a card", file, "decisions", (card.line, card.line))
    return draft.add(file, CARD_SECTION, [line])
