"""Places: where in a run's files a pattern stands, by file, line and column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from loopgraph.edges.document import Document
from loopgraph.edges.run import Run
from loopgraph.plain import text

_A_LINE: Final = 20
_A_FILE: Final = 1000
"""How many matches of one line and of one file are told: nobody mends more one by one."""


class Place(NamedTuple):
    """One match in one line."""

    file: str
    line: int
    """From 1."""
    column: int
    """From 1."""
    mark: str
    """The characters that were looked for."""
    text: str
    """The whole line, without its end."""
    kind: int
    """text.TEXT, text.CODE or text.COMMENT."""


def search(
    run: Run, names: Iterable[str], form: str, *, hints: tuple[str, ...] = ("",)
) -> Iterator[Place]:
    """The different matches of a regular expression in each line of the named files.

    Each match holds one of the hints, so that a file without any costs next to nothing: the
    expression is not even compiled for it.
    """
    for name in names:
        source = run.files.get(name, "")
        if not any(hint in source for hint in hints):
            continue
        pattern = re.compile(form, re.MULTILINE)
        document = run.document(name) if pattern.search(source) else None
        if document is not None:
            yield from islice(_in_file(name, document, pattern, hints), _A_FILE)


def _in_file(
    name: str, document: Document, pattern: re.Pattern[str], hints: tuple[str, ...]
) -> Iterator[Place]:
    for index, line in enumerate(document.lines):
        if not any(hint in line for hint in hints):
            continue
        marks: set[str] = set()
        for found in islice(pattern.finditer(line), _A_LINE):
            mark, column = found.group(), found.start() + 1
            if mark not in marks:
                marks.add(mark)
                kind = document.kinds[index]
                yield Place(name, index + 1, column, mark, text.bare(line), kind)


def code_spans(line: str) -> list[tuple[int, str]]:
    """The code spans of one line, each with the column (from 0) where its text starts."""
    runs = [(found.start(), found.end()) for found in re.finditer("`+", line)]
    last = {end - start: index for index, (start, end) in enumerate(runs)}
    spans: list[tuple[int, str]] = []
    index = 0
    while index < len(runs):
        start, end = runs[index]
        index += 1
        if last[end - start] < index:
            continue  # nothing of this length follows, so it opens no span
        while runs[index][1] - runs[index][0] != end - start:
            index += 1
        spans.append((end, line[end : runs[index][0]]))
        index += 1
    return spans


def outside_code(line: str) -> str:
    """A line with its code spans blanked, columns kept."""
    parts: list[str] = []
    at = 0
    for start, span in code_spans(line):
        parts += (line[at:start], " " * len(span))
        at = start + len(span)
    return "".join((*parts, line[at:]))
