"""The ledger and the directives as rules look at them, and small ones to show a rule on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from loopgraph.check import era, example
from loopgraph.edges.directives import Directives
from loopgraph.edges.document import Document
from loopgraph.edges.fields import Card
from loopgraph.edges.ledger import Ledger
from loopgraph.edges.run import Run
from loopgraph.model.messages import _

LEDGER: Final = "ledger.md"
DIRECTIVES: Final = "directives.md"


def asked_ledger(run: Run) -> Ledger | None:
    """The ledger, where the run's contract asks for what ours has; else None."""
    return None if era.foreign(run) else run.ledger()


def asked_directives(run: Run) -> Directives | None:
    """The directives, where the run's contract asks for what ours have; else None."""
    return None if era.foreign(run) else run.directives()


def limit(run: Run, knob: str) -> int | None:
    """A knob that counts; None where it is no number, or none that a cap can be."""
    value = run.knob(knob)
    return value if isinstance(value, int) and value >= 0 else None


def line_of(document: Document, title: str) -> int:
    """The line of a section's heading; 0 where it is absent."""
    section = document.section(title)
    return section.start + 1 if section else 0


def cards(run: Run) -> Iterator[tuple[str, Document, tuple[Card, ...]]]:
    """Each file that has decision cards, and its cards."""
    for name, found in ((LEDGER, run.ledger()), (DIRECTIVES, run.directives())):
        if found is not None:
            yield name, found.document, found.cards


def listed(words: Iterable[str]) -> str:
    """Words of which one is wanted, as a sentence lists them: `a, b or c`."""
    *most, last = words
    return _("{words} or {last}", words=series(most), last=last) if most else last


def lacking(words: Iterable[str]) -> str:
    """Words none of which is there; English lists them alike, and other languages may not."""
    *most, last = words
    return _("{absent} or {last}", absent=series(most), last=last) if most else last


def series(words: Iterable[str]) -> str:
    """Words one after the other: `a, b, c`."""
    return _("{before}, {after}", before="", after="").join(words)


def beyond(letters: str, used: int, known: int) -> str:
    """That an id is in use which Highest ids has not come to."""
    id_ = f"{letters}-{used:03}"
    if not known:
        return _("{id} is in use, but Highest ids says no {letters}", id=id_, letters=letters)
    known_id = f"{letters}-{known:03}"
    return _("{id} is in use, but Highest ids says {known}", id=id_, known=known_id)


def repeats(numbers: Iterable[int]) -> Iterator[int]:
    """The places of numbers that stood there before."""
    seen: set[int] = set()
    for place, number in enumerate(numbers):
        if number in seen:
            yield place
        seen.add(number)


def falls(numbers: Iterable[int]) -> Iterator[int]:
    """The places of numbers that are lower than the one before."""
    for place, (before, after) in enumerate(pairwise(numbers), 1):
        if after < before:
            yield place


def ledger(title: str, body: str) -> dict[str, str]:
    """A ledger of this contract with one section."""
    return {LEDGER: example.prompt(f"## {title}\n\n{body}", name="ledger")}


def directives(title: str, body: str) -> dict[str, str]:
    """A queue of this contract with one section."""
    return {DIRECTIVES: example.prompt(f"## {title}\n\n{body}", name="directives")}


def table(header: str, *rows: str) -> str:
    """A table from lines whose cells a pipe parts: `ID | Priority`."""
    rule = "|".join("---" for _title in header.split("|"))
    return "\n".join((f"| {header} |", f"|{rule}|", *(f"| {row} |" for row in rows)))


PACKET: Final = """\
D-001 · 2026-11-30 · redo · M-1
Context: C-01
Action: test the limit through the real app
Verify: pytest tests/limits
Stop: none"""
"""A correction with nothing wrong in it."""

INDEX: Final = table("ID | Use when | Read | Verify", "C-01 | a limit is edited | docs | pytest")
"""A context index with one row."""
