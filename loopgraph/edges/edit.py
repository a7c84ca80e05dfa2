"""Edits of a Markdown file, span by span: what nobody asked about stays, byte for byte.

Every function takes a document and returns the document after the edit. Line numbers count
from 1, as everywhere in `edges`; new lines get the line end that the file uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from loopgraph.edges.document import Document, Section, Table, parse
from loopgraph.model.errors import UnreadableError
from loopgraph.model.messages import _
from loopgraph.plain import header, quoting, text

_BLANKS = " \t\u00a0\u3000"
_COLONS = (":", "：")


def line_end(document: Document) -> str:
    """The file's own line end: that of its first line."""
    first = document.lines[0] if document.lines else "\n"
    return "\r\n" if first.endswith("\r\n") else "\n"


def section(document: Document, file: str, title: str) -> Section:
    """A section that an edit needs; its absence, or a second one, is an error with the place."""
    found = document.titled(title)
    if not found:
        raise UnreadableError(
            _("no section “{title}”", title=title),
            where=file,
            fix=_("Put the heading back; see loopgraph check."),
        )
    if len(found) > 1:
        raise UnreadableError(
            _("a second section “{title}”", title=title),
            where=f"{file}:{found[1].start + 1}",
            fix=_("Put what both say under one heading."),
        )
    return found[0]


def splice(document: Document, first: int, last: int, lines: Iterable[str]) -> Document:
    """Replace lines `first` to `last` (both included; `last` < `first` inserts before `first`)."""
    end = line_end(document)
    before, after = (
        document.lines[: first - 1],
        document.lines[last if last >= first else first - 1 :],
    )
    new = [f"{line}{end}" for line in lines]
    if before and new and not before[-1].endswith(("\n", "\r")):
        before = (*before[:-1], before[-1] + end)
    return parse("".join((*before, *new, *after)))


def replace_line(document: Document, line: int, said: str) -> Document:
    """Replace what one line says; its own line end stays."""
    old = document.lines[line - 1]
    kept = old[len(text.bare(old)) :]
    lines = (*document.lines[: line - 1], said + kept, *document.lines[line:])
    return parse("".join(lines))


def remove_lines(document: Document, first: int, last: int) -> Document:
    """Take lines out."""
    return splice(document, first, last, ())


def taken(document: Document, first: int, last: int) -> str:
    """Lines word for word; the last one of a file gets a line end where it has none."""
    said = "".join(document.lines[first - 1 : last])
    return said if said.endswith(("\n", "\r")) else said + line_end(document)


def append(document: Document, part: Section, lines: Sequence[str]) -> Document:
    """Put lines at the end of a section, below its last line that is not blank.

    A section that holds nothing yet gets a blank line between heading and text, and a heading
    that follows keeps one before it.
    """
    last = part.start
    for index in range(part.start + 1, part.end):
        if document.lines[index].strip():
            last = index
    gap = [""] if last == part.start else []
    follows = last + 1 < len(document.lines) and document.lines[last + 1].strip()
    return splice(document, last + 2, last + 1, [*gap, *lines, *([""] if follows else [])])


# Fields ----------------------------------------------------------------------------------------


class _Segment(NamedTuple):
    """The part of a line that belongs to one field."""

    name: str
    start: int
    end: int


def set_field(
    document: Document, part: Section, names: tuple[str, ...], name: str, said: str
) -> Document:
    """Write the value of a field of a header, where several may share a line behind pipes.

    A field that is not there becomes a line of its own at the end of the section.
    """
    found = _place(document, part, names, name)
    if found is None:
        return append(document, part, [f"{name}: {said}"])
    line, segment = found
    old = text.bare(document.lines[line - 1])
    tail = " " if segment.end < len(old) else ""
    new = _lead(old[segment.start : segment.end]) + said + tail
    return replace_line(document, line, old[: segment.start] + new + old[segment.end :])


