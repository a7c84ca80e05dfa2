"""Caps: what one state holds more of than the one before, and than is allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from loopgraph.audit import rules
from loopgraph.audit.facts import DIRECTIVES, LEDGER
from loopgraph.audit.rule import Breach, at
from loopgraph.audit.seen import Context, Seen
from loopgraph.model import contract


def _waiting(seen: Seen) -> int:
    folded = (seen.led.folded if seen.led else None) or 0
    return sum(one.number > folded for one in (seen.queue.corrections if seen.queue else ()))


_WAITING: Final = "OPEN_DIRECTIVE_CAP"
_COUNTS: Final = (
    (LEDGER, "KEEP_ROUNDS", "rounds"),
    (LEDGER, "GAP_CAP", "debt rows"),
    (LEDGER, "OWNER_CAP", "cards"),
    (DIRECTIVES, "STANDING_CAP", "standing entries"),
    (DIRECTIVES, "OWNER_CAP", "cards"),
)
"""File, knob, and what is counted, in the order of the tables of a state."""


def exceeded(before: Seen, after: Seen, context: Context) -> Iterator[Breach]:
    """Each cap that a state exceeds by more than the one before it."""
    for (file, knob, what), old, new in zip(_COUNTS, before.tables, after.tables, strict=False):
        if new is not old and len(new) > max(len(old), context.count(knob)):
            says = f"{len(new)} {what} are live; {knob} is {context.count(knob)}"
            yield at(rules.CAP, after.step, file, 0, says)
    cap, now = context.count(_WAITING), _waiting(after)
    if now > cap and now > _waiting(before):
        says = f"{now} corrections that wait are live; {_WAITING} is {cap}"
        yield at(rules.CAP, after.step, DIRECTIVES, 0, says)
    for file in contract.LIVE:
        was, text = before.texts.get(file, ""), after.texts.get(file, "")
        if text is was:
            continue
        for unit, knob, size in _SIZES:
            cap, now = context.count(knob), size(text)
            if now > cap and now > size(was):
                yield at(rules.CAP, after.step, file, 0, f"{now} {unit}; {knob} is {cap}")
                break


def _lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and text != "")


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))


_SIZES: Final[tuple[tuple[str, str, Callable[[str], int]], ...]] = (
    ("lines", "FILE_LINE_CAP", _lines),
    ("bytes", "FILE_BYTE_CAP", _bytes),
)
