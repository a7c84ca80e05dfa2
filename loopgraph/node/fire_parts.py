"""One thing that a node finds when it wakes, and what every node is told alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from loopgraph.edges import answers
from loopgraph.edges.beside import Beside
from loopgraph.edges.fields import Card
from loopgraph.edges.ledger import Ledger
from loopgraph.edges.run import Run
from loopgraph.node.call import DIRECTIVES, LEDGER, writer
from loopgraph.node.results import Result
from loopgraph.plain import law
from loopgraph.plain.places import FOLDER

Kind = Literal[
    "stop", "end", "problem", "fold", "answer", "round", "red", "milestone", "converge", "work",
    "item", "context", "lane", "audit", "rotate", "judge", "judged", "checkpoint", "card", "cap",
    "ready", "ops", "sweep",
]  # fmt: skip
_NEAR: Final = 0.85
"""From this part of its cap on a file or a section is nearly full."""


class Part(NamedTuple):
    """One thing to know or to do."""

    kind: Kind
    id: str
    """`D-004`, `GAP-012`; empty where it has none."""
    says: str
    details: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    more: str = ""
    """The command that shows what is left out here; empty where nothing can be."""


class Words(NamedTuple):
    """How the commands in the parts are written."""

    role: str
    run: str
    """` --run NAME` where this call had to name the run; else empty."""

    def __call__(self, said: str) -> str:
        """A command of this node."""
        return f"loopgraph {said}{self.run} --as {self.role}"

    def show(self, id_: str) -> str:
        """The command that shows an entry word for word."""
        return f"loopgraph show {id_}{self.run}"


class At(NamedTuple):
    """All that the parts are made from."""

    run: Run
    found: Ledger
    beside: Beside
    say: Words
    board: law.Board
    lane: list[law.Item]
    """What is legal, the next item first."""
    gathered: tuple[Result, ...]
    begun: int | None
    told: tuple[str, ...]

    @property
    def item(self) -> law.Item | None:
        """The legal next item."""
        return self.lane[0] if self.lane else None


# What every node sees --------------------------------------------------------------------------


def stops(at: At) -> Iterator[Part]:
    """A STOP, and what the node does about it."""
    for one in at.beside.stops:
        by = ", ".join(filter(None, (one.said.who, one.said.when)))
        why = f": {one.said.why}" if one.said.why else ""
        said = f"{one.file}{f' ({by})' if by else ''}{why}"
        if at.say.role != "owner":
            yield Part("stop", "", f"{said}: end your timer and stop")
            continue
        everything = one.file == f"{FOLDER}/STOP"
        lift = f"loopgraph resume{'' if everything else slug(at)} --as owner"
        held = "every run here" if everything else "this run"
        yield Part("stop", "", f"{said}: it holds {held} until you lift it", (), (lift,))
    for said in at.beside.problems:
        yield Part("problem", "", said)


def end(at: At) -> Iterator[Part]:
    """That the run itself is over, or in no known status."""
    ends = {
        "closed": "the run is closed: end your timer",
        "stalled": "the run is stalled until the owner resumes it: end your timer",
    }
    status = at.board.status or ""
    if at.say.role == "owner":
        ends["closed"] = "the run is closed"
    if status == "stalled" and at.say.role == "owner":
        said = f"the run is stalled until you resume it: {note(at.found, 'Run status')}"
        way = f"loopgraph resume{slug(at)} --why WHAT_CHANGED --as owner"
        yield Part("end", "", said, (), (way,))
    elif status in ends:
        yield Part("end", "", ends[status])
    elif at.found.status is None:
        line = at.found.line("Run status")
        place = f"{LEDGER}:{line}" if line else LEDGER
        yield Part("problem", "", f"{place} says no known Run status", (), ("loopgraph check",))


def slug(at: At) -> str:
    """This run as a command of the owner names it, a blank before it."""
    named = at.say.run.removeprefix(" --run")
    return named or (f" {at.run.record.spec.slug}" if at.run.record else "")


def answered(at: At) -> Iterator[Part]:
    """Decisions of the owner that nobody has taken up yet."""
    documents = [at.run.document(name) for name in (LEDGER, DIRECTIVES)]
    given = answers.standing(one for found in documents if found for one in answers.read(found))
    for name in (LEDGER, DIRECTIVES):
        document = at.run.document(name)
        if document is None:
            continue
        for one in (one for one in answers.read(document) if one in given):
            by = _BY.get(one.by, one.by)
            said = f"{one.id} was answered {one.letter} after R{one.after}, {by}: {one.text}"
            yield Part("answer", one.id, said, (), (), at.say.show(one.id))
        for card in carded(at, name):
            if letter := card.chosen():
                id_ = card.id or f"line {card.line}"
                said = f"{id_} was answered {letter} in its row, by hand: {card.options()[letter]}"
                mine = writer(at.run, _EDGES[name]) == at.say.role
                takes = (at.say(f"owner answer {id_} --from-row"),) if mine and card.id else ()
                yield Part("answer", card.id or "", said, (), takes, f"{name}:{card.line}")


_EDGES: Final = {LEDGER: "ledger", DIRECTIVES: "directives"}
_BY: Final = {
    answers.OWNER: "by the owner",
    answers.RELAYED: "relayed, so not yet the owner's",
    answers.HAND: "by hand in its row",
}


def carded(at: At, file: str) -> tuple[Card, ...]:
    """The open cards of a file."""
    queue = at.run.directives()
    return at.found.cards if file == LEDGER else queue.cards if queue else ()


def cards(at: At) -> Iterator[Part]:
    """The cards that wait for the owner."""
    for file in (LEDGER, DIRECTIVES):
        for card in carded(at, file):
            if card.chosen():
                continue
            said = f"{card.id or f'line {card.line}'} waits for the owner: {card.decision or '?'}"
            more = at.say.show(card.id) if card.id else f"{file}:{card.line}"
            yield Part("card", card.id or "", said, (), (), more)


def note(found: Ledger, name: str) -> str:
    """What a field of the Status header says of why."""
    field = found.fields.get(name)
    return field.text if field else "no reason is noted"


def observe(id_: str) -> str:
    """Quoted, so that no shell takes the line for a pipe, and neither word is taken for said."""
    return f'gate run --result "{id_}=pass|fail" --evidence POINTER'


# Caps ------------------------------------------------------------------------------------------


class Size(NamedTuple):
    """How full something is."""

    what: str
    size: int
    cap: str
    """The knob."""
    way: str
    """The command that makes room."""


def file_sizes(at: At, name: str, way: str) -> list[Size]:
    """How full a file is, and the command that makes room in it."""
    source = at.run.files.get(name, "")
    return [
        Size(f"lines of {name}", source.count("\n"), "FILE_LINE_CAP", way),
        Size(
            f"bytes of {name}",
            len(source.encode("utf-8", "surrogatepass")),
            "FILE_BYTE_CAP",
            way,
        ),
    ]


def full(at: At, sizes: list[Size]) -> Iterator[Part]:
    """What is at its cap or near it."""
    for one in sizes:
        cap = at.run.knob(one.cap)
        if not isinstance(cap, int) or not one.size or one.size < cap * _NEAR:
            continue
        way = (at.say(one.way),) if one.way else ()
        yield Part("cap", "", f"{one.size} of {cap} {one.what} ({one.cap})", (), way)
