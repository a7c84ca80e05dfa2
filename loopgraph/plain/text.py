"""Text as lines that join back to the same bytes, and what each line is."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

TEXT, CODE, COMMENT = 0, 1, 2
"""Kinds of line: ordinary text, inside (or delimiting) a code fence, inside an HTML comment."""

BOM = "\ufeff"

_DEEP = 16
"""List items and quotes nested deeper than this are read as text, so that the cost stays linear."""

_CODE = 4
"""An indentation of so many columns makes a line code, or the text of a paragraph."""
_LEVELS = 6
"""Of headings."""
_RUN = 3
"""Marks that make a fence or a thematic break."""
_NUMBERED = 10
"""A list item's number has fewer digits."""

_STARTS = " \t#>-+*_`~<=0123456789"
"""What a line must begin with to be more than the text of a paragraph."""

_MARKS = "*_` \t\u00a0\u3000"
_SUFFIX = "(（[【—–-:：·,，;；|｜/"
"""What opens a suffix after a heading's own title."""


def lines(text: str) -> list[str]:
    """Split after each LF, CRLF or lone CR, ends kept; `"".join(lines(t)) == t`.

    `str.splitlines` also splits at form feeds, U+2028 and others, which Markdown doesn't.
    """
    parts = text.split("\n")
    last = parts.pop()
    found = [part + "\n" for part in parts]
    if last:
        found.append(last)
    if "\r" not in text:
        return found
    out: list[str] = []
    for line in found:
        end = "\r\n" if line.endswith("\r\n") else ""
        body = line[:-2] if end else line
        *broken, rest = body.split("\r")
        out += [part + "\r" for part in broken]
        if rest or end:
            out.append(rest + end)
    return out


def bare(line: str) -> str:
    """A line without its end."""
    return line.rstrip("\r\n")


def heading(line: str) -> tuple[int, str] | None:
    """The level and title of an ATX heading line, or None."""
    body = bare(line)
    content = body.lstrip(" ")
    if len(body) - len(content) >= _CODE or not content.startswith("#"):
        return None
    title = content.lstrip("#")
    level = len(content) - len(title)
    if level > _LEVELS or (title and title[0] not in " \t"):
        return None
    title = title.strip(" \t")
    closing = title.rstrip("#")
    if closing != title and (not closing or closing[-1] in " \t"):
        title = closing.rstrip(" \t")
    return level, title


def _blanks(body: str, at: int, column: int) -> tuple[int, int]:
    """Pass over blanks; return where they end, and the column there: tabs stop at each fourth."""
    while at < len(body):
        if body[at] == " ":
            column += 1
        elif body[at] == "\t":
            column += _CODE - column % _CODE
        else:
            break
        at += 1
    return at, column


def _fence(body: str, at: int) -> str:
    """The run of backticks or tildes that opens a fence at `at`, or an empty string."""
    mark = body[at]
    if mark not in "`~" or not body.startswith(mark * _RUN, at):
        return ""
    rest = body[at:].lstrip(mark)
    return "" if mark == "`" and "`" in rest else mark * (len(body) - at - len(rest))


def _closes(body: str, at: int, fence: str) -> bool:
    content = body[at:].rstrip(" \t")
    return len(content) >= len(fence) and not content.strip(fence[0])


def _marker(body: str, at: int) -> int:
    """The length of the list marker at `at`; 0 for none."""
    end = at
    if body[at] in "-+*":
        end += 1
    else:
        while end < len(body) and end - at < _NUMBERED and body[end] in "0123456789":
            end += 1
        if not 0 < end - at < _NUMBERED or body[end : end + 1] not in (".", ")"):
            return 0
        end += 1
    return end - at if body[end : end + 1] in ("", " ", "\t") else 0


def _rule(body: str, at: int) -> bool:
    """Whether a thematic break stands there: three or more of the same mark and nothing else."""
    if body[at] not in "-*_":
        return False
    marks = body[at:].replace(" ", "").replace("\t", "")
    return len(marks) >= _RUN and not marks.strip(marks[0])


def _underlines(body: str, at: int) -> bool:
    content = body[at:].rstrip(" \t")
    return not content.strip("=") or not content.strip("-")


