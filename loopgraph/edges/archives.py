"""The archive: where settled entries go word for word, and how its files are named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

HEADS: Final[Mapping[str, tuple[str, ...]]] = {
    "rounds": (),
    "directives": (),
    "standing": (),
    "gaps": ("ID", "Priority", "Milestone", "Write set", "Verify", "One line"),
    "decisions": ("ID", "Decision", "Recommended", "Others", "Why now"),
    "gates": ("Gate", "Status", "Evidence / next action"),
}
"""Every archive, and the columns of those that hold table rows."""


def file_name(archive: str, number: int) -> str:
    """The name of an archive's file: `rounds.md`, then `rounds-2.md` and so on."""
    return f"{archive}.md" if number == 1 else f"{archive}-{number}.md"


def number(archive: str, name: str) -> int:
    """Which file of an archive this name is, from 1; 0 for a stranger."""
    if name == f"{archive}.md":
        return 1
    middle = name.removeprefix(f"{archive}-").removesuffix(".md")
    legal = middle.isascii() and middle.isdigit() and middle[0] != "0" and int(middle) > 1
    return int(middle) if legal and name == f"{archive}-{middle}.md" else 0


def head(archive: str, project: str) -> str:
    """How a new file of an archive begins."""
    columns = HEADS.get(archive, ())
    table = ""
    if columns:
        table = f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n"
    return f"# {' '.join(project.split())}: archived {archive}\n\n{table}"


def holds(text: str, id_: str) -> bool:
    """Whether an entry with this id begins a line of the text."""
    starts = (f"- {id_} ", f"| {id_} ", f"{id_} ", f"### Round {id_.removeprefix('R')} ")
    return any(line.startswith(starts) for line in text.splitlines())
