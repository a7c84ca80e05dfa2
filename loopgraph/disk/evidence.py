"""Results of gates below evidence/, and which tree they were recorded on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from loopgraph.disk import floor, git, trees
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


_GLOB: Final = "*?["


def there(root: Path, words: Iterable[str]) -> frozenset[str]:
    """Which words are a path of the workspace, or a glob that one of its paths matches."""
    return frozenset(word for word in words if _is_there(root, word))


def _is_there(root: Path, word: str) -> bool:
    path = word.replace("\\", "/").strip("/")
    if not path or word.startswith("/") or ".." in path.split("/"):
        return False
    try:
        if os.path.lexists(root / path):
            return True
        return any(mark in path for mark in _GLOB) and any(True for _ in root.glob(path))
    except (OSError, ValueError, NotImplementedError):
        return False


def tips(root: Path, repositories: Iterable[str], environ: Mapping[str, str]) -> str:
    """Branch and commit of each repository as they are now; empty where there is none."""
    found: list[str] = []
    for path in dict.fromkeys((".", *repositories)):
        store = trees.store(root, path, environ)
        if store is None:
            continue
        head = store.answer("rev-parse", "--verify", "--quiet", "--short=12", "HEAD^{commit}")
        branch = store.answer("symbolic-ref", "--quiet", "--short", "HEAD")
        said = " ".join(
            (
                (branch or b"").decode("utf-8", "replace").strip() or "detached",
                (head or b"").decode().strip() or "unborn",
            )
        )
        found.append(said if path == "." else f"{path}: {said}")
    return ", ".join(found)
