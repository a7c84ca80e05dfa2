"""Read what a run has kept, its archives in their order; what cannot be read hides no other."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from loopgraph.disk import floor
from loopgraph.disk.apply import numbered
from loopgraph.edges import archives
from loopgraph.edges.history import Texts
from loopgraph.model.errors import UnreadableError
from loopgraph.model.messages import _

LIVE = ("executor.md", "ledger.md", "directives.md", "ops.md", "findings.md")
"""Where entries with ids stand; the milestones are the executor's."""


def texts(
    run: Path, *, live: Iterable[str] = LIVE, archived: Iterable[str] = tuple(archives.HEADS)
) -> Texts:
    """The texts of live files and of archives; any bytes are a text."""
    if not run.is_dir():
        raise UnreadableError(_("no such run directory"), where=str(run))
    problems: list[str] = []
    kept: dict[str, str] = {}
    folder = run / "archive"
    if not folder.is_symlink():
        for archive in archived:
            for _number, place in numbered(folder, archive):
                _read(place, f"archive/{place.name}", kept, problems)
    found: dict[str, str] = {}
    for name in live:
        if (run / name).exists() or (run / name).is_symlink():
            _read(run / name, name, found, problems)
    return Texts(found, kept, tuple(problems))


def _read(place: Path, name: str, into: dict[str, str], problems: list[str]) -> None:
    try:
        into[name] = floor.read(str(place)).decode("utf-8", "replace")
    except UnreadableError as error:
        problems.append(f"{name}: {error.what}")
