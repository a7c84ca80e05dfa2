"""Results of gates below evidence/, and which tree they were recorded on."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from loopgraph.disk import floor, git, last_results, stores, walk
from loopgraph.disk.roots import FOLDER
from loopgraph.node import results as node
from loopgraph.node.results import Result

_SIZE: Final = 1024 * 1024
_SHOWN: Final = 32
OUTSIDE: Final = "no git"
"""How the tree of a workspace begins that no repository holds."""


def results(run: Path) -> tuple[Result, ...]:
    """Every result that can be read, the oldest first."""
    folder = run / "evidence" / node.FOLDER
    found: list[Result] = []
    for place in sorted(folder.glob("*.json"), key=last_results.age) if folder.is_dir() else ():
        data = floor.peek(str(place), _SIZE)
        result = node.read(data.decode("utf-8", "replace")) if data is not None else None
        if result is not None:
            found.append(result)
    return tuple(sorted(found, key=lambda one: one.time))


def tree(root: Path) -> str:
    """What the workspace holds now, runs apart: a digest over each path and its content.

    The same content has the same digest, committed or not, so that a checkpoint makes no result
    stale. An ignored path does not count.
    """
    look, asked = git.look(root), git.ask(root)
    if look is None or asked is None:
        return f"{OUTSIDE} {_outside(root)}"
    told = asked.answer("ls-tree", "-r", "-z", "HEAD") if look.head else b""
    holds: dict[str, str] = {}
    for line in os.fsdecode(told or b"").split("\0"):
        head, _tab, path = line.partition("\t")
        if path:
            mode, _kind, blob = head.split(" ")
            holds[path] = f"{mode} {blob}"
    for change in look.changes:
        holds.pop(change.path, None)
        if now := _lies(root / change.path, look.algorithm):
            holds[change.path] = now
    for path in look.modules:  # of what is changed within, git says nothing out here
        if _is_own(root, path):
            holds[path] = f"160000 {tree(root / path)}"
    return _digest(holds)


def _outside(root: Path) -> str:
    """The same of a folder that no repository holds; each repository below it has its own."""
    listed, inner = walk.files(root)
    holds = {path: _lies(root / path, "sha1") for path in listed}
    holds.update((path, f"160000 {tree(root / path)}") for path in inner)
    return _digest(holds)


def _is_own(root: Path, path: str) -> bool:
    """Whether a repository lies there that somebody fetched, and no link leads to it."""
    place = root / path
    straight = os.path.normpath(os.path.join(os.path.realpath(root), path))  # noqa: PTH118
    return os.path.realpath(place) == straight and git.top(place) == place


def _digest(holds: Mapping[str, str]) -> str:
    digest = sha256()
    for path, held in sorted(holds.items()):
        if not path.startswith(f"{FOLDER}/"):
            digest.update(os.fsencode(f"{path}\0{held}\0"))
    return digest.hexdigest()[:_SHOWN]


def _lies(path: Path, algorithm: str) -> str:
    """Mode and content of a path as git would say them; empty where nothing is there."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return ""
    if stat.S_ISDIR(mode):  # a repository of its own
        return f"160000 {tree(path)}"
    kind = "120000" if stat.S_ISLNK(mode) else "100755" if mode & stat.S_IXUSR else "100644"
    return f"{kind} {git.blob(path, algorithm)}"


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


def folders(root: Path, words: Iterable[str]) -> frozenset[str]:
    """Which words are a folder of the workspace."""
    parts = (word.replace("\\", "/").strip("/") for word in words)
    return frozenset(part for part in parts if _is_there(root, part) and _is_folder(root / part))


def _is_folder(place: Path) -> bool:
    try:
        return place.is_dir()
    except (OSError, ValueError):
        return False


def tips(root: Path, repositories: Iterable[str], environ: Mapping[str, str]) -> str:
    """Branch and commit of each repository as they are now; empty where there is none."""
    found: list[str] = []
    for path in dict.fromkeys((".", *repositories)):
        store = stores.to_read(root, path, environ)
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
