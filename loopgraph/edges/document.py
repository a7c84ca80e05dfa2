"""A Markdown file as lines that join back to the same bytes, and what stands in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from loopgraph.plain import quoting, text


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


class Document(NamedTuple):
    """Lines, their kinds, and the sections found in them."""

    lines: tuple[str, ...]
    kinds: tuple[int, ...]
    """Of each line: text.TEXT, text.CODE or text.COMMENT."""
    sections: tuple[Section, ...]

    def text(self) -> str:
        """The file, every byte as it was."""
        return "".join(self.lines)

    def section(self, title: str, *, level: int = 2) -> Section | None:
        """The first section with that title; a suffix after it (` — last 5 only`) is passed over."""
        wanted = title.casefold()
        for section in self.sections:
            found = section.title.casefold()
            if section.level == level and (
                found == wanted or found.startswith((f"{wanted} ", f"{wanted} ", f"{wanted}("))
            ):
                return section
        return None

    def body(self, section: Section) -> Iterator[tuple[int, str]]:
        """Its text lines with their numbers (from 1): no code, no comment, no line end."""
        for index in range(section.start + 1, section.end):
            if self.kinds[index] == text.TEXT:
                yield index + 1, text.bare(self.lines[index])

    def table(self, section: Section) -> tuple[Row, ...]:
        """The data rows of the section's tables: header and delimiter rows are passed over."""
        rows: list[Row] = []
        header = True
        for number, line in self.body(section):
            cells = quoting.cells(line)
            if not cells:
                header = True
            elif all(cell and not cell.strip(":-") for cell in cells):
                header = False
            elif not header:
                rows.append(Row(number, tuple(quoting.uncell(cell) for cell in cells)))
        return tuple(rows)


def parse(source: str) -> Document:
    """Read any text; nothing is refused."""
    lines = text.lines(source)
    kinds = text.kinds(lines)
    heads: list[tuple[int, str, int]] = []
    for index, line in enumerate(lines):
        first = line.removeprefix(text.BOM) if index == 0 else line
        if kinds[index] == text.TEXT and (found := text.heading(first)):
            heads.append((*found, index))
    sections = []
    for place, (level, title, start) in enumerate(heads):
        end = next((s for lv, _, s in heads[place + 1 :] if lv <= level), len(lines))
        sections.append(Section(title, level, start, end))
    return Document(tuple(lines), tuple(kinds), tuple(sections))