class _Blocks:
    """The blocks that are open at a line: quotes and list items, and the leaf inside them."""

    def __init__(self) -> None:
        self.containers: list[int] = []
        """0 for a quote, else the width of a list item: how far its text is indented."""
        self.fence = ""
        self.comment = False
        self.paragraph = False
        self.hollow = False
        """The innermost list item has no text yet."""

    def idle(self) -> bool:
        return not (self.containers or self.fence or self.comment)

    def read(self, body: str) -> tuple[int, tuple[int, str] | None]:
        """Take in a line; return its kind, and its level and title if it heads the file's text."""
        at, column, base, depth = self._continue(body)
        inside = depth == len(self.containers)
        if self.fence and inside:
            if column - base < _CODE and at < len(body) and _closes(body, at, self.fence):
                self.fence = ""
            return CODE, None
        if self.comment and inside:
            self.comment = "-->" not in body
            return COMMENT, None
        self.fence, self.comment = "", False
        if at == len(body):
            del self.containers[depth - (self.hollow and inside) :]
            self.paragraph = self.hollow = False
            return TEXT, None
        self.hollow = False
        at, column, base, depth = self._open(body, at, column, base, depth)
        if at == len(body):
            return TEXT, None
        return self._leaf(body, at, column - base, depth)

    def _continue(self, body: str) -> tuple[int, int, int, int]:
        """How many of the open containers this line goes on with, and where its text begins."""
        at, column = _blanks(body, 0, 0)
        base = depth = 0
        for width in self.containers:
            if width and (at == len(body) or column - base >= width):
                base += width
            elif not width and at < len(body) and body[at] == ">" and column - base < _CODE:
                at, column, base = _quoted(body, at, column)
            else:
                break
            depth += 1
        return at, column, base, depth

    def _open(
        self, body: str, at: int, column: int, base: int, depth: int
    ) -> tuple[int, int, int, int]:
        """Open the quotes and list items that begin on this line."""
        while at < len(body) and column - base < _CODE and depth < _DEEP:
            if body[at] == ">":
                width = 0
                after = _quoted(body, at, column)
            else:
                size = _marker(body, at)
                if not size or _rule(body, at):
                    break
                start = column + size
                text, end = _blanks(body, at + size, start)
                empty = text == len(body)
                if self._continues_text(body, at, size, depth, empty=empty):
                    break
                pad = 1 if empty or end - start > _CODE else end - start
                width = start + pad - base
                self.hollow = empty
                after = text, end, start + pad
            del self.containers[depth:]
            self.containers.append(width)
            self.paragraph = False
            at, column, base = after
            depth += 1
        return at, column, base, depth

    def _continues_text(self, body: str, at: int, size: int, depth: int, *, empty: bool) -> bool:
        """An empty item, or a number other than one, does not interrupt a paragraph."""
        if not self.paragraph or depth < len(self.containers):
            return False
        return empty or (body[at] not in "-+*" and int(body[at : at + size - 1]) != 1)

    def _leaf(
        self, body: str, at: int, indent: int, depth: int
    ) -> tuple[int, tuple[int, str] | None]:
        lazy = self.paragraph and depth < len(self.containers)
        if indent >= _CODE:
            if not lazy:
                del self.containers[depth:]
            return TEXT, None
        fence = _fence(body, at)
        comment = body.startswith("<!--", at)
        title = heading(body[at:]) if body[at] == "#" else None
        if lazy and not (fence or comment or title or _rule(body, at)):
            return TEXT, None
        del self.containers[depth:]
        if fence:
            self.fence, self.paragraph = fence, False
            return CODE, None
        if comment:
            self.comment, self.paragraph = "-->" not in body, False
            whole = self.comment or body.rstrip(" \t").endswith("-->")
            return COMMENT if whole else TEXT, None
        ended = title or _rule(body, at) or (self.paragraph and _underlines(body, at))
        self.paragraph = not ended
        return TEXT, None if depth else title


def _quoted(body: str, at: int, column: int) -> tuple[int, int, int]:
    """Pass over a quote mark and the one blank that belongs to it."""
    after, end = _blanks(body, at + 1, column + 1)
    return after, end, column + (2 if end > column + 1 else 1)


