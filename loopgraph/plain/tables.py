"""The tables of a piece of Markdown: rows as raw cells, each with its line."""

from __future__ import annotations

from loopgraph.plain import quoting


def _delimits(cells: list[str]) -> bool:
    """Whether these are the cells of the line between a table's header and its rows."""
    return all("-" in cell and not cell.strip(":-") for cell in cells)


def tables(
    body: list[tuple[int, str]],
) -> list[tuple[int, list[str], list[tuple[int, list[str]]]]]:
    """Each table: the line it begins at, the cells of its header, and its rows with their lines.

    More lenient than Markdown, so that no row a person wrote is lost: rows that a blank line
    parts from their table still belong to it, rows that no header precedes have an empty one,
    and the line below the header may be of any width.
    """
    found: list[tuple[int, list[str], list[tuple[int, list[str]]]]] = []
    header: list[str] = []
    headed = False
    above = -1
    for place, (number, line) in enumerate(body):
        cells = _row(line)
        if not cells:
            continue
        headed, above = headed and above == number - 1, number
        if header:
            found.append((number - 1, header, []))
            header, headed = [], True
        elif not headed and _delimiter_follows(body, place):
            header = cells
        else:
            if not found:
                found.append((number, [], []))
            found[-1][2].append((number, cells))
    return found


def _delimiter_follows(body: list[tuple[int, str]], place: int) -> bool:
    if place + 1 == len(body) or body[place + 1][0] != body[place][0] + 1:
        return False
    marks = _row(body[place + 1][1])
    return bool(marks) and _delimits(marks)


def _row(line: str) -> list[str]:
    """The cells of a line; none where it is indented so far that it is code or an item's text."""
    return [] if line.startswith(("    ", "\t")) else quoting.cells(line)


def columns(header: list[str], names: tuple[tuple[str, ...], ...]) -> list[int] | None:
    """The place of each column, given the words that its title may begin with; -1 for absent.

    None where the header names none of them, so that a reader may go by position.
    """
    titles = [quoting.uncell(cell).strip("*_` ").casefold() for cell in header]
    found = [
        next((at for at, title in enumerate(titles) if title.startswith(words)), -1)
        for words in names
    ]
    return found if any(at >= 0 for at in found) else None
