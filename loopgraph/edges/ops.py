"""ops.md: where to read what, the gates and their price, and the facts of the workspace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from loopgraph.edges.document import Document
from loopgraph.plain import quoting, tables


class ContextRow(NamedTuple):
    """A pointer into the workspace; a column that the table lacks is None."""

    line: int
    id: str | None
    use_when: str | None
    read: str | None
    verify: str | None


class GateRow(NamedTuple):
    """A gate with its price; a column that the table lacks is None."""

    line: int
    id: str | None
    name: str | None
    command: str | None
    """The command, or what to observe."""
    cost: str | None
    """`seconds`, `minutes`, `money: 0.40 USD`, `risk`."""
    batched: str | None
    """`yes` or `no`."""


class DetectorRow(NamedTuple):
    """A command that finds candidates; a column that the table lacks is None."""

    line: int
    name: str | None
    command: str | None
    blind_spot: str | None


class TimerRow(NamedTuple):
    """The timer of one node; a column that the table lacks is None."""

    line: int
    node: str | None
    id: str | None
    interval: str | None


class Ops(NamedTuple):
    """What ops.md says. A part whose section is absent is None."""

    document: Document
    context: tuple[ContextRow, ...] | None
    gates: tuple[GateRow, ...] | None
    detectors: tuple[DetectorRow, ...] | None
    areas: tuple[str, ...] | None
    """Rotation areas in their order."""
    timers: tuple[TimerRow, ...] | None
    budget: str | None
    """The text of Spend budget."""


_CONTEXT: Final = (("id", "c-"), ("use when", "when"), ("read",), ("verify",))
_GATES: Final = (
    *(("id", "g-"), ("gate", "name"), ("command", "observation")),
    *(("cost",), ("batched",)),
)
_DETECTORS: Final = (("detector", "name"), ("command",), ("blind",))
_TIMERS: Final = (("node",), ("timer", "id"), ("interval",))
"""How the title of each column may begin, in lower case."""

_GATES_ORDER: Final = (0, 1, 2, 4, 5)
"""Where the columns stand when no header says so: the narrow form is not read."""


def read(document: Document) -> Ops:
    """Read ops.md as far as it can be understood; nothing is refused."""
    gates = _rows(document, "Gates", _GATES, _GATES_ORDER)
    context = _rows(document, "Context index", _CONTEXT)
    detectors = _rows(document, "Detectors", _DETECTORS)
    timers = _rows(document, "Timers", _TIMERS)
    return Ops(
        document,
        None if context is None else tuple(ContextRow(line, *cells) for line, cells in context),
        None if gates is None else tuple(GateRow(line, *cells) for line, cells in gates),
        None if detectors is None else tuple(DetectorRow(at, *cells) for at, cells in detectors),
        _areas(document),
        None if timers is None else tuple(TimerRow(line, *cells) for line, cells in timers),
        _prose(document, "Spend budget"),
    )


class _Row(NamedTuple):
    line: int
    cells: tuple[str | None, ...]


def _rows(
    document: Document,
    title: str,
    names: tuple[tuple[str, ...], ...],
    order: tuple[int, ...] = (0, 1, 2, 3),
) -> list[_Row] | None:
    """The rows of a section's tables, each with one cell for each name."""
    section = document.section(title)
    if section is None:
        return None
    found: list[_Row] = []
    for table in document.tables(section):
        places = tables.columns(list(table.columns), names) or order[: len(names)]
        for row in table.rows:
            cells = tuple(row.cells[at] if 0 <= at < len(row.cells) else None for at in places)
            found.append(_Row(row.line, cells))
    return found


def _areas(document: Document) -> tuple[str, ...] | None:
    section = document.section("Rotation areas")
    if section is None:
        return None
    return tuple(area for _, line in document.body(section) if (area := _item(line)))


def _item(line: str) -> str:
    """The text of a list item, its marker and its code span taken off."""
    body = line.strip(" \t")
    rest = body.lstrip("0123456789")
    if rest != body and rest[:1] in (".", ")"):
        return quoting.unquote(rest[1:].strip(" \t`"))
    return quoting.unquote(body[1:].strip(" \t`")) if body[:1] in ("-", "*", "+") else ""


def _prose(document: Document, title: str) -> str | None:
    section = document.section(title)
    if section is None:
        return None
    return quoting.unquote(" ".join(_words(document.body(section))))


def _words(body: Iterator[tuple[int, str]]) -> Iterator[str]:
    for _, line in body:
        yield from line.split()
