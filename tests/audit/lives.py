"""Lives of a run: lawful commands in process, a state behind each, for histories to be made of."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from random import Random  # noqa: TID251  always with a seed
from typing import Any

from loopgraph.audit.history import History, Step
from loopgraph.edges import archives
from loopgraph.edges import run as edge
from loopgraph.edges.change import Change
from loopgraph.edges.run import Run
from loopgraph.model import states
from loopgraph.model.errors import LoopgraphError
from loopgraph.node import call as parts
from loopgraph.node import (
    context,
    directives,
    finish,
    gaps,
    gates,
    lane,
    opsfacts,
    owner,
    promotion,
    results,
    rotate,
    rounds,
    slices,
    standing,
)
from loopgraph.node.call import Call
from loopgraph.node.results import Result
from tests.check import compiled
from tests.node.desk import NOW, SAYS

ACTS = "evidence/acts.jsonl"
WORDS = (
    *("a slice", "pipe | in it", "`tick`", "中文，全角｜管", "\u2212 5", "two  blanks", "GAP-077"),
    *("D-099 fold", "none", "**bold**", "failed?", "## Rounds log", "```", "<!-- x", "a · b"),
)


@cache
def _first() -> Run:
    return edge.read(compiled.files("deliver"))


class Life:
    """The files of a run, archives and acts among them, carried from command to command."""

    def __init__(self, seed: int, files: Mapping[str, str] | None = None) -> None:
        self.random = Random(seed)
        self.files: dict[str, str] = dict(files or compiled.files("deliver"))

    def copy(self, seed: int) -> Life:
        """Another life that goes on from here."""
        return Life(seed, self.files)

    @property
    def run(self) -> Run:
        return _first()._replace(files={k: v for k, v in self.files.items() if "/" not in k})

    @property
    def ledger(self) -> Any:
        return self.run.ledger()

    @property
    def queue(self) -> Any:
        return self.run.directives()

    def line(self, number: int) -> str:
        """A line of the ledger, with its end."""
        found: Any = self.ledger
        return str(found.document.lines[number - 1])

    # As disk/apply does it ------------------------------------------------------------------

    def do(
        self, words: str, command: Callable[..., Change], *values, by="executor", log="", **named
    ) -> bool:
        """Carry a command out and log it; a refusal changes nothing."""
        try:
            change = command(self.run, Call(SAYS[by], NOW), *values, **named)
        except LoopgraphError:
            return False
        for archive in dict.fromkeys(move.archive for move in change.moves):
            text = "".join(move.text for move in change.moves if move.archive == archive)
            self.append(archive, text)
        old = {name: self.files[name] for name in change.live if name in self.files}
        self.files.update(change.live)
        self.log(words, change, old, log or by)
        return True

    def append(self, archive: str, text: str) -> None:
        name = f"archive/{archives.file_name(archive, 1)}"
        head = self.files.get(name) or archives.head(archive, "orders")
        self.files[name] = head + ("" if head.endswith("\n") else "\n") + text

    def log(self, words: str, change: Change, old: Mapping[str, str], node: str) -> None:
        line = {
            "time": NOW,
            "node": node,
            "session": "",
            "command": [*words.split(), "--as", node],
            "files": {name: digest(text) for name, text in sorted(change.live.items())},
            "was": {name: digest(text) for name, text in sorted(old.items())},
            "moved": [move.id for move in change.moves],
        }
        acts = self.files.get(ACTS, "")
        self.files[ACTS] = acts + json.dumps(line, ensure_ascii=False) + "\n"

    def edit(self, file: str, old: str, new: str) -> None:
        """Somebody edits a file by hand."""
        assert self.files[file].count(old) >= 1, (file, old)
        self.files[file] = self.files[file].replace(old, new, 1)

    # What happens in a life -----------------------------------------------------------------

    def words(self) -> str:
        return " ".join(self.random.choices(WORDS, k=self.random.randint(1, 2)))

    def go(self) -> bool:
        """One lawful command, whichever comes to mind; False where none comes."""
        return any(self.random.choice(_ACTIONS)(self) for _ in range(100))

    def round(self, *, force: bool = False) -> bool:
        found = self.ledger
        due = bool(found.convergence and found.convergence.due)
        kind = self.random.choice(("plain", "plain", "plain", "fail", "repair"))
        converge = due and kind in ("plain", "repair") and not force
        paths = ("docs/page.md",) if found.gate == "pending-audit" else ("src/orders/totals.py",)
        added = self.random.choice((3, 40, 250))
        net = "+1/-9" if converge else f"+{added}/-2"
        said = rounds.Said(
            self.words(), paths, self.words(), (self.words(),), net, self.words(),
            converge=converge, failed=kind == "fail" and not force,
            repair=kind == "repair" and not converge and not force,
            force=force, why="the owner waits" if force else "",
        )  # fmt: skip
        return self.do("round record", rounds.record, said)

    def begin(self) -> bool:
        due = bool(self.ledger.convergence.due)
        return self.do("round start", rounds.start, item=self.words(), converge=due)

    def cut(self) -> bool:
        values = {"Item": self.words(), "Write set": "docs/x.md", "Verify": self.words()}
        return self.do("slice set", slices.change, values)

    def gate_row(self) -> bool:
        status = self.random.choice(states.ROW_STATES)
        gate = self.random.choice(("G-1", "M-2", "another"))
        return self.do("gate set", gates.change, gate, status=status, evidence=self.words())

    def gap(self) -> bool:
        row = gaps.Row(
            self.random.choice(states.PRIORITIES), None, "docs/x.md", self.words(), self.words()
        )
        return self.do("gap add", gaps.add, row)

    def gap_away(self) -> bool:
        rows = [gap.id for gap in self.ledger.gaps]
        if not rows:
            return False
        one, other = self.random.choice(rows), self.random.choice(rows)
        what = self.random.choice(("close", "merge", "park"))
        if what == "close":
            return self.do(f"gap close {one}", gaps.close, one, evidence=self.words())
        if what == "merge":
            return self.do(f"gap merge {one}", gaps.merge, one, into=other)
        return self.do("gap park", gaps.park)

    def fold(self) -> bool:
        waiting = self.queue.waiting(self.ledger.folded)
        return bool(waiting) and self.do(
            f"directive fold {waiting[0].id}", directives.fold, waiting[0].id, effect=self.words()
        )

    def request(self) -> bool:
        id_ = self.ledger.milestone
        for row in lane.exit_rows(self.ledger, id_):
            self.do(f"gate set {id_}", gates.change, row.gate, status="closed", evidence="green")
        return self.do(
            f"promote request {id_}", promotion.request, id_,
            surface="src/orders/export.py", evidence=self.words(),
        )  # fmt: skip

    def go_on(self) -> bool:
        return self.do("milestone next", promotion.go_on)

    def fact(self) -> bool:
        if self.random.random() < 0.5:
            return self.do("ops set", opsfacts.change, "A trap", self.words())
        return self.do(
            "context add", context.add, use_when=self.words(), read="README.md", verify="look"
        )

    def stall(self) -> bool:
        return self.random.random() < 0.2 and self.do(
            "finish stalled", finish.stalled, why=self.words()
        )

    def resume(self) -> bool:
        return self.do("resume", finish.resume, why=self.words(), by="owner")

    def correct(self) -> bool:
        packet = directives.Packet(
            self.random.choice(("plan", "stop")), None, "none", f"reach {self.words()}",
            "look", "none",
        )  # fmt: skip
        return self.do("directive add plan", directives.add, packet, by="supervisor")

    def accept(self, log: str = "supervisor") -> bool:
        id_ = self.ledger.milestone
        milestone = next(one for one in parts.spec(self.run).milestones if one.id == id_)
        gathered = tuple(
            Result(check.id, "supervisor", NOW, passed=True, tree="t", evidence="seen")
            for check in results.checks(milestone.id, milestone.exit_checks)
        )
        return self.do(
            f"promote accept {id_}", promotion.accept, id_, gathered,
            tree="t", by="supervisor", log=log,
        )  # fmt: skip

    def redo(self) -> bool:
        id_ = self.ledger.milestone
        return self.do(
            f"promote redo {id_}", promotion.redo, id_,
            missing=f"reach {self.words()}", verify="look", by="supervisor",
        )  # fmt: skip

    def audited(self) -> bool:
        through = self.ledger.round
        return self.do("audited", directives.audited, through=through, by="supervisor")

    def turn(self) -> bool:
        who = self.random.choice(("executor", "supervisor"))
        return self.do("rotate", rotate.rotate, by=who)

    def ask(self) -> bool:
        who = self.random.choice(("executor", "supervisor"))
        relay = self.random.random() < 0.5
        asked = owner.Question(self.words(), self.words(), ("wait", "go"), relay=relay)
        return self.do("owner ask", owner.ask, asked, by=who)

    def answer(self) -> bool:
        cards = (*self.ledger.cards, *self.queue.cards)
        if not cards:
            return False
        id_ = self.random.choice(cards).id
        if self.random.random() < 0.5:
            words = f"owner answer {id_} A --relayed"
            return self.do(words, owner.answer, id_, "A", relayed=True)
        return self.do(f"owner answer {id_} A", owner.answer, id_, "A", by="owner")

    def grant(self) -> bool:
        kind = self.random.choice(states.STANDING_KINDS)
        return self.do("standing add", standing.add, kind, self.words(), by="owner")

    def lift(self) -> bool:
        rows = [one.id for one in self.queue.standing]
        if not rows:
            return False
        id_ = self.random.choice(rows)
        if self.random.random() < 0.5:
            return self.do("standing retire", standing.retire, id_, by="owner")
        return self.do("standing replace", standing.replace, id_, self.words(), by="owner")


_ACTIONS: tuple[Callable[[Life], bool], ...] = (
    *((Life.round,) * 8), *((Life.fold,) * 4), Life.begin, Life.cut, Life.gate_row,
    Life.gap, Life.gap, Life.gap_away, *((Life.request,) * 2), Life.go_on, Life.fact, Life.stall,
    *((Life.resume,) * 3), Life.correct, *((Life.accept,) * 2), Life.redo, Life.audited,
    Life.turn, Life.ask, Life.answer, Life.grant, Life.lift,
)  # fmt: skip


def digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# Histories -----------------------------------------------------------------------------------


class Texts(dict[str, str]):
    """Texts by their digest, counting how often each is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def __call__(self, blob: str) -> str | None:
        self.asked.append(blob)
        return self.get(blob)


