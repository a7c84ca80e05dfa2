"""What several commands share, explained from the tables that decide it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from loopgraph.author.interview import KEYS
from loopgraph.model.errors import EXIT_CODES
from loopgraph.model.knobs import KNOBS, bounds


def exit_codes() -> str:
    """Each exit code and its meaning."""
    return "".join(f"{code:>4}  {meaning}\n" for code, meaning in EXIT_CODES)


def knobs() -> str:
    """Each knob with its default, bounds and meaning."""
    width = max(len(knob.name) for knob in KNOBS)
    return "".join(
        f"{knob.name:<{width}}  {'none' if knob.default is None else knob.default!s:<6}  "
        f"{knob.meaning} ({bounds(knob)})\n"
        for knob in KNOBS
    )


def answers() -> str:
    """Each key that `--set` and an answers file know."""
    width = max(len(key.name) for key in KEYS)
    return "".join(
        f"{key.name:<{width}}  {key.means}"
        + (f" ({', '.join(key.choices)})" if key.choices else "")
        + "\n"
        for key in KEYS
    )


TOPICS: Final[Mapping[str, Callable[[], str]]] = {
    "exit-codes": exit_codes,
    "knobs": knobs,
    "answers": answers,
}
