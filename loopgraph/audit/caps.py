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


_COUNTS: Final[tuple[tuple[str, str, str, Callable[[Seen], int]], ...]] = (
    (LEDGER, "KEEP_ROUNDS", "rounds", lambda seen: len(seen.led.log) if seen.led else 0),
    (LEDGER, "GAP_CAP", "debt rows", lambda seen: len(seen.led.gaps) if seen.led else 0),
    (LEDGER, "OWNER_CAP", "cards", lambda seen: len(seen.led.cards) if seen.led else 0),
    (DIRECTIVES, "OWNER_CAP", "cards", lambda seen: len(seen.queue.cards) if seen.queue else 0),
    (
        *(DIRECTIVES, "STANDING_CAP", "standing entries"),
        lambda seen: len(seen.queue.standing) if seen.queue else 0,
    ),
    (DIRECTIVES, "OPEN_DIRECTIVE_CAP", "corrections that wait", _waiting),
)
"""File, knob, what is counted, and how."""


def exceeded(before: Seen, after: Seen, context: Context) -> Iterator[Breach]:
    """Each cap that a state exceeds by more than the one before it."""
    for file, knob, what, count in _COUNTS:
        cap, now = context.count(knob), count(after)
        if now > cap and now > count(before):
            says = f"{now} {what} are live; {knob} is {cap}"
            yield at(rules.CAP, after.step, file, 0, says)
    for file in contract.LIVE:
        old, new = before.texts.get(file, ""), after.texts.get(file, "")
        if new is old:
            continue
        for unit, knob, size in _SIZES:
            cap, now = context.count(knob), size(new)
            if now > cap and now > size(old):
                yield at(rules.CAP, after.step, file, 0, f"{now} {unit}; {knob} is {cap}")
                break


def _lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and text != "")


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))


_SIZES: Final[tuple[tuple[str, str, Callable[[str], int]], ...]] = (
    ("lines", "FILE_LINE_CAP", _lines),
    ("bytes", "FILE_BYTE_CAP", _bytes),
)
