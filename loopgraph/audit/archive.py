"""What the archives hold: every entry that has left a live file, word for word."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final

from loopgraph.edges import directives, document, ledger
from loopgraph.edges.directives import Correction
from loopgraph.edges.ledger import Round
from loopgraph.plain import header, quoting

_ID: Final = re.compile(r"(?:[-*|] +|### +)?(?:Round +(\d{1,9})|R(\d{1,9})|([A-Z]{1,3}-\d{1,9}))\b")


class Archive:
    """The texts of all archives of one state."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(texts)

    @cached_property
    def _lines(self) -> list[str]:
        return [line.rstrip("\r") for text in self._texts for line in text.split("\n")]

    @cached_property
    def _places(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for at, line in enumerate(self._lines):
            if line:
                found[line].append(at)
        return found

    @cached_property
    def ids(self) -> Mapping[str, list[int]]:
        """Where the entries begin, by id as it is written canonically: `R3`, `GAP-004`."""
        found: dict[str, list[int]] = defaultdict(list)
        for at, line in enumerate(self._lines):
            if named := _ID.match(line):
                round_ = named[1] or named[2]
                found[f"R{int(round_)}" if round_ else canonical(named[3])].append(at)
        return found

    def holds(self, said: str) -> bool:
        """Whether these lines stand there, word for word and one below the other."""
        lines = [line.rstrip("\r") for line in said.split("\n")]
        return any(
            self._lines[at : at + len(lines)] == lines for at in self._places.get(lines[0], ())
        )

    def answered(self, id_: str, said: str) -> bool:
        """Whether a card's row stands there with nothing but the owner's answer at its end."""
        old = quoting.cells(said)
        if not old:
            return False  # no row, so no card
        for at in self.ids.get(id_, ()):
            new = quoting.cells(self._lines[at])
            if len(new) != len(old) or new[:-1] != old[:-1] or not new[-1].startswith(old[-1]):
                continue
            added = new[-1][len(old[-1]) :].strip(" \t*_`;.,")
            if added[:5].casefold() == "owner" and header.row_answer(added):
                return True
        return False

    def round(self, number: int) -> Round | None:
        """An archived round."""
        found = (self._read_round(at) for at in self.ids.get(f"R{number}", ()))
        return next((one for one in found if one and one.number == number), None)

    def _read_round(self, at: int) -> Round | None:
        text = "\n".join(self._until(at, ("- R", "### ")))
        rounds = ledger.read(document.parse(f"## Rounds log\n\n{text}\n")).rounds
        return rounds[0] if rounds else None

    def packet(self, number: int) -> Correction | None:
        """An archived correction."""
        for at in self.ids.get(f"D-{number:03}", ()):
            text = "\n".join(self._until(at, ("D-",)))
            found = directives.read(document.parse(f"## Corrections\n\n{text}\n")).corrections
            if found:
                return found[0]
        return None

    def _until(self, at: int, starts: tuple[str, ...]) -> Iterator[str]:
        """The lines of an entry up to the beginning of the next."""
        yield self._lines[at]
        for line in self._lines[at + 1 :]:
            if line.startswith((*starts, "#")):
                return
            yield line


def canonical(id_: str) -> str:
    """An id with at least three digits, as our commands write it."""
    letters, _, digits = id_.partition("-")
    return f"{letters}-{int(digits):03}"


def missing(old: str, new: str) -> tuple[str, ...]:
    """The lines of a text that only grows which are not there any more."""
    if new.startswith(old):
        return ()
    left: dict[str, int] = defaultdict(int)
    for line in _said(new):
        left[line] += 1
    gone: list[str] = []
    for line in _said(old):
        left[line] -= 1
        if left[line] < 0:
            gone.append(line)
    return tuple(gone)


def _said(text: str) -> Iterable[str]:
    return (line.rstrip("\r") for line in text.split("\n") if line.strip())