def _place(
    document: Document, part: Section, names: tuple[str, ...], name: str
) -> tuple[int, _Segment] | None:
    body = list(document.body(part))
    heads = {named[0] for _, said in body if (named := header.label(said, names))}
    behind = tuple(one for one in names if one not in heads)
    for line, said in body:
        for segment in _segments(said, names, behind):
            if segment.name == name:
                return line, segment
    return None


def _segments(line: str, names: tuple[str, ...], behind: tuple[str, ...]) -> list[_Segment]:
    """The fields of a line: one that begins it, and those behind its pipes."""
    found: list[_Segment] = []
    at = 0
    for place, piece in enumerate(quoting.pieces(line.replace("｜", "|"))):
        named = header.label(piece, behind if place else names)
        if named and named[0] not in {segment.name for segment in found}:
            if found:
                found[-1] = found[-1]._replace(end=at - 1)
            found.append(_Segment(named[0], at, len(line)))
        at += len(piece) + 1
    return found


def _lead(segment: str) -> str:
    """What stands before the value: name, colon, marks that close after the colon, one blank."""
    at = min(place for mark in _COLONS if (place := segment.find(mark)) >= 0) + 1
    rest = segment[at:]
    marks = rest[: len(rest) - len(rest.lstrip("*_"))]
    return f"{segment[:at]}{marks} "


def set_entry(
    document: Document, part: Section, names: tuple[str, ...], name: str, said: str
) -> Document:
    """Write the value of a field that has its own line, lines of text that go on below included.

    A field that is not there becomes a list item at the end of the section.
    """
    body = list(document.body(part))
    for at, (line, old) in enumerate(body):
        named = header.label(old, names)
        if not named or named[0] != name:
            continue
        last = line
        for below, more in body[at + 1 :]:
            if below != last + 1 or not more.strip(_BLANKS) or header.label(more, names):
                break
            last = below
        return splice(document, line, last, [_lead(old) + said])
    return append(document, part, [f"- {name}: {said}"])


# Tables ----------------------------------------------------------------------------------------


def row(cells: Iterable[str]) -> str:
    """A table row of the canonical form; owner text in a cell stays text."""
    return f"| {' | '.join(quoting.cell(cell) for cell in cells)} |"


def table(document: Document, file: str, part: Section, columns: Sequence[str]) -> Table:
    """A section's first table, which an edit needs with these columns."""
    tables = document.tables(part)
    wanted = [column.casefold() for column in columns]
    found = [column.strip("*_` ").casefold() for column in tables[0].columns] if tables else []
    if found[: len(wanted)] != wanted:
        line = tables[0].line if tables else part.start + 1
        raise UnreadableError(
            _(
                "no table with the columns {names} under “{title}”",
                names=", ".join(columns),
                title=part.title,
            ),
            where=f"{file}:{line}",
            fix=_("Put the table's header back; see loopgraph check."),
        )
    return tables[0]


def add_row(
    document: Document, file: str, part: Section, columns: Sequence[str], cells: Sequence[str]
) -> Document:
    """Put a row at the end of a section's first table."""
    found = table(document, file, part, columns)
    last = max([found.line + 1, *(entry.line for entry in found.rows)])
    more = [""] * (len(found.columns) - len(cells))
    return splice(document, last + 1, last, [row([*cells, *more])])


def set_cells(document: Document, file: str, line: int, cells: Mapping[int, str]) -> Document:
    """Write cells of a row by their place, from 0; the others stay as they are."""
    pieces = quoting.pieces(text.bare(document.lines[line - 1]))
    for place, said in cells.items():
        if place + 1 >= len(pieces):
            raise UnreadableError(
                _("the row has too few columns"), where=f"{file}:{line}", fix=_("Complete the row.")
            )
        pieces[place + 1] = f" {quoting.cell(said)} "
    if len(pieces) == max(cells) + 2:
        pieces.append("")
    return replace_line(document, line, "|".join(pieces))
