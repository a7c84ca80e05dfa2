"""The one family of errors a user may see: what happened, where, and what to do.

LoopgraphError
├── UsageError       2  a call, answer, knob or pack that cannot be understood
├── UnreadableError  2  a file that is absent, too large, not text, or not what it should be
├── RefusedError     1  the answer is no: a finding, a law, a compiled file that was changed
└── BusyError       75  somebody else holds the lock
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from loopgraph.model.messages import N_, _

EXIT_CODES: Final[tuple[tuple[int, str], ...]] = (
    (0, N_("done, clean, yes")),
    (1, N_("the answer is no: a finding, a refusal by law, a compiled file that was changed")),
    (2, N_("could not do its work: usage, unreadable, absent")),
    (75, N_("busy: a lock was held for longer than the wait")),
    (130, N_("interrupted")),
)
"""Every exit code and its meaning; `loopgraph help exit-codes` prints this table."""


class LoopgraphError(Exception):
    """Work that cannot be done, told in one line; nothing was changed."""

    exit_code = 2

    def __init__(self, what: str, *, where: str = "", fix: str = "") -> None:
        super().__init__(what)
        self.what, self.where, self.fix = what, where, fix

    def __str__(self) -> str:
        return told(self.what, self.where, self.fix)


class UsageError(LoopgraphError):
    """A call, an answer, a knob or a pack that cannot be understood."""


class UnreadableError(LoopgraphError):
    """A file that is absent, too large, not text, or not what it should be."""


class RefusedError(LoopgraphError):
    """The answer is no."""

    exit_code = 1


class BusyError(LoopgraphError):
    """Somebody else holds the lock."""

    exit_code = 75


def told(what: str, where: str, fix: str) -> str:
    """An error in one line."""
    said = ": ".join(filter(None, (where, what)))
    if fix and said.endswith("?"):
        return f"{said} {fix}"
    if fix and said.endswith("？"):
        return f"{said}{fix}"
    return _("{said}. {fix}", said=said, fix=fix) if fix else said


def nearest(word: str, known: Iterable[str]) -> str:
    """Return "Did you mean X?" for the known word nearest to `word`, else the known words."""
    from difflib import get_close_matches  # noqa: PLC0415  only a mistake pays for it

    names = sorted(known)
    folded = {name.casefold(): name for name in names}
    close = get_close_matches(word.casefold(), folded, n=1, cutoff=0.6)
    if close:
        return _("Did you mean {word}?", word=folded[close[0]])
    return _("Known: {words}", words=", ".join(names))
