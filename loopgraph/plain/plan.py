"""The checklist of a plan: which lines are rows, which are open, and what comes next.

A plan is structured when it has a heading `## TODOs` or `## Final Verification Wave`: then rows
count below those only, `- [ ] 1. …` in the first and `- [ ] F1. …` in the second. Where no row of
the plan bears such a label, rows without one count there too. Any other plan is a plain list.
"""

from __future__ import annotations

OPEN, DONE, OTHER = "open", "done", "other"
"""States of a row; a mark that is neither blank nor x is OTHER: somebody's decision is missing."""

LIMIT = 4 * 1024 * 1024
"""No plan is larger; of a larger one nothing is read."""

_TODO, _WAVE, _ELSEWHERE = "todo", "wave", ""
_TITLES = {"todos": _TODO, "final verification wave": _WAVE}
_ASIDE = ("acceptance criteria", "evidence", "definition of done", "notes", "qa", "references")
"""Rows below a `###` heading of this name tell about a row; they are none."""
_DIGITS = "0123456789"
_RUN = 3
"""Backticks or tildes that make a fence."""
_CODE = 4
"""An indentation of so many columns makes a line code, outside of lists."""


class Row:
    """A line of a checklist that counts."""

    __slots__ = ("label", "line", "state")

    def __init__(self, line: int, state: str, label: str) -> None:
        self.line, self.state, self.label = line, state, label


class Checklist:
    """What a plan says about its progress."""

    __slots__ = (
        "completed",
        "next",
        "others",
        "remaining",
        "rows",
        "structured",
        "total",
        "unclosed",
    )

    def __init__(self, rows: list[Row], *, structured: bool, unclosed: list[int]) -> None:
        states = [row.state for row in rows]
        self.rows = rows
        self.structured = structured
        self.unclosed = unclosed
        """Lines of fences and comments that nothing closes."""
        self.completed = states.count(DONE)
        self.remaining = states.count(OPEN)
        self.others = states.count(OTHER)
        self.total = self.completed + self.remaining
        self.next = rows[states.index(OPEN)].label if self.remaining else None
        """The first open row, without its box."""


def read(data: bytes | str) -> Checklist:
    """Read a whole plan; any bytes are one, if only of no rows."""
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    seen, structured, unclosed = _visible(text.removeprefix("\ufeff").split("\n"))
    if not structured:
        plain = [(at, _plain_row(line)) for at, line, _ in seen]
        found = [(at, row) for at, row in plain if row]
    else:
        boxed = [
            (at, row, section) for at, line, section in seen if section and (row := _box(line))
        ]
        found = [(at, row) for at, row, section in boxed if _label(row[1]) == section]
        if not found:
            found = [(at, row) for at, row, _ in boxed if not _label(row[1])]
    rows = [Row(at, state, label) for at, (state, label) in found]
    return Checklist(rows, structured=structured, unclosed=unclosed)


def _visible(  # noqa: C901  one pass, since a plan may have thousands of lines
    lines: list[str],
) -> tuple[list[tuple[int, str, str]], bool, list[int]]:
    """Lines that begin with a list mark, outside of code, comments and asides.

    Each with its number and section; then whether the plan is structured; then the lines of
    fences and comments that nothing closes.
    """
    seen: list[tuple[int, str, str]] = []
    unclosed: list[int] = []
    hopeless: dict[str, int] = {}
    section, aside, listed, structured = _ELSEWHERE, False, False, False
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line[:3] == "- [":  # most lines of a plan, quickly
            listed = True
            if not aside:
                seen.append((at, line.removesuffix("\r"), section))
            continue
        kept = line.strip(" \t\r")
        if not kept:
            continue
        if line[0] == "#":
            listed = False
            if line[:3] == "###":
                aside = _aside(line, aside=aside)
            elif line.lstrip("#")[:1] in ("", " ", "\t", "\r"):
                section, aside = _section(line), False
                structured = structured or bool(section)
            continue
        indent = len(line) - len(line.lstrip(" \t"))
        if indent < _CODE or listed:
            inner = _after_marker(kept)
            listed = inner != kept or (listed and indent > 0)
            end = _hidden(lines, at, inner, deep=listed, hopeless=hopeless)
            if end < 0:
                unclosed.append(at)
            at = abs(end)
        if line[0] in "-*" and not aside:
            seen.append((at, line.removesuffix("\r"), section))
    return seen, structured, unclosed


