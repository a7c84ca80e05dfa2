"""What several commands share, explained from the tables that decide it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from loopgraph.author.answers import USER_KEYS, example
from loopgraph.author.interview import KEYS
from loopgraph.model.columns import hang
from loopgraph.model.errors import EXIT_CODES
from loopgraph.model.knobs import KNOBS, allowed
from loopgraph.model.messages import N_, _
from loopgraph.views import status


def exit_codes() -> str:
    """Each exit code and its meaning."""
    every = "".join(f"{code:>4}  {_(meaning)}\n" for code, meaning in EXIT_CODES)
    own = "".join(f"{code:>4}  {_(meaning)}\n" for code, meaning in status.EXIT_CODES)
    return f"{every}\n{_('loopgraph status alone says by its code where a run stands:')}\n{own}"


def knobs() -> str:
    """Each knob with its default, bounds and meaning."""
    width = max(len(knob.name) for knob in KNOBS)
    return "".join(
        f"{knob.name:<{width}}  {'none' if knob.default is None else knob.default!s:<6}  "
        f"{_('{meaning} ({bounds})', meaning=_(knob.meaning), bounds=allowed(knob))}\n"
        for knob in KNOBS
    )


def answers() -> str:
    """Each key that `--set` and an answers file know, and who outranks whom."""
    named = max(len(key.name) for key in KEYS)
    rows = [
        hang(
            _("{meaning} ({bounds})", meaning=_(key.means), bounds=", ".join(key.choices))
            if key.choices
            else _(key.means),
            _WIDTH,
            f"{key.name:<{named}}  ",
        )
        for key in KEYS
    ]
    ranks = (hang(line, _WIDTH) for line in _ranks())
    shown = (f"  {line}" for line in example())
    own = _("Milestones of your own, one to nine, in a file; each value is one line of text:")
    return "\n".join([*rows, "", *ranks, "", hang(own, _WIDTH), "", *shown, ""])


_WIDTH: Final = 80


def _ranks() -> tuple[str, ...]:
    """Paragraphs, with an empty line between two."""
    return (
        _(
            "Give one with --set KEY=VALUE, or several in a file with --answers FILE (YAML or "
            "JSON). `loopgraph new --print-answers` prints such a file to edit, with your other "
            "options filled in. A question of a preset and a knob (loopgraph help knobs) are "
            "keys, too."
        ),
        "",
        _(
            "Who outranks whom: the person at the terminal, the command line, the answers file, "
            "the run named by --from, the preset, your own defaults, the built-in ones."
        ),
        "",
        _(
            "Your own defaults stand in config.yaml of your configuration folder "
            "(~/.config/loopgraph, or LOOPGRAPH_CONFIG): knobs, and {keys}. They never hold a "
            "goal, a scope or a pre-authorization, which belong to one run.",
            keys=", ".join(USER_KEYS),
        ),
    )


def every() -> str:
    """Each topic with what it explains."""
    width = max(len(name) for name in TOPICS)
    rows = [f"loopgraph help {name:<{width}}  {_(_ABOUT[name])}\n" for name in TOPICS]
    last = _("Each command explains itself: loopgraph COMMAND --help")
    return "".join([*rows, f"\n{last}\n"])


_ABOUT: Final[Mapping[str, str]] = {
    "exit-codes": N_("what the exit code of a command says"),
    "knobs": N_("each number that a run goes by, its default and its bounds"),
    "answers": N_("each key of an answers file, and who outranks whom"),
}

TOPICS: Final[Mapping[str, Callable[[], str]]] = {
    "exit-codes": exit_codes,
    "knobs": knobs,
    "answers": answers,
}
