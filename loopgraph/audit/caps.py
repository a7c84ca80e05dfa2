"""Caps: what one state holds more of than the one before, and than is allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from loopgraph.audit import rules
from loopgraph.audit.facts import DIRECTIVES, LEDGER
from loopgraph.audit.rule import Breach, at
from loopgraph.audit.seen import Context, Seen
from loopgraph.model import contract
from loopgraph.model.messages import N_, _


def _waiting(seen: Seen) -> int:
    folded = (seen.led.folded if seen.led else None) or 0
    return sum(one.number > folded for one in (seen.queue.corrections if seen.queue else ()))


_WAITING: Final = "OPEN_DIRECTIVE_CAP"
_COUNTS: Final = (
    (LEDGER, "KEEP_ROUNDS", N_("rounds")),
    (LEDGER, "GAP_CAP", N_("debt rows")),
    (LEDGER, "OWNER_CAP", N_("cards")),
    (DIRECTIVES, "STANDING_CAP", N_("standing entries")),
    (DIRECTIVES, "OWNER_CAP", N_("cards")),
)
"""File, knob, and what is counted, in the order of the tables of a state."""


def exceeded(before: Seen, after: Seen, context: Context) -> Iterator[Breach]:
    """Each cap that a state exceeds by more than the one before it."""
    for (file, knob, what), old, new in zip(_COUNTS, before.tables, after.tables, strict=False):
        if new is not old and len(new) > max(len(old), context.count(knob)):
            says = _live(len(new), _(what), knob, context)
            yield at(rules.CAP, after.step, file, 0, says)
    cap, now = context.count(_WAITING), _waiting(after)
    if now > cap and now > _waiting(before):
        says = _live(now, _("corrections that wait"), _WAITING, context)
        yield at(rules.CAP, after.step, DIRECTIVES, 0, says)
    for file in contract.LIVE:
        was, text = before.texts.get(file, ""), after.texts.get(file, "")
        if text is was:
            continue
        for unit, knob, size in _SIZES:
            cap, now = context.count(knob), size(text)
            if now > cap and now > size(was):
                says = _(
                    "{count} {unit}; {knob} is {cap}", count=now, unit=_(unit), knob=knob, cap=cap
                )
                yield at(rules.CAP, after.step, file, 0, says)
                break


def _live(count: int, what: str, knob: str, context: Context) -> str:
    cap = context.count(knob)
    return _("{count} {what} are live; {knob} is {cap}", count=count, what=what, knob=knob, cap=cap)


def _lines(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and text != "")


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))


_SIZES: Final[tuple[tuple[str, str, Callable[[str], int]], ...]] = (
    (N_("lines"), "FILE_LINE_CAP", _lines),
    (N_("bytes"), "FILE_BYTE_CAP", _bytes),
)
