"""Tree: the paths of a workspace and their texts, the only thing a fact is made from."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple


class Tree(NamedTuple):
    """What facts are read from; a test makes one from a dict."""

    paths: tuple[str, ...]
    """Files relative to the root, forward slashes, sorted."""
    read: Callable[[str], str | None]
    """The text of a path; None where it is absent, too large or not text."""

    def has(self, path: str) -> bool:
        """Whether this file is there."""
        at = bisect_left(self.paths, path)
        return at < len(self.paths) and self.paths[at] == path

    def below(self, folder: str) -> Iterator[str]:
        """The files below a folder; `.` is the root."""
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

    def top(self) -> list[str]:
        """The files that lie in the root itself."""
        return [path for path in self.paths if "/" not in path]

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
