"""The states that a run was in, one after the other, as a history of commits and snapshots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from loopgraph.edges import archives
from loopgraph.model import contract

Kind = Literal["commit", "snapshot", "tree"]

RECORD: Final = "run.yaml"
ACTS: Final = "evidence/acts.jsonl"
_ROLLED: Final = "evidence/acts-"

Source = Callable[[str], str | None]
"""The text of a blob by its id; None where it is absent, too large, or cannot be read."""


class Step(NamedTuple):
    """The run's files at one moment."""

    label: str
    """The id of a commit, the name of a snapshot, or `working tree`."""
    kind: Kind
    time: str
    """RFC 3339; empty where nobody knows it."""
    parents: tuple[int, ...]
    """Places of the states that it follows; those of a merge are several."""
    files: Mapping[str, str]
    """Blob id by path inside the run directory; only what an audit reads."""
    commit: str = ""
    """The commit that has it first; empty where none has it yet."""


class History(NamedTuple):
    """Every state, each behind its parents, and what the owner should know about their source."""

    steps: Sequence[Step]
    notes: tuple[str, ...] = ()


def is_read(path: str) -> bool:
    """Whether an audit reads this file of a run."""
    if "/" not in path:
        return path in contract.ARTIFACTS or path == RECORD
    return is_acts(path) or is_archive(path)


def is_archive(path: str) -> bool:
    """Whether this is a file of one of the archives."""
    folder, _, name = path.partition("/")
    return folder == "archive" and any(archives.number(one, name) for one in archives.HEADS)


def is_acts(path: str) -> bool:
    """Whether this is the log of acts, or a part of it that was closed."""
    return path == ACTS or (path.startswith(_ROLLED) and path.endswith(".jsonl"))
