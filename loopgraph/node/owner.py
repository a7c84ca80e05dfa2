"""Decision cards: ask the owner, and take in the answer with whoever gave it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from loopgraph.edges import answers
from loopgraph.edges.answers import Answer
from loopgraph.edges.change import Change
from loopgraph.edges.fields import CARD_SECTION, Card
from loopgraph.edges.run import Run
from loopgraph.hosts.base import Text, say
from loopgraph.model.errors import RefusedError, UsageError, nearest
from loopgraph.model.languages import Language
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import directives, gaps, lane, rotate
from loopgraph.node import draft as drafts
from loopgraph.node.call import DIRECTIVES, LEDGER, Call
from loopgraph.node.draft import Draft, Used
from loopgraph.plain import header

LETTERS: Final = "ABC"


class Question(NamedTuple):
    """What a card asks."""

    decision: str
    why: str
    options: tuple[str, ...]
    """One to three, the safest reversible one first: it is the recommended one."""
    because: str = ""
    """Why that one."""
    note: str = ""
    """Technical, for whoever wants it."""
    relay: bool = False
    """About nothing that only the owner may open: an answer that a node passes on will do."""


def ask(run: Run, call: Call, asked: Question) -> Change:
    """Put a card on the speaker's own edge, and print it."""
    file, edge = _edge(call)
    parts.writes(run, call, edge, "owner ask")
    lane.living(run, parts.ledger(run))
    if not 1 <= len(asked.options) <= len(LETTERS):
        raise UsageError(
            _("one to three options"), where="--option", fix=_("The recommended one first.")
        )
    draft = rotate.taken(drafts.begin(run), file)
    found, queue = draft.ledger, draft.directives
    open_ = found.cards if file == LEDGER else queue.cards
    cap = parts.knob(run, "OWNER_CAP")
    if len(open_) >= cap:
        ids = ", ".join(card.id or "?" for card in open_)
        raise RefusedError(
            _(
                "{count} cards wait in {file}; OWNER_CAP is {cap}",
                count=len(open_),
                file=file,
                cap=cap,
            ),
            fix=_(
                "Merge yours into one of {ids}, or decide by the cheapest reversible choice.",
                ids=ids,
            ),
        )
    used = [Used(card.number, card.line) for card in open_ if card.number is not None]
    highest = max(found.highest.get("OB", 0), directives.ids(queue).get("OB", 0))
    number = drafts.next_id("OB", file, highest, used)
    id_ = drafts.name("OB", number)
    lines = [parts.said(option, "--option") for option in asked.options]
    because = f" — {parts.said(asked.because, '--because')}" if asked.because else ""
    others = [f"{letter}: {line}" for letter, line in zip(LETTERS[1:], lines[1:], strict=False)]
    why = parts.said(asked.why, "--why")
    if header.row_answer(why):
        raise RefusedError(
            _("it ends as the owner's own answer in a row does"),
            where=f"--why {why}",
            fix=_("Put it another way: only the owner answers."),
        )
    why += f" {answers.RELAY}" if asked.relay else ""
    cells = (
        id_,
        parts.said(asked.decision, _("the decision")),
        f"A: {lines[0]}{because}",
        "; ".join(others) or "none",
        why,
    )
    draft = draft.row(file, CARD_SECTION, header.CARD_COLUMNS, cells)
    draft = _numbered(draft, file, number)
    lang = run.record.spec.lang if run.record else "en"
    return draft.say(*card(id_, asked, lang)).change()


_CARD: Final[Mapping[str, Text]] = {
    "decision": {"en": "Decision needed: {said}", "zh": "需要决定：{said}"},
    "why": {"en": "Why now: {said}", "zh": "为何现在：{said}"},
    "advice": {"en": "Recommendation: A — {said}", "zh": "建议：A — {said}"},
    "because": {"en": "{said} ({why})", "zh": "{said}（{why}）"},
    "first": {"en": "A (Recommended) — {said}", "zh": "A（推荐）— {said}"},
    "note": {"en": "Technical note: {said}", "zh": "技术说明：{said}"},
    "reply": {"en": "Reply with: {said}", "zh": "请回复：{said}"},
}
"""A card in the words of the prompts: in the run's language, whoever has it printed."""


def card(id_: str, asked: Question, lang: Language) -> tuple[str, ...]:
    """The card as the owner reads it."""
    first, *rest = asked.options
    advice = say(_CARD["because"], lang, said=first, why=asked.because) if asked.because else first
    letters = LETTERS[: len(asked.options)]
    return (
        say(_CARD["decision"], lang, said=f"{asked.decision} [{id_}]"),
        say(_CARD["why"], lang, said=asked.why),
        say(_CARD["advice"], lang, said=advice),
        say(_CARD["first"], lang, said=first),
        *(f"{letter} — {line}" for letter, line in zip(LETTERS[1:], rest, strict=False)),
        *([say(_CARD["note"], lang, said=asked.note)] if asked.note else []),
        say(_CARD["reply"], lang, said=" / ".join(letters)),
    )


