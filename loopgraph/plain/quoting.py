"""Owner text as data: written so that it never becomes structure, and read back unchanged.

A character that could do harm is shown as `<U+XXXX>`. A literal `<U+` is written as
`<U+003C>U+`, so reading is exact. Four places, from the narrowest to the widest: `cell`
(one table cell), `inline` (one line), `code` (a code span) and `block` (a fenced block).
"""

from __future__ import annotations

_OPEN = "<U+"
_HEX = "0123456789ABCDEF"


def _harmful(char: str) -> bool:
    """Controls (a NUL makes git call the file binary), line ends of no Markdown, bidi controls."""
    point = ord(char)
    return (
        point < 0x20
        or 0x7F <= point <= 0x9F
        or point in (0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF)
        or 0x202A <= point <= 0x202E
        or 0x2066 <= point <= 0x2069
        or 0xD800 <= point <= 0xDFFF
    )


def _escape(char: str) -> str:
    point = ord(char)
    digits = ""
    while point or len(digits) < 4:
        digits = _HEX[point % 16] + digits
        point //= 16
    return f"{_OPEN}{digits}>"


def visible(text: str, keep: str = "") -> str:
    """Show harmful characters as escapes, but for those in `keep`."""
    if _OPEN in text:
        text = text.replace(_OPEN, _escape("<") + "U+")
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        _escape(char) if _harmful(char) and char not in keep else char for char in text
    )


def inline(text: str) -> str:
    """Owner text inside a line: one line, no comment opens in it."""
    return visible(text).replace("<!--", _escape("<") + "!--")


def cell(text: str) -> str:
    """Owner text inside a table cell: as `inline`, and a pipe ends no cell."""
    return inline(text).replace("\\|", _escape("\\") + "|").replace("|", "\\|")


def code(text: str) -> str:
    """Owner text as a code span; pair with `cell` in a table: `cell(code(text))`."""
    text = visible(text)
    fence = "`"
    while fence in text:
        fence += "`"
    pad = " " if text[:1] == "`" or text[-1:] == "`" or not text.strip(" ") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def block(text: str) -> str:
    """Owner text as a fenced block: every line stays as it is, none becomes structure."""
    text = visible(text, keep="\n")
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}text\n{text}\n{fence}"


def unquote(text: str) -> str:
    """The owner's text from `visible` or `inline` (and from `cell`, its pipes unescaped)."""
    if _OPEN not in text:
        return text
    first, *parts = text.split(_OPEN)
    out = [first]
    for part in parts:
        digits, mark, rest = part.partition(">")
        if mark and 4 <= len(digits) <= 6 and not digits.strip(_HEX):
            out.append(chr(int(digits, 16)) + rest)
        else:
            out.append(_OPEN + part)
    return "".join(out)


def uncell(text: str) -> str:
    """The owner's text from one table cell."""
    return unquote(text.strip(" ").replace("\\|", "|"))


def cells(row: str) -> list[str]:
    """The raw cells of a table row, blanks around each dropped; empty where it is no row."""
    body = row.strip(" \t\r\n")
    if not body.startswith("|"):
        return []
    out: list[str] = []
    start = at = 1
    while at < len(body):
        if body[at] == "\\":
            at += 2
            continue
        if body[at] == "|":
            out.append(body[start:at].strip(" \t"))
            start = at + 1
        at += 1
    if body[start:].strip(" \t"):
        out.append(body[start:].strip(" \t"))
    return out
