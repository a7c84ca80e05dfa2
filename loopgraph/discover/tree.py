"""Tree: the paths of a workspace and their texts, the only thing a fact is made from."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, eq=False)
class Tree:
    """What facts are read from; a test makes one from a dict."""

    paths: tuple[str, ...]
    """Files relative to the root, forward slashes, sorted."""
    read: Callable[[str], str | None]
    """The text of a path; None where it is absent, too large or not text."""

    @cached_property
    def folders(self) -> Mapping[str, tuple[str, ...]]:
        """Folder to the paths of the files that lie in it; `.` is the root."""
        found: dict[str, list[str]] = {}
        for path in self.paths:
            found.setdefault(path.rpartition("/")[0] or ".", []).append(path)
        return {folder: tuple(paths) for folder, paths in found.items()}

    def has(self, path: str) -> bool:
        """Whether this file is there."""
        at = bisect_left(self.paths, path)
        return at < len(self.paths) and self.paths[at] == path

    def files(self, folder: str = ".") -> tuple[str, ...]:
        """The paths of the files that lie in a folder itself."""
        return self.folders.get(folder, ())

    def below(self, folder: str) -> Iterator[str]:
        """The files below a folder, at any depth."""
        if folder in {"", "."}:
            yield from self.paths
            return
        start = folder.rstrip("/") + "/"
        for at in range(bisect_left(self.paths, start), len(self.paths)):
            if not self.paths[at].startswith(start):
                return
            yield self.paths[at]

    def holds(self, folder: str) -> bool:
        """Whether any file is below this folder."""
        return next(self.below(folder), None) is not None

    def shallow(self, depth: int) -> Iterator[str]:
        """The files at most so many folders deep."""
        for folder, paths in self.folders.items():
            if folder == "." or folder.count("/") < depth:
                yield from paths

    def text(self, path: str) -> str:
        """The text of a path, empty where it cannot be read."""
        return (self.read(path) if self.has(path) else None) or ""


def from_texts(texts: Mapping[str, str]) -> Tree:
    """A tree that lies in memory."""
    return Tree(tuple(sorted(texts)), texts.get)


def join(folder: str, name: str) -> str:
    """A path below a folder; `.` and the empty text are the root."""
    return name if folder in {"", "."} else f"{folder}/{name}"


def parent(path: str) -> str:
    """The folder of a path; `.` for a file in the root."""
    return path.rpartition("/")[0] or "."


def base(path: str) -> str:
    """The last word of a path."""
    return path.rpartition("/")[2]
