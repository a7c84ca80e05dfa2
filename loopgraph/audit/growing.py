"""Files that only grow, archives and the log of acts: where one of them shrank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from loopgraph.audit import archive, history, rules
from loopgraph.audit.acts import Act
from loopgraph.audit.history import ACTS, Source, Step
from loopgraph.audit.rule import Breach, at
from loopgraph.edges import archives
from loopgraph.model.messages import _

BUDGET: Final = 32 * 1024 * 1024
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


def _all_groups(steps: Sequence[Step]) -> list[Mapping[str, _Group]]:
    """The groups of each state; those that are as in the state before are made once."""
    found: list[Mapping[str, _Group]] = []
    files: list[list[tuple[str, str]]] = []
    for step in steps:
        own = [one for one in step.files.items() if "/" in one[0]]
        before = step.parents[0] if step.parents else None
        same = before is not None and files[before] == own
        found.append(found[before] if before is not None and same else _groups(step))
        files.append(own)
    return found


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
        more = _(", and {count} more", count=len(self.lines) - 1) if len(self.lines) > 1 else ""
        says = _("a line is gone or changed{more}: {line}", more=more, line=first)
        return at(rule, self.step, self.path, 0, says)


LOG: Final = "acts"
_SHOWN: Final = 80


class Grown(NamedTuple):
    """What became of the files that only grow."""

    shrunk: tuple[Shrunk, ...]
    notes: tuple[str, ...]
    """Of which not every version was read."""


def read(steps: Sequence[Step], source: Source) -> Grown:
    """Each state in which something is gone from a file that only grows.

    The versions of an archive are read one beside the next. Where they are too many for that,
    each so-and-so-many-th is, and those that changed while no live file did; what is gone between
    two of them is then looked for in the versions between.
    """
    groups = _all_groups(steps)
    source = lru_cache(maxsize=4)(source)  # each version is held beside the one on either side
    found: list[Shrunk] = []
    notes: list[str] = []
    for name in dict.fromkeys(name for one in groups for name in one):
        versions = [one.get(name) for one in groups]
        stride = _stride(versions, source)
        pairs = _pairs(steps, versions)
        if stride == 1:
            found += _beside(name, steps, versions, pairs, source)
            continue
        notes.append(
            _(
                "{name}: of {count} versions one in {stride} was read",
                name=name, count=len(pairs), stride=stride,
            )
        )  # fmt: skip
        odd = {child: olds for child, olds in pairs.items() if _is_odd(steps, child)}
        found += _beside(name, steps, versions, odd, source)
        found += _between(name, steps, versions, stride, source)
    order = {id(step): place for place, step in enumerate(steps)}
    once = {(id(one.step), one.name): one for one in found}
    return Grown(tuple(sorted(once.values(), key=lambda one: order[id(one.step)])), tuple(notes))


_Versions = Sequence["_Group | None"]
_Pairs = Mapping[int, tuple[int, ...]]
"""A state's place, and those of the states before it with another version; none where one has
the same."""


def _pairs(steps: Sequence[Step], versions: _Versions) -> _Pairs:
    return {
        place: step.parents
        for place, step in enumerate(steps)
        if any(versions[parent] for parent in step.parents)
        and all(versions[parent] != versions[place] for parent in step.parents)
    }


def _stride(versions: _Versions, source: Source) -> int:
    """Of how many versions one is read, so that all that is read stays within bounds."""
    number = len({one.blobs[-1] for one in versions if one})
    last = next((one for one in reversed(versions) if one), None)
    size = len(_text(last.blobs[-1:], source)) if last else 0
    return -(-number * size // (2 * BUDGET)) or 1


def _is_odd(steps: Sequence[Step], place: int) -> bool:
    """Whether no live file changed along with it: nothing left one for the archive."""
    step = steps[place]
    live = [name for name in step.files if "/" not in name]
    return any(
        all(steps[parent].files.get(name) == step.files[name] for name in live)
        for parent in step.parents
    )


def _beside(
    name: str, steps: Sequence[Step], versions: _Versions, pairs: _Pairs, source: Source
) -> Iterator[Shrunk]:
    """Each of these versions, beside the ones before it; a merge has lost what each side had."""
    for place, parents in pairs.items():
        new = versions[place]
        lost = [_lost(old, new, source) for parent in parents if (old := versions[parent])]
        if all(lost):
            yield Shrunk(steps[place], name, _path(name, new), lost[0])


def _between(
    name: str, steps: Sequence[Step], versions: _Versions, stride: int, source: Source
) -> Iterator[Shrunk]:
    """Some of the versions on the way of the first parents."""
    way = [len(steps) - 1]
    while steps[way[-1]].parents:
        way.append(steps[way[-1]].parents[0])
    way = [place for place in reversed(way) if versions[place]]
    chosen = sorted({*range(0, len(way), stride), len(way) - 1}) if way else []
    for low, high in pairwise(chosen):
        if at_ := _shrinks(way, versions, low, high, source):
            old, new = versions[way[low]], versions[way[at_]]
            lost = _lost(old, new, source) if old else ()
            yield Shrunk(steps[way[at_]], name, _path(name, new), lost)


def _shrinks(way: Sequence[int], versions: _Versions, low: int, high: int, source: Source) -> int:
    """Where the way first lacks what its version at `low` holds, up to `high`; 0 for nowhere."""
    old = versions[way[low]]
    if old is None or not _lost(old, versions[way[high]], source):
        return 0
    while high - low > 1:
        middle = (low + high) // 2
        if _lost(old, versions[way[middle]], source):
            high = middle
        else:
            low = middle
    return high


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
    return "".join(source(blob) or "" for _path_of, blob in blobs)


def log(step: Step, source: Source) -> str:
    """The log of acts of a state, all its parts."""
    names = ordered(filter(history.is_acts, step.files))
    return "".join(source(step.files[name]) or "" for name in names)


def first(steps: Sequence[Step], source: Source, act: Act) -> int:
    """The place of the first state that has this act in its log."""
    held = [place for place, step in enumerate(steps) if any(map(history.is_acts, step.files))]
    low, high = 0, len(held) - 1
    while low < high:
        middle = (low + high) // 2
        if _has(steps[held[middle]], source, act):
            high = middle
        else:
            low = middle + 1
    return held[low] if held else 0


def _has(step: Step, source: Source, act: Act) -> bool:
    names = filter(history.is_acts, step.files)
    return any(act.text in (source(step.files[name]) or "").split("\n") for name in names)
