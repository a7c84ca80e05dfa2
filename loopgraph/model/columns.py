"""Text folded to the width of a terminal, where a CJK letter takes two columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from unicodedata import combining, east_asian_width

_NEVER_FIRST: Final = "，。、；：？！）》」』”’…,.;:?!)]"
"""Marks that no line begins with."""
_NEVER_LAST: Final = "（《「『“‘(["
"""Marks that no line ends with."""


def width(text: str) -> int:
    """The columns that a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(char) or char == "\u200d" else 2 if east_asian_width(char) in "WF" else 1
        for char in text
    )


def pad(text: str, columns: int) -> str:
    """The text with blanks after it, up to that many columns."""
    return text + " " * max(0, columns - width(text))


def fold(text: str, columns: int, *, cut: bool = True) -> list[str]:
    """The text in lines of at most that many columns; nothing is left out but blanks at a fold.

    A word that no line can hold is cut, or with `cut=False` left whole on a line of its own.
    """
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        lines += _folded(paragraph, max(columns, 4), cut=cut)
    return lines


def _folded(paragraph: str, columns: int, *, cut: bool) -> list[str]:
    lines, line = [], ""
    for piece in _pieces(paragraph):
        if width(line) + width(piece.rstrip()) <= columns or not (line or piece.strip()):
            line += piece
            continue
        if line.strip():
            lines.append(line.rstrip())
        line = piece.lstrip()
        while cut and width(line.rstrip()) > columns:
            at = _cut(line, columns)
            lines.append(line[:at])
            line = line[at:]
    return [*lines, line.rstrip()]


def _cut(text: str, columns: int) -> int:
    at = 1
    while width(text[: at + 1]) <= columns:
        at += 1
    return at


def _pieces(text: str) -> Iterator[str]:
    """What stays together: a word with the blanks after it, or one wide letter."""
    piece = ""
    for char in text:
        wide = width(char) > 1
        ends = piece and (
            (piece[-1] == " " and char != " ")
            or (
                (wide or width(piece[-1]) > 1)
                and char not in _NEVER_FIRST
                and piece[-1] not in _NEVER_LAST
                and char != " "
            )
        )
        if ends:
            yield piece
            piece = ""
        piece += char
    if piece:
        yield piece


def hang(
    text: str, columns: int, first: str = "", rest: str | None = None, *, cut: bool = True
) -> str:
    """The text folded, `first` before its first line and `rest` (else blanks) before the others."""
    after = " " * width(first) if rest is None else rest
    lines = fold(text, columns - max(width(first), width(after)), cut=cut)
    return "\n".join(
        (first if number == 0 else after) + line for number, line in enumerate(lines)
    ).rstrip()
