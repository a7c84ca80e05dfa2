"""Rules as people read them: one by `--explain`, all of them on a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from loopgraph.check.rule import Rule
from loopgraph.plain import quoting

ROOMS: Final[Mapping[str, str]] = {
    "1": "Files and prompts",
    "2": "Ledger",
    "3": "Directives",
    "4": "Ops",
    "5": "Record and graph",
}
"""What the first digit of an id stands for."""

_WHOLE: Final = 12
"""An example of more lines shows only where the bad one and the good one differ."""
_AROUND: Final = 2
_HEAD: Final = 3


def explain(rule: Rule) -> str:
    """Why a rule exists, what to do, and its two examples."""
    parts = [
        f"{rule.id} {rule.name} ({rule.level})",
        "",
        rule.why,
        rule.fix,
        *((f"No --fix: {rule.fixable}",) if rule.fixable else ()),
    ]
    for title, example, other in _examples(rule):
        parts += ["", f"{title}:"]
        for name, text in example.items():
            parts += ["", f"  {name}", *(f"    {line}" for line in _excerpt(text, other.get(name)))]
    return "\n".join(line.rstrip() for line in parts) + "\n"


def page(rules: Iterable[Rule]) -> str:
    """Every rule in Markdown, by room; the page around it is written by hand."""
    parts: list[str] = []
    room = ""
    for rule in rules:
        if rule.id[2] != room:
            room = rule.id[2]
            parts += [f"## {ROOMS[room]} (LG{room}xx)", ""]
        parts += [*_entry(rule), ""]
    return "\n".join(parts)


def _entry(rule: Rule) -> Iterator[str]:
    yield f"### {rule.id} {rule.name}"
    yield ""
    yield f"{rule.level.capitalize()}. {rule.why}"
    yield ""
    yield f"**What to do:** {rule.fix}"
    if rule.fixable:
        yield ""
        yield f"**Why not `--fix`:** {rule.fixable}"
    for title, example, other in _examples(rule):
        for name, text in example.items():
            yield ""
            yield f"{title}, in `{name}`:"
            yield ""
            yield quoting.block("\n".join(_excerpt(text, other.get(name))))


def _examples(rule: Rule) -> tuple[tuple[str, Mapping[str, str], Mapping[str, str]], ...]:
    """The two examples, each without the files that they share, and the one to compare with."""
    bad, good = _unshared(rule.bad, rule.good), _unshared(rule.good, rule.bad)
    return (("Bad", bad or rule.bad, rule.good), ("Good", good or rule.good, rule.bad))


def _unshared(example: Mapping[str, str], other: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in example.items() if other.get(name) != text}


def _excerpt(text: str, other: str | None) -> list[str]:
    """The lines of an example; of a long one those that differ from the other, and neighbours."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) <= _WHOLE:
        return [quoting.visible(line) for line in lines]
    start, end = _difference(lines, (other or "").removesuffix("\n").split("\n"))
    shown = lines[start:end]
    if len(shown) > _WHOLE:
        shown = [*shown[:_HEAD], f"… ({len(lines)} lines in all)"]
    before = ["…"] if start else []
    after = ["…"] if end < len(lines) else []
    return [*before, *(quoting.visible(line) for line in shown), *after]


def _difference(lines: list[str], other: list[str]) -> tuple[int, int]:
    """Where two texts differ, with a few lines around it."""
    same = 0
    while same < min(len(lines), len(other)) and lines[same] == other[same]:
        same += 1
    tail = 0
    while tail < min(len(lines), len(other)) - same and lines[-1 - tail] == other[-1 - tail]:
        tail += 1
    return max(same - _AROUND, 0), min(len(lines) - tail + _AROUND, len(lines))
