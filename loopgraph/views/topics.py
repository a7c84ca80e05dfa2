"""What several commands share, explained from the tables that decide it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from loopgraph.author.answers import USER_KEYS
from loopgraph.author.interview import KEYS
from loopgraph.model.columns import hang
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
    """Each key that `--set` and an answers file know, and who outranks whom."""
    named = max(len(key.name) for key in KEYS)
    rows = [
        hang(
            key.means + (f" ({', '.join(key.choices)})" if key.choices else ""),
            _WIDTH,
            f"{key.name:<{named}}  ",
        )
        for key in KEYS
    ]
    return "\n".join([*rows, "", hang(_RANKS, _WIDTH), ""])


_WIDTH: Final = 80
_RANKS: Final = f"""\
Give one with --set KEY=VALUE, or several in a file with --answers FILE (YAML or JSON). \
`loopgraph new --print-answers` prints such a file to edit, with your other options filled in. \
A question of a preset and a knob (loopgraph help knobs) are keys, too.

Who outranks whom: the person at the terminal, the command line, the answers file, the run named \
by --from, the preset, your own defaults, the built-in ones.

Your own defaults stand in config.yaml of your configuration folder (~/.config/loopgraph, or \
LOOPGRAPH_CONFIG): knobs, and {", ".join(USER_KEYS)}. They never hold a goal, a scope or a \
pre-authorization, which belong to one run."""


TOPICS: Final[Mapping[str, Callable[[], str]]] = {
    "exit-codes": exit_codes,
    "knobs": knobs,
    "answers": answers,
}