def history(frames: Sequence[Mapping[str, str]]) -> tuple[History, Texts]:
    """Frames as the states of one line of commits, named by their place."""
    texts = Texts()
    steps = []
    for place, files in enumerate(frames):
        blobs = {name: digest(text) for name, text in files.items()}
        texts.update({blobs[name]: text for name, text in files.items()})
        parents = (place - 1,) if place else ()
        steps.append(Step(str(place), "commit", NOW, parents, blobs))
    return History(steps), texts


HOW: Mapping[str, float] = {"each": 1.0, "several": 0.4, "squashed": 0.1}
"""How likely each command is followed by a commit."""


def committed(lives: Sequence[Life], how: str, random: Random) -> list[Mapping[str, str]]:
    """The files of those states that were committed, the first and the last among them."""
    ends = (0, len(lives) - 1)
    return [
        life.files
        for place, life in enumerate(lives)
        if place in ends or random.random() < HOW[how]
    ]


@cache
def stages(length: int, seed: int) -> tuple[Life, ...]:
    """A life, from its beginning to its end, a copy after each command."""
    return tuple(_stages(length, seed))


def _stages(length: int, seed: int) -> Iterator[Life]:
    life = Life(seed)
    yield life.copy(seed)
    for place in range(length):
        if not life.go():
            return
        yield life.copy(seed + place)
