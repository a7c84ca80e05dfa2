"""Repositories of a workspace: branch, HEAD, the owner's dirty paths; and which files there are."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from loopgraph.disk import git, read, walk
from loopgraph.model.errors import UnreadableError
from loopgraph.model.facts import DirtyPath, Repository

DIRTY_CAP: Final = 500
REPOSITORY_CAP: Final = 24
_OURS: Final = ".longgraph/"


class Seen(NamedTuple):
    """What the one walk over a workspace found."""

    repositories: tuple[Repository, ...]
    paths: tuple[str, ...]
    """Files of the workspace, sorted, ignored ones left out."""
    origin: str
    """The URL of `origin` of the root's own repository, else of the first below it."""


def see(root: Path, environ: Mapping[str, str] | None = None) -> Seen:
    """Look at the repository around the root, and at those below it."""
    own = git.look(root, environ)
    if own is not None:
        inner = _nested(own, "")
        files = _files(own, "")
    else:
        files, inner = walk.files(root)
    below = dict(_below(root, inner, environ))
    if own is None:
        for path in inner:
            files += _files(below[path], f"{path}/") if path in below else ()
    found = ([(".", own)] if own else []) + sorted(below.items())
    return Seen(
        tuple(_repository(root, path, looked) for path, looked in found),
        tuple(sorted(set(files)))[: walk.PATH_CAP],
        next((looked.origin for _, looked in found if looked.origin), ""),
    )


def _below(
    root: Path, inner: Sequence[str], environ: Mapping[str, str] | None
) -> Iterator[tuple[str, git.Look]]:
    """Look at these repositories, and at those that they hold."""
    waiting = list(inner)
    done = 0
    while waiting and done < REPOSITORY_CAP:
        path = waiting.pop(0)
        place = root / path
        if not _is_inside(root, path) or git.top(place) != place:
            continue  # a submodule that nobody has fetched, or a link that leads elsewhere
        looked = git.look(place, environ)
        if looked is None:
            continue
        done += 1
        waiting += _nested(looked, f"{path}/")
        yield path, looked


def _is_inside(root: Path, path: str) -> bool:
    try:
        return read.inside(root, path) == os.path.join(os.path.realpath(root), *path.split("/"))  # noqa: PTH118
    except UnreadableError:
        return False


def _nested(own: git.Look, prefix: str) -> list[str]:
    """Submodules and untracked repositories below a repository."""
    untracked = {change.path.rstrip("/") for change in own.changes if change.path.endswith("/")}
    return sorted(prefix + path for path in untracked | set(own.modules) if walk.is_text(path))


def _files(look: git.Look, prefix: str) -> list[str]:
    gone = {change.path for change in look.changes if change.status[1] == "D"}
    fresh = [
        change.path
        for change in look.changes
        if change.status == "??" and not change.path.endswith("/")
    ]
    paths = [path for path in look.tracked if path not in gone] + fresh
    return [prefix + path for path in paths[: walk.PATH_CAP] if walk.is_text(path)]


def _repository(root: Path, path: str, look: git.Look) -> Repository:
    changes = [change for change in look.changes if not change.path.startswith(_OURS)]
    digest = sha256()
    for change in changes:
        digest.update(f"{change.status} {change.path}\0".encode("utf-8", "surrogateescape"))
    dirty = []
    for change in changes[:DIRTY_CAP]:
        blob = git.blob(root / path / change.path, look.algorithm)
        digest.update(f"{blob}\0".encode())
        dirty.append(DirtyPath(_shown(change.path), change.status, blob))
    return Repository(
        path=path,
        branch=_shown(look.branch),
        head=look.head,
        dirty=tuple(dirty),
        dirty_count=len(changes),
        dirty_digest=digest.hexdigest(),
    )


def _shown(name: str) -> str:
    """A name as text: bytes that are no UTF-8 are shown as escapes."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")