def blocks(rows: list[str]) -> tuple[list[int], list[tuple[int, str, int]]]:
    """The kind of each line, and the headings of the file: level, title, index of the line.

    As CommonMark has it: a fence or a comment ends with the list item or quote that holds it,
    and a heading in there is none of the file's. A comment counts where it opens a line; text
    beside one on the same line is TEXT.
    """
    kinds: list[int] = []
    heads: list[tuple[int, str, int]] = []
    open_blocks = _Blocks()
    for index, row in enumerate(rows):
        body = bare(row if index else row.removeprefix(BOM))
        if open_blocks.idle() and (not body or body[0] not in _STARTS):
            open_blocks.paragraph = bool(body)
            kinds.append(TEXT)
            continue
        kind, title = open_blocks.read(body)
        kinds.append(kind)
        if title:
            heads.append((*title, index))
    return kinds, heads


def kinds(rows: list[str]) -> list[int]:
    """The kind of each line: TEXT, CODE or COMMENT."""
    return blocks(rows)[0]


def sections(heads: list[tuple[int, str, int]], total: int) -> list[tuple[str, int, int, int]]:
    """Of each heading its title, level, line index, and one past the last line below it.

    A section ends where the next heading of the same or a higher level stands, else at `total`.
    """
    ends = [total] * len(heads)
    waiting: list[int] = []
    for place, (level, _, start) in enumerate(heads):
        while waiting and heads[waiting[-1]][0] >= level:
            ends[waiting.pop()] = start
        waiting.append(place)
    return [
        (title, level, start, end) for (level, title, start), end in zip(heads, ends, strict=True)
    ]


_FOLDED: dict[str, str] = {}
"""Titles that were folded before: the same few are asked for again and again."""
_HELD = 500


def _folded(title: str) -> str:
    found = _FOLDED.get(title)
    if found is None:
        if len(_FOLDED) >= _HELD:
            _FOLDED.clear()
        found = _FOLDED[title] = _fold(title)
    return found


def _fold(title: str) -> str:
    plain = title.replace("＆", "&").replace("*", "").replace("`", "")
    return " ".join(plain.strip(_MARKS).casefold().split())


def titled(found: str, wanted: str) -> int | None:
    """How well a heading bears a title: 0 exactly, 1 with a suffix, 2 with more words, else None.

    A suffix is set off by punctuation: ` — last 5 only`, `（…）`, `: …`. Blanks of any width,
    upper and lower case, and marks of emphasis make no difference.
    """
    full, title = _folded(found), _folded(wanted)
    if not full.startswith(title):
        return None
    rest = full[len(title) :]
    if not rest:
        return 0
    if rest[0] == " ":
        return 1 if rest[1] in _SUFFIX else 2
    return 1 if rest[0] in _SUFFIX and rest[0] not in "-/" else None


def bearing(
    sections: tuple[tuple[str, int, int, int], ...], title: str, level: int = 2
) -> list[int]:
    """Which of the sections bear a title, with or without a suffix, in the file's order.

    A heading that only begins with the same words counts where no other bears the title.
    """
    ranks: list[tuple[int, int]] = []
    for place, (found, at, _, _) in enumerate(sections):
        rank = titled(found, title) if at == level else None
        if rank is not None:
            ranks.append((rank, place))
    best = min(ranks)[0] if ranks else 0
    return [place for rank, place in ranks if rank <= max(best, 1)]


def bodies(source: str) -> Callable[[str], list[tuple[int, str]]]:
    """What stands below a heading of the second level, by its title: lines of text by number.

    Code, comments and what else is no text is left out; of several such headings the first counts.
    """
    found = lines(source)
    kinds, heads = blocks(found)
    parts = tuple(sections(heads, len(found)))

    def body(title: str) -> list[tuple[int, str]]:
        for place in bearing(parts, title)[:1]:
            _, _, start, end = parts[place]
            return [(at + 1, bare(found[at])) for at in range(start + 1, end) if kinds[at] == TEXT]
        return []

    return body