def _aside(line: str, *, aside: bool) -> bool:
    """Whether rows below this heading tell about a row; deeper headings change nothing."""
    if line[3:4] not in (" ", "\t"):
        return aside
    return line[3:].strip("# \t\r").rstrip(":：").casefold() in _ASIDE


def _section(line: str) -> str:
    """The structured section that a heading opens, or none."""
    if line[:2] != "##" or line[2:3] not in (" ", "\t"):
        return _ELSEWHERE
    title = line[2:].removesuffix("\r").strip(" \t").rstrip("#").rstrip(" \t")
    return _TITLES.get(title.lower(), _ELSEWHERE) if title.isascii() else _ELSEWHERE


def _after_marker(kept: str) -> str:
    """A line without the list marks that it begins with."""
    while kept:
        rest = kept.lstrip(_DIGITS)
        marked = kept[0] in "-*+" if rest == kept else rest[:1] in (".", ")")
        if not marked or rest[1:2] not in (" ", "\t"):
            return kept
        kept = rest[1:].lstrip(" \t")
    return kept


def _opens(kept: str) -> str:
    """The run of marks that opens a fence, or an empty string."""
    mark = kept[:1]
    if mark not in ("`", "~") or not kept.startswith(mark * _RUN):
        return ""
    rest = kept.lstrip(mark)
    return "" if mark == "`" and "`" in rest else kept[: len(kept) - len(rest)]


def _hidden(lines: list[str], at: int, said: str, *, deep: bool, hopeless: dict[str, int]) -> int:
    """Where the reading goes on behind a line that may open a fence or a comment.

    Negative where nothing closes it: then it ends at the next structured heading.
    """
    mark = _opens(said)
    if not mark and said.startswith("<!--") and "-->" not in said:
        mark = "-->"
    if not mark:
        return at
    end = _end(lines, at, mark, deep=deep, hopeless=hopeless)
    return end if end is not None else -_next_structured(lines, at)


def _end(
    lines: list[str], at: int, mark: str, *, deep: bool, hopeless: dict[str, int]
) -> int | None:
    """The index behind the line that closes a fence or a comment, None where none does.

    What was sought in vain once is not sought again, so that the cost stays linear.
    """
    kind, size = mark[0], len(mark)
    if size >= hopeless.get(kind, size + 1):
        return None
    for index in range(at, len(lines)):
        line = lines[index]
        if mark not in line:
            continue
        kept = line.strip(" \t\r")
        shallow = deep or len(line) - len(line.lstrip(" \t")) < _CODE
        if kind == "-" or (shallow and not kept.strip(kind)):
            return index + 1
    hopeless[kind] = size
    return None


def _next_structured(lines: list[str], at: int) -> int:
    for index in range(at, len(lines)):
        if lines[index][:2] == "##" and _section(lines[index]):
            return index
    return len(lines)


def _box(line: str) -> tuple[str, str] | None:
    """State and label of a row of a structured plan: column 0, one blank in each place."""
    if line[:3] != "- [" or line[4:6] != "] " or len(line) < len("- [ ] a"):
        return None
    return _state(line[3]), line[6:]


def _state(mark: str) -> str:
    if mark == " ":
        return OPEN
    return DONE if mark in "xX" else OTHER


def _label(label: str) -> str:
    """The section whose label a row bears: `1. …`, `F1. …`; empty for neither."""
    section = _WAVE if label[:1] in ("F", "f") else _TODO
    said = label[1:] if section == _WAVE else label
    rest = said.lstrip(_DIGITS)
    number = said[: len(said) - len(rest)]
    if not number or number[0] == "0" or rest[:2] != ". " or len(rest) < len(". a"):
        return ""
    return section


def _plain_row(line: str) -> tuple[str, str] | None:
    """State and label of a row of a plain list: any blanks, a hyphen or an asterisk."""
    rest = line[1:].lstrip(" \t")
    if line[:1] not in ("-", "*") or rest[:1] != "[":
        return None
    mark, bracket, label = rest[1:].partition("]")
    mark = mark.strip(" \t")
    if not bracket or len(mark) > 1 or label[:1] not in (" ", "\t") or len(label) < len(" a"):
        return None
    return _state(mark or " "), label.lstrip(" \t") or label[1:]
