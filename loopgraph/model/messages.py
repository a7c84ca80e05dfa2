"""Words for people: in English where they are said, looked up in a catalogue if one is set."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

_VALUE: Final = re.compile(r"\{([a-z_]+)\}")

_look_up: Callable[[str], str] | None = None
"""English to the reader's language; None while the reader has English, which costs nothing."""


def use(look_up: Callable[[str], str] | None) -> None:
    """From now on say everything by this catalogue; None is English."""
    global _look_up  # noqa: PLW0603  the one reader of this process
    _look_up = look_up


def in_english() -> bool:
    """Whether the reader has the texts as they stand in the program."""
    return _look_up is None


def _(text: str, /, **values: object) -> str:
    """A message in the reader's language, its `{values}` put in literally.

    `docs/messages.py` finds every call, so the text is written out in it.
    """
    return filled(_look_up(text) if _look_up else text, values)


def filled(text: str, values: Mapping[str, object]) -> str:
    """A text with its `{values}` put in, all at once: a brace in a value stays a brace."""
    if not values:
        return text
    return _VALUE.sub(lambda at: str(values.get(at[1], at[0])), text)


def reworded(said: str, forms: Iterable[tuple[str, str]]) -> str:
    """What a library says in English, as the message of the first form that fits it whole.

    A form is a pattern with named groups, and a message with their names; what fits none stays.
    """
    for pattern, text in forms:
        if found := re.fullmatch(pattern, said):
            return _(text, **found.groupdict())
    return said


def N_(text: str, /) -> str:  # noqa: N802  the name that tools for catalogues know
    """Mark a text of a table for the catalogue; `_` says it when it is shown."""
    return text
