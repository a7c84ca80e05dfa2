"""Results of gates below evidence/, and which tree they were recorded on."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

from loopgraph.disk import floor, git
from loopgraph.disk.roots import FOLDER
from loopgraph.node import results as node
from loopgraph.node.results import Result

_SIZE: Final = 1024 * 1024
OUTSIDE: Final = "no git"
"""The tree of a workspace that no repository holds."""


def results(run: Path) -> tuple[Result, ...]:
    """Every result that can be read, the oldest first."""
    folder = run / "evidence" / node.FOLDER
    found: list[Result] = []
    for place in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        data = floor.peek(str(place), _SIZE)
        result = node.read(data.decode("utf-8", "replace")) if data is not None else None
        if result is not None:
            found.append(result)
    return tuple(sorted(found, key=lambda one: one.time))


def tree(root: Path) -> str:
    """What the workspace holds now: the commit, and a digest over what differs from it."""
    look = git.look(root)
    if look is None:
        return OUTSIDE
    ours = f"{FOLDER}/"
    digest = sha256()
    for change in look.changes:
        if not change.path.startswith(ours):
            blob = git.blob(root / change.path, look.algorithm)
            digest.update(
                f"{change.path}\0{change.status[-1:]}\0{blob}\0".encode("utf-8", "replace")
            )
    return f"{look.head or 'unborn'}+{digest.hexdigest()[:16]}"