def _edge(call: Call) -> tuple[str, str]:
    """Where the speaker's cards stand: the judge's beside the corrections, else in the ledger."""
    if call.speaker.role == "supervisor":
        return DIRECTIVES, "directives"
    return LEDGER, "ledger"


def _numbered(draft: Draft, file: str, number: int) -> Draft:
    if file == LEDGER:
        return gaps.highest(draft, "OB", number)
    return directives.with_ids(draft, {**directives.ids(draft.directives), "OB": number})


# Answer ----------------------------------------------------------------------------------------


def answer(  # noqa: PLR0913  what an answer is made of
    run: Run, call: Call, id_: str, letter: str, *, relayed: bool = False, note: str = ""
) -> Change:
    """Take in the owner's answer; one that a node passes on is recorded as relayed."""
    if not relayed:
        parts.owners(call, "owner answer", _("in the owner's name"))
    lane.living(run, parts.ledger(run))
    file, found = _card(run, id_)
    chosen = letter.strip().upper()
    if relayed and found.chosen():
        raise RefusedError(
            _("{id} is answered in its row: {letter}", id=found.id, letter=found.chosen()),
            where=f"{file}:{found.line}",
            fix=_("Take that in: loopgraph owner answer {id} --from-row", id=found.id),
        )
    option = _option(found, chosen)
    by = answers.OWNER if call.by_owner and not relayed else answers.RELAYED
    draft = drafts.begin(run)
    last = draft.ledger.round or 0
    told = f"{option} — {parts.said(note, '--note')}" if note else option
    line = answers.write(Answer(0, found.id or "", chosen, by, last, f"{found.decision}: {told}"))
    if by == answers.RELAYED and answers.RELAY not in (found.why or ""):
        draft = _unless_said(draft, file, found.id or "", line)
        return draft.say(
            _(
                "{id}: noted as relayed. It is the owner's alone, so it stays open until the owner "
                "says: loopgraph owner answer {id} {chosen}",
                id=found.id,
                chosen=chosen,
            )
        ).change()
    draft = draft.away(found.id or "", file, "decisions", (found.line, found.line))
    draft = draft.add(file, CARD_SECTION, [line])
    return draft.say(
        _("{id} is answered: {chosen} — {option}", id=found.id, chosen=chosen, option=option)
    ).change()


def from_row(run: Run, call: Call, id_: str) -> Change:
    """Take in the answer that stands at the end of a card's row: by hand, whoever wrote it."""
    file, found = _card(run, id_)
    parts.writes(run, call, "ledger" if file == LEDGER else "directives", "owner answer --from-row")
    lane.living(run, parts.ledger(run))
    letter = found.chosen()
    if not letter:
        said = header.row_answer(found.why)
        raise RefusedError(
            _("{said} is none of its letters", said=repr(said))
            if said
            else _("no answer stands in its row"),
            where=f"{file}:{found.line}",
            fix=_(
                "The owner ends its Why now with `owner: LETTER`, one of {options}.",
                options=", ".join(found.options()),
            ),
        )
    draft = rotate.told(drafts.begin(run), file, found)
    option = found.options()[letter]
    return draft.say(
        _("{id} is answered: {chosen} — {option}", id=found.id, chosen=letter, option=option)
        + _(" (by hand, in its row)")
    ).change()


def _unless_said(draft: Draft, file: str, id_: str, line: str) -> Draft:
    """Note a relayed answer once; the same words again change nothing."""
    there = [one for one in answers.read(draft.document(file)) if one.id == id_]
    if any(one.by == answers.RELAYED for one in there):
        raise RefusedError(
            _("{id} has a relayed answer already", id=id_),
            where=f"{file}:{there[0].line}",
            fix=_("The owner answers it."),
        )
    return draft.add(file, CARD_SECTION, [line])


def _card(run: Run, id_: str) -> tuple[str, Card]:
    cards = [(LEDGER, one) for one in parts.ledger(run).cards]
    cards += [(DIRECTIVES, one) for one in parts.directives(run).cards]
    meant = [(file, one) for file, one in cards if one.id and header.same_id(id_, [one.id])]
    if len(meant) > 1:
        file, second = meant[1]
        raise drafts.twice(second.id or id_, file, second.line)
    if meant:
        return meant[0]
    known = [one.id or "?" for _file, one in cards]
    fix = nearest(id_, known) if known else _("No card waits.")
    raise UsageError(_("no such open card"), where=id_, fix=fix)


def _option(found: Card, letter: str) -> str:
    """What a letter stands for; a letter that the card does not have is refused."""
    options = found.options()
    if letter not in options:
        raise UsageError(
            _("no such option"),
            where=letter,
            fix=_("{id} has {options}.", id=found.id, options=", ".join(options)),
        )
    return options[letter]
