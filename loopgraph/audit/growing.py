"""Files that only grow, archives and the log of acts: where one of them shrank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from loopgraph.audit import archive, history, rules
from loopgraph.audit.acts import Act
from loopgraph.audit.history import ACTS, Source, Step
from loopgraph.audit.rule import Breach, at
from loopgraph.edges import archives

BUDGET: Final = 64 * 1024 * 1024
"""Bytes of one archive's versions that are all read; of more, some, and those that look odd."""


class _Group(NamedTuple):
    """The files of one archive, or of the log of acts."""

    name: str
    blobs: tuple[tuple[str, str], ...]
    """Path and blob of each, the oldest text first."""


def ordered(names: Iterable[str]) -> list[str]:
    """Parts of a log or of an archive, the oldest first."""
    return sorted(names, key=_number)


def _number(path: str) -> tuple[bool, int]:
    """The log of acts that is open is the newest; an archive's open file has the highest number."""
    digits = "".join(char for char in path.rpartition("/")[2] if char.isdigit())
    return path == ACTS, int(digits or 1)


def _groups(step: Step) -> dict[str, _Group]:
    found: dict[str, list[str]] = {}
    for path in step.files:
        if history.is_acts(path):
            found.setdefault(LOG, []).append(path)
        elif history.is_archive(path):
            name = path.rpartition("/")[2]
            own = next(one for one in archives.HEADS if archives.number(one, name))
            found.setdefault(own, []).append(path)
    return {
        name: _Group(name, tuple((path, step.files[path]) for path in ordered(paths)))
        for name, paths in found.items()
    }


class Shrunk(NamedTuple):
    """A state in which something is gone from a file that only grows."""

    step: Step
    name: str
    """Of the archive, or `acts`."""
    path: str
    lines: tuple[str, ...]
    """What is gone, or there with other words."""

    def breach(self) -> Breach:
        """What is said of it."""
        rule = rules.ACTS if self.name == LOG else rules.ARCHIVE
        first = self.lines[0] if len(self.lines[0]) <= _SHOWN else f"{self.lines[0][:_SHOWN]}…"
        more = f", and {len(self.lines) - 1} more" if len(self.lines) > 1 else ""
        return at(rule, self.step, self.path, 0, f"a line is gone or changed{more}: {first}")


LOG: Final = "acts"
_SHOWN: Final = 80


def shrunk(steps: Sequence[Step], source: Source) -> Iterator[Shrunk]:
    """Each state in which something is gone from a file that only grows."""
    before: list[dict[str, _Group]] = []
    for step in steps:
        groups = _groups(step)
        before.append(groups)
        for name in dict.fromkeys(name for parent in step.parents for name in before[parent]):
            olds = [before[parent].get(name) for parent in step.parents]
            new = groups.get(name)
            if new in olds:
                continue
            lost = [_lost(old, new, source) for old in olds if old]
            if lost and all(lost):
                yield Shrunk(step, name, _path(name, new), lost[0])


def _path(name: str, new: _Group | None) -> str:
    if new:
        return new.blobs[-1][0]
    return ACTS if name == LOG else f"archive/{name}.md"


def _lost(old: _Group, new: _Group | None, source: Source) -> tuple[str, ...]:
    if new and old.blobs[:-1] == new.blobs[: len(old.blobs) - 1]:
        at_ = len(old.blobs) - 1
        return archive.missing(_text(old.blobs[at_:], source), _text(new.blobs[at_:], source))
    return archive.missing(_text(old.blobs, source), _text(new.blobs if new else (), source))


def _text(blobs: Iterable[tuple[str, str]], source: Source) -> str:
    return "".join(source(blob) or "" for _, blob in blobs)


def first(steps: Sequence[Step], source: Source, act: Act) -> Step:
    """The first state that has this act in its log."""
    held = [step for step in steps if any(map(history.is_acts, step.files))]
    low, high = 0, len(held) - 1
    while low < high:
        middle = (low + high) // 2
        if _has(held[middle], source, act):
            high = middle
        else:
            low = middle + 1
    return held[low]


def _has(step: Step, source: Source, act: Act) -> bool:
    names = filter(history.is_acts, step.files)
    return any(act.text in (source(step.files[name]) or "").split("\n") for name in names)
