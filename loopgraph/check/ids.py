"""Ids such as C-01 or G-3: a letter, a hyphen and a number."""

from __future__ import annotations


def is_numbered(found: str | None, letter: str, *, width: int = 1) -> bool:
    """Whether this is that letter's id, its number at least `width` digits wide and not zero.

    A zero is a number where the width asks for more digits: C-00 is the owner's brief.
    """
    number = (found or "").removeprefix(f"{letter}-")
    if number == found or not (number.isascii() and number.isdigit()):
        return False
    return width <= len(number) <= 4 and (width > 1 or number[0] != "0")  # noqa: PLR2004
