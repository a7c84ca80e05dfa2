"""A Markdown file as lines that join back to the same bytes, and what stands in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from loopgraph.plain import quoting, tables, text


class Section(NamedTuple):
    """A heading and the lines below it, subsections included."""

    title: str
    level: int
    start: int
    """Index of the heading's line."""
    end: int
    """One past the last line before the next heading of the same or a higher level."""


class Row(NamedTuple):
    """One row of a table."""

    line: int
    """From 1."""
    cells: tuple[str, ...]
    """Owner text: pipes and escapes resolved."""


class Table(NamedTuple):
    """A table: its header and the rows below it."""

    line: int
    """Of its header, from 1; of its first row where it has none."""
    columns: tuple[str, ...]
    """The header's cells; empty where the rows have none above them."""
    rows: tuple[Row, ...]


class Document(NamedTuple):
    """Lines, their kinds, and the sections found in them."""

    lines: tuple[str, ...]
    kinds: tuple[int, ...]
    """Of each line: text.TEXT, text.CODE or text.COMMENT."""
    sections: tuple[Section, ...]

    def text(self) -> str:
        """The file, every byte as it was."""
        return "".join(self.lines)

    def titled(self, title: str, *, level: int = 2) -> tuple[Section, ...]:
        """Every section that bears this title, with or without a suffix, in the file's order.

        A heading that only begins with the same words counts where no other bears the title.
        """
        return tuple(self.sections[place] for place in text.bearing(self.sections, title, level))

    def section(self, title: str, *, level: int = 2) -> Section | None:
        """The first section that bears the title; a suffix (` — last 5 only`) is passed over."""
        return next(iter(self.titled(title, level=level)), None)

    def whole(self) -> Section:
        """All of it as one section, for files that have none: the archives."""
        return Section("", 0, -1, len(self.lines))

    def body(self, section: Section) -> Iterator[tuple[int, str]]:
        """Its text lines with their numbers (from 1): no code, no comment, no line end."""
        for index in range(section.start + 1, section.end):
            if self.kinds[index] == text.TEXT:
                yield index + 1, text.bare(self.lines[index])

    def tables(self, section: Section) -> tuple[Table, ...]:
        """The section's tables."""
        return tuple(
            Table(line, _resolved(header), tuple(Row(at, _resolved(cells)) for at, cells in rows))
            for line, header, rows in tables.tables(list(self.body(section)))
        )

    def table(self, section: Section) -> tuple[Row, ...]:
        """The data rows of the section's tables: header and delimiter rows are passed over."""
        return tuple(row for table in self.tables(section) for row in table.rows)


def _resolved(cells: list[str]) -> tuple[str, ...]:
    return tuple(quoting.uncell(cell) for cell in cells)


@lru_cache(maxsize=16)
def parse(source: str) -> Document:
    """Read any text; nothing is refused. The last few are kept: an edit reads what it wrote."""
    lines = text.lines(source)
    kinds, heads = text.blocks(lines)
    found = text.sections(heads, len(lines))
    return Document(tuple(lines), tuple(kinds), tuple(Section(*section) for section in found))
