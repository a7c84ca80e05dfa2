"""Text as lines that join back to the same bytes, and what kind of line each one is."""

from __future__ import annotations

TEXT, CODE, COMMENT = 0, 1, 2
"""Kinds of line: ordinary text, inside (or delimiting) a code fence, inside an HTML comment."""

BOM = "\ufeff"


def lines(text: str) -> list[str]:
    """Split after each LF, CRLF or lone CR, ends kept; `"".join(lines(t)) == t`.

    `str.splitlines` also splits at form feeds, U+2028 and others, which Markdown doesn't.
    """
    if "\r" not in text:
        parts = text.split("\n")
        ends = [part + "\n" for part in parts[:-1]]
        return [*ends, parts[-1]] if parts[-1] else ends
    out: list[str] = []
    start = at = 0
    while at < len(text):
        char = text[at]
        at += 1
        if char == "\n" or char == "\r":
            if char == "\r" and text[at : at + 1] == "\n":
                at += 1
            out.append(text[start:at])
            start = at
    if start < len(text):
        out.append(text[start:])
    return out


def bare(line: str) -> str:
    """A line without its end."""
    return line.rstrip("\r\n")


def heading(line: str) -> tuple[int, str] | None:
    """The level and title of an ATX heading line, or None."""
    body = bare(line)
    content = body.lstrip(" ")
    if len(body) - len(content) > 3 or not content.startswith("#"):
        return None
    title = content.lstrip("#")
    level = len(content) - len(title)
    if level > 6 or (title and title[0] not in " \t"):
        return None
    title = title.strip(" \t")
    closing = title.rstrip("#")
    if closing != title and (not closing or closing[-1] in " \t"):
        title = closing.rstrip(" \t")
    return level, title


def _fence(content: str) -> str:
    """The run of backticks or tildes that opens a fence, or an empty string."""
    for mark in ("`", "~"):
        run = len(content) - len(content.lstrip(mark))
        if run >= 3 and not (mark == "`" and "`" in content[run:]):
            return mark * run
    return ""


def _inside_markers(body: str) -> tuple[int, str]:
    """Strip list and quote markers; return the column where their content starts, and it.

    The column is 0 where there was no list marker: only list items end by indentation.
    """
    column = 0
    rest = body
    at = 0
    while True:
        content = rest.lstrip(" ")
        indent = len(rest) - len(content)
        marker = 0
        if content[:1] in ("-", "*", "+") and content[1:2] in (" ", ""):
            marker = 1
        elif content[:1] == ">":
            rest, at = content[1:], at + indent + 1
            continue
        else:
            digits = len(content) - len(content.lstrip("0123456789"))
            if 0 < digits < 10 and content[digits : digits + 1] in (".", ")") and content[
                digits + 1 : digits + 2
            ] in (" ", ""):
                marker = digits + 1
        if not marker or indent > 3:
            return column, content if column or at else rest
        after = content[marker:]
        pad = len(after) - len(after.lstrip(" "))
        step = marker + (pad if 0 < pad < 5 else 1)
        rest, at = content[step:], at + indent + step
        column = at


def kinds(rows: list[str]) -> list[int]:
    """The kind of each line: TEXT, CODE or COMMENT.

    A fence counts also inside a list item, and ends with it. A comment counts where it opens
    a line; text before or after one on the same line is TEXT.
    """
    out: list[int] = []
    fence, column = "", 0
    comment = False
    for row in rows:
        body = bare(row)
        if comment:
            out.append(COMMENT)
            comment = "-->" not in body
            continue
        content = body.lstrip(" \t")
        indent = len(body) - len(content)
        if fence:
            if column and content and indent < column:
                fence = ""
            else:
                out.append(CODE)
                close = content.rstrip(" \t")
                if indent - column < 4 and len(close) >= len(fence) and not close.strip(fence[0]):
                    fence = ""
                continue
        column, inner = _inside_markers(body)
        opening = _fence(inner.lstrip(" "))
        if opening and (column or len(inner) - len(inner.lstrip(" ")) < 4):
            fence = opening
            out.append(CODE)
            continue
        if indent < 4 and content.startswith("<!--"):
            comment = "-->" not in content
            out.append(COMMENT if comment or content.rstrip().endswith("-->") else TEXT)
            continue
        out.append(TEXT)
    return out
