"""Bring a file of an older contract to the canonical form: what every kind of file needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from loopgraph.edges import blocks, edit
from loopgraph.edges.change import Move
from loopgraph.edges.contract_id import contract_id
from loopgraph.edges.document import Document, Section, Table, parse
from loopgraph.model import contract
from loopgraph.model.errors import UnreadableError
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import header, quoting, tables, text

UNKNOWN: Final = "unknown"
"""What a field says that nobody can tell any more; every reader takes it for unknown."""

RULE: Final = "adopt"
"""The name under which adopt tells what it could not know."""

Mend = Callable[[int, list[str | None]], list[str]]
"""From a row's line and its raw cells by canonical column (None: no such column) to raw cells."""


class Adopted(NamedTuple):
    """A file in the canonical form."""

    text: str
    moves: tuple[Move, ...] = ()
    """What went to the archive word for word."""
    told: tuple[Finding, ...] = ()
    """What could not be known, and what stands there now."""


def begun(source: str, artifact: str) -> Document:
    """The file with our contract id as its first line; a mark of byte order stays before it."""
    mark = text.BOM if source.startswith(text.BOM) else ""
    document = parse(source.removeprefix(text.BOM))
    line = contract.contract_line(artifact)
    if contract_id(source) is None:
        document = edit.splice(document, 1, 0, [line, ""])
    elif text.bare(document.lines[0]) != line:
        document = edit.replace_line(document, 1, line)
    return parse(mark + document.text()) if mark else document


def completed(
    document: Document, file: str, titles: Sequence[str], bodies: Mapping[str, Sequence[str]]
) -> Document:
    """The file with each of these sections, those that were missing in their canonical place.

    A block that is never closed would swallow them, and whatever else is put in: that is refused.
    """
    if block := blocks.unclosed(document):
        raise UnreadableError(
            _("a code block or a comment is never closed"),
            where=f"{file}:{block.line}",
            fix=_("Close it; see: loopgraph check"),
        )
    for at, title in enumerate(titles):
        if document.section(title) is not None:
            continue
        later = (document.section(other) for other in titles[at + 1 :])
        after = next((found for found in later if found), None)
        body = bodies.get(title, ())
        lines = [f"## {title}", "", *body, *([""] if body else [])]
        if after:
            document = edit.splice(document, after.start + 1, after.start, lines)
        else:
            blank = [""] if document.lines and document.lines[-1].strip() else []
            end = len(document.lines) + 1
            document = edit.splice(document, end, end - 1, [*blank, *lines[: -1 if body else None]])
    return document


def add(document: Document, part: Section, lines: Sequence[str]) -> Document:
    """Put lines at the end of a section, above the rule that parts it from the next one."""
    last = part.start
    for index in range(part.start + 1, part.end):
        if document.lines[index].strip(" \t\r\n-*_"):
            last = index
    table = document.lines[last].lstrip().startswith("|")
    gap = [""] if last == part.start or table or lines[0].startswith("|") else []
    follows = last + 1 < len(document.lines) and document.lines[last + 1].strip()
    return edit.splice(document, last + 2, last + 1, [*gap, *lines, *([""] if follows else [])])


def head(columns: Sequence[str]) -> list[str]:
    """The two lines above the rows of a table."""
    return [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]


def tabled(
    document: Document,
    title: str,
    columns: Sequence[str],
    words: tuple[tuple[str, ...], ...],
    mend: Mend,
) -> Document:
    """The section with a table of these columns first; a column of somebody's own follows them.

    A row that is as it should be stays byte for byte, and so does one that says none.
    """
    part = document.section(title)
    if part is None:
        return document
    found = document.tables(part)
    if not found:
        return add(document, part, head(columns))
    for table in reversed(found):
        document = _rows(document, table, columns, words, mend)
    return document


def _rows(
    document: Document,
    table: Table,
    columns: Sequence[str],
    words: tuple[tuple[str, ...], ...],
    mend: Mend,
) -> Document:
    named = list(table.columns)
    wide = len(named) or max((len(row.cells) for row in table.rows), default=0)
    places = tables.columns(named, words) if named else None
    rows = [row for row in table.rows if not _is_head(document, row.line, words)]
    if not (named or rows):
        return document
    places = places or header.by_position(len(columns), wide)
    others = [at for at in range(wide) if at not in places]
    for row in rows:
        cells = quoting.cells(text.bare(document.lines[row.line - 1]))
        if all(header.is_none(cell) for cell in cells):
            continue
        by_column = [cells[at] if 0 <= at < len(cells) else None for at in places]
        rest = [cells[at] if at < len(cells) else "" for at in others] + cells[wide:]
        said = [*mend(row.line, by_column), *rest]
        if said != cells:
            document = edit.replace_line(document, row.line, f"| {' | '.join(said)} |")
    titles = [*columns, *(quoting.cell(named[at]) for at in others if at < len(named))]
    if not named:
        return edit.splice(document, table.line, table.line - 1, head(titles))
    if [quoting.cell(name) for name in named] != titles:
        document = edit.splice(document, table.line, table.line + 1, head(titles))
    return document


def _is_head(document: Document, line: int, words: tuple[tuple[str, ...], ...]) -> bool:
    """Whether a row is a header said twice, or the line below one: it holds nothing to mend."""
    cells = quoting.cells(text.bare(document.lines[line - 1]))
    titled = -1 not in (tables.columns(cells, words) or [-1])
    return titled or not any(cell.strip(" :-") for cell in cells)


def cards(document: Document, file: str, told: list[Finding], highest: int) -> Document:
    """The decision cards of a file, each with an id and something under every column."""
    free = [highest]

    def mend(line: int, cells: list[str | None]) -> list[str]:
        said = [cell or UNKNOWN for cell in cells]
        ids = [number for kind, number, _written in header.ids(said[0]) if kind == "OB"]
        if not ids:
            free[0] += 1
            said[0] = f"OB-{free[0]:03}"
        if not all(cells):
            told.append(
                Finding(
                    RULE, file, line, _("the card left something out"), _(_FILL, unknown=UNKNOWN)
                )
            )
        return said

    return tabled(document, "owner-blocked", header.CARD_COLUMNS, _CARDS, mend)


_CARDS: Final = (("id",), ("decision",), ("recommend",), ("other",), ("why",))
_FILL: Final = N_("Put in what is known where it says {unknown}.")


def spoken(document: Document) -> str:
    """The file without code and comments: an id in an example is nobody's."""
    rows = zip(document.lines, document.kinds, strict=True)
    return "".join(line for line, kind in rows if kind == text.TEXT)


def numbers(said: str, letters: str) -> int:
    """The highest number of a kind of id anywhere in a text; 0 for none."""
    return max(
        (number for kind, number, _written in header.ids(said) if kind == letters), default=0
    )


def shown(letters: str, number: int) -> str:
    """How Highest ids says a number."""
    return f"{letters}-{number:03}" if number else f"{letters} none"
