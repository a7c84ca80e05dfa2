"""Owner text as data: written so that it never becomes structure, and read back unchanged.

A character that could do harm is shown as `<U+XXXX>`. A literal `<U+` is written as
`<U+003C>U+`, so reading is exact. Four places, from the narrowest to the widest: `cell`
(one table cell), `inline` (one line), `code` (a code span) and `block` (a fenced block).
"""

from __future__ import annotations

_OPEN = "<U+"
_HEX = "0123456789ABCDEF"


_HARMFUL = (
    (0x00, 0x1F),
    (0x7F, 0x9F),
    (0x061C, 0x061C),
    (0x200E, 0x200F),
    (0x2028, 0x202E),
    (0x2066, 0x2069),
    (0xD800, 0xDFFF),
    (0xFEFF, 0xFEFF),
)
"""Controls (a NUL makes git call the file binary), line ends of no Markdown, bidi controls."""

_DIGITS = (4, 5, 6)
"""How many digits an escape may have."""
_LAST = 0x10FFFF
_LEVELS = 6
"""Of headings."""


def _harmful(char: str) -> bool:
    if char.isprintable():
        return False
    point = ord(char)
    return any(low <= point <= high for low, high in _HARMFUL)


def _escape(char: str) -> str:
    point = ord(char)
    digits = ""
    while point or len(digits) < _DIGITS[0]:
        digits = _HEX[point % 16] + digits
        point //= 16
    return f"{_OPEN}{digits}>"


def shown(char: str) -> str:
    """One character as an escape, so that it means nothing where it stands."""
    return _escape(char)


def visible(text: str, keep: str = "") -> str:
    """Show harmful characters as escapes, but for those in `keep`."""
    if _OPEN in text:
        text = text.replace(_OPEN, _escape("<") + "U+")
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(char) if _harmful(char) and char not in keep else char for char in text)


def _titles(text: str) -> bool:
    level = len(text) - len(text.lstrip("#"))
    return 0 < level <= _LEVELS and text[level : level + 1] in ("", " ")


def _counts(text: str) -> bool:
    rest = text.lstrip("0123456789")
    return rest != text and rest[:1] in (".", ")") and rest[1:2] in ("", " ")


def _opens(text: str) -> bool:
    """Whether a line that begins with `text` would be more than the text of a paragraph."""
    first, second = text[0], text[1:2]
    return (
        first in ">|"
        or first.isspace()
        or text.startswith(("```", "~~~"))
        or (first in "-+*" and second in ("", " "))
        or (first in "=-*_" and not text.strip(first + " "))
        or (first in "-:" and not text.strip("|-: "))
        or (first == "<" and (second in ("/", "!", "?") or second.isalpha()))
        or (first == "[" and "]:" in text)
        or _titles(text)
        or _counts(text)
    )


def inline(text: str) -> str:
    """Owner text inside a line, also at its beginning: it stays one line, and opens no block."""
    shown = visible(text).replace("<!--", _escape("<") + "!--")
    if shown and not shown.startswith(_OPEN) and _opens(shown):
        shown = _escape(shown[0]) + shown[1:]
    return _no_blank_end(shown)


def _no_blank_end(shown: str) -> str:
    """A blank at the end would be dropped by whoever reads the field or the cell."""
    return shown[:-1] + _escape(shown[-1]) if shown[-1:].isspace() else shown


def cell(text: str) -> str:
    """Owner text inside a table cell: a pipe or a backslash in it ends no cell."""
    shown = visible(text).replace("<!--", _escape("<") + "!--")
    shown = shown.replace("\\|", _escape("\\") + "|").replace("|", "\\|")
    if shown[:1].isspace():
        shown = _escape(shown[0]) + shown[1:]
    if shown.endswith("\\"):
        shown = shown[:-1] + _escape("\\")
    return _no_blank_end(shown)


def _run_end(text: str, at: int) -> int:
    while text[at : at + 1] == "`":
        at += 1
    return at


def _longest_run(text: str) -> int:
    """The length of the longest run of backticks."""
    longest = 0
    at = text.find("`")
    while at >= 0:
        end = _run_end(text, at)
        longest = max(longest, end - at)
        at = text.find("`", end)
    return longest


def code(text: str) -> str:
    """Owner text as a code span; pair with `cell` in a table: `cell(code(text))`."""
    text = visible(text)
    fence = "`" * (_longest_run(text) + 1)
    tight = text and text[0] != "`" and text[-1] != "`" and not (text[0] == text[-1] == " ")
    pad = "" if tight else " "
    return f"{fence}{pad}{text}{pad}{fence}"


def spans(line: str) -> list[str]:
    """The owner texts in the code spans of a line."""
    out: list[str] = []
    hopeless: set[int] = set()
    at = line.find("`")
    while at >= 0:
        start = _run_end(line, at)
        end = -1 if start - at in hopeless else _span_end(line, start, start - at)
        if end < 0:
            hopeless.add(start - at)
            at = line.find("`", start)
            continue
        text = line[start:end]
        if len(text) > 1 and text[0] == text[-1] == " ":
            text = text[1:-1]
        out.append(unquote(text))
        at = line.find("`", end + start - at)
    return out


def _span_end(line: str, start: int, size: int) -> int:
    """Where a run of exactly `size` backticks begins, from `start` on; -1 for nowhere."""
    at = line.find("`", start)
    while at >= 0:
        end = _run_end(line, at)
        if end - at == size:
            return at
        at = line.find("`", end)
    return -1


def block(text: str) -> str:
    """Owner text as a fenced block: every line stays as it is, none becomes structure."""
    text = visible(text, keep="\n")
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}text\n{text}\n{fence}"


def unblock(fenced: str) -> str:
    """The owner's text from a fenced block, its first and last line the fence itself."""
    body = fenced.replace("\r\n", "\n").partition("\n")[2]
    return unquote(body.rpartition("\n")[0])


def unquote(text: str) -> str:
    """The owner's text from `visible` or `inline` (and from `cell`, its pipes unescaped)."""
    if _OPEN not in text:
        return text
    first, *parts = text.split(_OPEN)
    out = [first]
    for part in parts:
        digits, mark, rest = part.partition(">")
        whole = mark and len(digits) in _DIGITS and not digits.strip(_HEX)
        point = int(digits, 16) if whole else -1
        out.append(chr(point) + rest if 0 <= point <= _LAST else _OPEN + part)
    return "".join(out)


def uncell(text: str) -> str:
    """The owner's text from one table cell."""
    return unquote(text.strip(" \t").replace("\\|", "|"))


def pieces(line: str, start: int = 0) -> list[str]:
    """A line cut at each pipe that no backslash escapes, from `start` on."""
    out: list[str] = []
    at = line.find("|", start)
    while at >= 0:
        if line[at - 1 : at] != "\\":
            out.append(line[start:at])
            start = at + 1
        at = line.find("|", at + 1)
    out.append(line[start:])
    return out


def cells(row: str) -> list[str]:
    """The raw cells of a table row, blanks around each dropped; empty where it is no row."""
    body = row.strip(" \t\r\n")
    if not body.startswith("|"):
        return []
    out = [piece.strip(" \t") for piece in pieces(body, 1)]
    if not out[-1]:
        out.pop()
    return out
