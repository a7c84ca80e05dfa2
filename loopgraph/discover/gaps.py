"""Debt rows that the facts themselves prove; whoever reads them can check each one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from loopgraph.author import wording
from loopgraph.discover.languages import Layout
from loopgraph.discover.tree import Tree, base, parent
from loopgraph.model.facts import Found, FoundGate, GapKind, GapSeed

CAP: Final = 6
_FINDS = re.compile(
    r"\b(vulture|deptry|knip|jscpd|ts-prune|unimported|depcheck|udeps|machete|deadcode)\b"
)
"""Detectors whose findings are candidates; coverage and a linter's rules are witnesses."""
_MARKS: Final = ("TODO", "FIXME", "XXX")
_MARK = re.compile(rf"\b({'|'.join(_MARKS)})\b")
_READ_CAP: Final = 400
"""No more source files are read for marks: the look must stay cheap on any repository."""
_NAME_CAP: Final = 5_000
_PART_CAP: Final = 200
"""No more test names and folders are compared: the answer is two rows."""
_UNTESTED_CAP: Final = 2
_GENERIC: Final = frozenset({"src", "lib", "app", "core", "common", "ui", "internal", "_internal"})
_COMMON: Final = frozenset(
    (
        "test",
        "spec",
        "init",
        "main",
        "index",
        "util",
        "helper",
        "base",
        "type",
        "common",
        "src",
        "lib",
        "app",
        "core",
        "py",
        "js",
        "ts",
        "tsx",
        "jsx",
        "mjs",
        "rs",
        "go",
        "java",
    )
)
_VENDORED = re.compile(r"(^|/)_?(vendor|vendored|third_party|generated|gen|migrations)(/|$)")
_INLINE: Final = (".rs", ".zig", ".d")
"""Languages whose unit tests stand in the code itself."""
_LARGE: Final = 3
"""A folder with fewer code files is no part that tests would be named after."""


def find(
    tree: Tree, layout: Layout, gates: Sequence[FoundGate], detectors: Sequence[Found]
) -> tuple[GapSeed, ...]:
    """At most six rows, the gravest first."""
    verify = next((gate.command for gate in gates if gate.kind == "test"), "")
    rows = [
        *_no_gate(layout, verify),
        *_no_tests(layout, verify),
        *_untested(layout, verify),
        *_detectors(layout, detectors),
        *_marks(tree, layout, verify),
    ]
    return tuple(sorted(rows, key=lambda row: row.priority)[:CAP])


def _seed(  # noqa: PLR0913  the parts of a row
    priority: Literal["P1", "P2", "P3"],
    kind: GapKind,
    write_set: str,
    verify: str,
    *,
    about: str = "",
    count: int = 0,
) -> GapSeed:
    said = wording.gap(kind, "en", about=about, count=count)
    shown = verify or wording.gap_verify(kind, "en")
    return GapSeed(priority, write_set, shown, said, kind, about, count, observed=not verify)


def _no_gate(layout: Layout, verify: str) -> Iterator[GapSeed]:
    if verify:
        return
    place = layout.tests[0] if layout.tests else "tests"
    yield _seed("P1", "no-test-gate", place, "")


def _no_tests(layout: Layout, verify: str) -> Iterator[GapSeed]:
    if layout.test_files or not layout.source_files:
        return
    yield _seed("P1", "no-tests", "tests", verify, about=layout.sources[0])


def _untested(layout: Layout, verify: str) -> Iterator[GapSeed]:
    """Source folders after which no test file or folder is named and beside which none lies."""
    if not layout.test_files:
        return
    held: dict[str, list[str]] = {}
    for path in layout.source_files:
        held.setdefault(parent(path), []).append(path)
    said = {word for path in layout.test_files[:_NAME_CAP] for word in _words(path)}
    beside = {above for path in layout.test_files for above in _above(parent(path))}
    parts = [
        (-len(paths), folder)
        for folder, paths in held.items()
        if len(paths) >= _LARGE
        and folder not in {".", *layout.sources}
        and folder not in beside
        and base(folder) not in _GENERIC
        and not paths[0].endswith(_INLINE)
        and not _VENDORED.search(folder)
    ]
    lacking = 0
    for count, folder in sorted(parts)[:_PART_CAP]:
        names = {word for path in (folder, *held[folder]) for word in _words(base(path))}
        if names & said:
            continue
        yield _seed("P2", "untested", folder, verify, about=folder, count=-count)
        lacking += 1
        if lacking == _UNTESTED_CAP:
            return


def _above(folder: str) -> Iterator[str]:
    """A folder and those above it."""
    while folder not in {"", "."}:
        yield folder
        folder = parent(folder)


def _words(path: str) -> set[str]:
    """The words of a path that may tie a test to what it tests, singular."""
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", path).lower()
    words = {word.rstrip("s") for word in re.split(r"[/._-]+", plain)}
    return {word for word in words if len(word) > 1} - _COMMON


def _detectors(layout: Layout, detectors: Sequence[Found]) -> Iterator[GapSeed]:
    finders = [fact for fact in detectors if _FINDS.search(fact.value)]
    for fact in finders[:2]:
        place = " ".join(layout.sources[:3]) or "."
        yield _seed("P3", "detector", place, fact.value, about=fact.file)


def _marks(tree: Tree, layout: Layout, verify: str) -> Iterator[GapSeed]:
    found = []
    for path in layout.source_files[:_READ_CAP]:
        text = tree.read(path) or ""
        if sum(text.count(mark) for mark in _MARKS) < wording.MARKS:
            continue
        count = len(_MARK.findall(text))
        if count >= wording.MARKS:
            found.append((-count, path))
    for count, path in sorted(found)[:2]:
        yield _seed("P3", "marks", path, verify, count=-count)
