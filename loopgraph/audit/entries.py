"""Entries: none is lost, none is worded anew, and no id is given twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from loopgraph.audit import rules
from loopgraph.audit.archive import Archive
from loopgraph.audit.facts import DIRECTIVES, LEDGER, Entry, Led, Queue
from loopgraph.audit.rule import Breach, at
from loopgraph.audit.seen import Seen
from loopgraph.model.messages import _
from loopgraph.plain import quoting

_RECORDS: Final = ("R", "D", "S")
"""Kinds of entry that are records: what they say stays, or goes to the archive."""


class Gone(NamedTuple):
    """An entry that a state no longer has as it was; whether it is lost, the end tells."""

    before: Seen
    seen: Seen
    entry: Entry
    instead: Entry | None
    """What has its id now."""


def gone(before: Seen, after: Seen) -> Iterator[Gone]:
    """What left a live file between two states, and what is worded anew there."""
    for old, new in zip(before.tables, after.tables, strict=True):
        if old is new:
            continue
        for id_, entry in old.items():
            now = new.get(id_)
            if now is not None and now.text == entry.text:
                continue
            if not _is_draft(before, entry):
                yield Gone(before, after, entry, now)


def _is_draft(seen: Seen, entry: Entry) -> bool:
    """Whether this is the block of a round under way, in whose place its line will stand."""
    led = seen.led
    return (
        entry.text.startswith("#")
        and led is not None
        and (led.round is None or entry.number >= led.round)
    )


def is_record(entry: Entry) -> bool:
    """Whether its words are never changed in place."""
    return entry.id.partition("-")[0].rstrip("0123456789") in _RECORDS


def is_same(entry: Entry, other: Entry) -> bool:
    """Whether two entries with one id may be the same one, worded anew by a command.

    A debt row that takes another in keeps its write set and its verify; a standing entry may be
    replaced by any other of its kind; everything else keeps its words.
    """
    if entry.id.startswith("GAP-"):
        rows = [quoting.pieces(one.text) for one in (entry, other)]
        old, new = ([c.strip() for at, c in enumerate(row) if at not in _MERGED] for row in rows)
        return old == new
    if entry.id.startswith("S-"):
        old, new = (one.text.split("·")[:2] for one in (entry, other))
        return old == new
    return entry.text == other.text


_MERGED: Final = (2, 6)
"""The cells of a debt row that change where another is merged into it: priority and line."""


# Ids -------------------------------------------------------------------------------------------


def given(
    before: Seen,
    after: Seen,
    known: Mapping[str, Mapping[str, Entry]],
    archive: Callable[[], Archive],
) -> Iterator[Breach]:
    """New entries: each id is above the highest that was given before.

    `known` are the entries of every earlier state, by id and by text; one that comes back word
    for word is no new one. `archive` is that of the later state: an entry that came and went
    between two states was live in neither.
    """
    for old, new in zip(before.tables, after.tables, strict=True):
        if old is new:
            continue
        for id_, entry in new.items():
            if id_ in old or entry.text in known.get(id_, {}):
                continue
            if entry.number > _highest(before, id_):
                continue
            if id_ in known or id_ in archive().ids:
                says = _("{id} was another entry", id=id_)
                yield at(rules.REUSED, after.step, entry.file, entry.line, says)
            elif not id_.startswith("R"):
                says = _("{id} is new, though Highest ids had passed it", id=id_)
                yield at(rules.ORDER, after.step, entry.file, entry.line, says)


def _highest(seen: Seen, id_: str) -> int:
    """The highest number of this kind that a state says was given."""
    led, queue = seen.led, seen.queue
    if id_.startswith("R"):
        return (led.round or 0) if led else 0
    kind = id_.partition("-")[0]
    if kind == "GAP":
        return led.highest.get(kind, 0) if led else 0
    state = queue.state.highest if queue and queue.state else None
    if kind == "OB":
        both = (led.highest if led else {}, state or {})
        return max(numbers.get(kind, 0) for numbers in both)
    return (state or {}).get(kind, 0)


def highest(before: Seen, after: Seen) -> Iterator[Breach]:
    """Highest ids, which only go up."""
    for file, line, old, new in _stated(before, after):
        if new is old:
            continue
        for kind, number in old.items():
            now = new.get(kind)
            if now is not None and now < number:
                says = _(
                    "Highest ids went back from {before} to {now}",
                    before=f"{kind}-{number:03}",
                    now=f"{kind}-{now:03}",
                )
                yield at(rules.ORDER, after.step, file, line, says)


def _stated(
    before: Seen, after: Seen
) -> Iterator[tuple[str, int, Mapping[str, int], Mapping[str, int]]]:
    led: tuple[Led | None, Led | None] = (before.led, after.led)
    if led[0] and led[1]:
        line = led[1].lines.get("Highest ids", 0)
        yield LEDGER, line, led[0].highest, led[1].highest
    queue: tuple[Queue | None, Queue | None] = (before.queue, after.queue)
    old = queue[0].state if queue[0] else None
    new = queue[1].state if queue[1] else None
    if old and new and old.highest and new.highest:
        yield DIRECTIVES, new.highest_line, old.highest, new.highest
