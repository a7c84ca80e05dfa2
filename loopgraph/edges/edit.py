"""Edits of a Markdown file, span by span: what nobody asked about stays, byte for byte.

Every function takes a document and returns the document after the edit. Line numbers count
from 1, as everywhere in `edges`; new lines get the line end that the file uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from loopgraph.edges.document import Document, Section, parse
from loopgraph.model.errors import UnreadableError
from loopgraph.plain import quoting


def line_end(document: Document) -> str:
    """The file's own line end: that of its first line."""
    first = document.lines[0] if document.lines else "\n"
    return "\r\n" if first.endswith("\r\n") else "\n"


def section(document: Document, file: str, title: str) -> Section:
    """A section that an edit needs; its absence is an error that names the file."""
    found = document.section(title)
    if found is None:
        raise UnreadableError(
            f"no section “{title}”", where=file, fix="Put the heading back; see loopgraph check."
        )
    return found


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


def replace_line(document: Document, line: int, text: str) -> Document:
    """Replace what one line says; its own line end stays."""
    old = document.lines[line - 1]
    kept = old[len(old.rstrip("\r\n")) :]
    lines = (*document.lines[: line - 1], text + kept, *document.lines[line:])
    return parse("".join(lines))


def remove_lines(document: Document, first: int, last: int) -> Document:
    """Take lines out."""
    return splice(document, first, last, ())


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


def row(cells: Iterable[str]) -> str:
    """A table row of the canonical form; owner text in a cell stays text."""
    return f"| {' | '.join(quoting.cell(cell) for cell in cells)} |"


def add_row(document: Document, file: str, part: Section, cells: Sequence[str]) -> Document:
    """Put a row at the end of a section's first table."""
    tables = document.tables(part)
    if not tables or len(tables[0].columns) != len(cells):
        raise UnreadableError(
            f"no table with {len(cells)} columns under “{part.title}”",
            where=f"{file}:{part.start + 1}",
            fix="Put the table's header back; see loopgraph check.",
        )
    table = tables[0]
    last = table.rows[-1].line if table.rows else table.line + 1
    return splice(document, last + 1, last, [row(cells)])
