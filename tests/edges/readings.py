"""Two readings of the same Markdown, ours and markdown-it's, in the same words."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.token import Token

from loopgraph.edges import document
from loopgraph.plain import quoting, tables, text

_ORACLE = MarkdownIt("commonmark").enable("table")


def ours(source: str) -> list[str]:
    """Headings, code, comments and table rows, each with its line from 1."""
    found = document.parse(source)
    told = [(s.start, f"heading {s.level} {s.title}") for s in found.sections]
    told += [
        (index, "code" if kind == text.CODE else "comment")
        for index, kind in enumerate(found.kinds)
        if kind != text.TEXT and _says(found.lines[index])
    ]
    body = [
        (index, text.bare(line))
        for index, line in enumerate(found.lines)
        if found.kinds[index] == text.TEXT
    ]
    for line, header, rows in tables.tables(body):
        for at, cells in [(line, header), *rows] if header else rows:
            told.append((at, f"row {' / '.join(map(quoting.uncell, cells))}"))
    return _numbered(told)


def theirs(source: str, *, underlined: bool = True) -> list[str]:
    """The same from markdown-it: headings of the file alone, fences wherever they are."""
    lines = text.lines(source)
    told: list[tuple[int, str]] = []
    tokens = _ORACLE.parse(source)
    for place, token in enumerate(tokens):
        first, last = token.map or (0, 0)
        if token.type == "heading_open" and token.level == 0:
            if token.markup[0] != "#" and not underlined:
                continue
            told.append((first, f"heading {token.tag[1]} {tokens[place + 1].content}".strip()))
        elif token.type == "fence":
            told += [(index, "code") for index in range(first, last) if _there(lines, index)]
        elif token.type == "html_block" and token.content.lstrip().startswith("<!--"):
            told += [(index, "comment") for index in range(first, last) if _there(lines, index)]
        elif token.type == "tr_open":
            told.append((first, f"row {' / '.join(_cells(tokens[place:]))}"))
    return _numbered(told)


def _cells(tokens: list[Token]) -> list[str]:
    cells = []
    for place, token in enumerate(tokens):
        if token.type == "tr_close":
            break
        if token.type in ("td_open", "th_open"):
            cells.append(tokens[place + 1].content)
    return cells


def _says(line: str) -> bool:
    return bool(line.strip(" \t\r\n>"))


def _there(lines: list[str], index: int) -> bool:
    return index < len(lines) and _says(lines[index])


def _numbered(told: list[tuple[int, str]]) -> list[str]:
    return [f"{index + 1} {what}".rstrip() for index, what in sorted(told)]


def shape(source: str) -> list[tuple[str, int]]:
    """What kinds of block there are for markdown-it, in order; what they say is left out."""
    return [
        (token.type, token.level)
        for token in _ORACLE.parse(source)
        if token.type not in ("inline", "paragraph_open", "paragraph_close")
    ]
