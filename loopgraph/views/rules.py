"""Rules as people read them: one by `--explain`, all of them on a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from loopgraph.audit.rule import Rule as HistoryRule
from loopgraph.check.rule import Rule as StateRule
from loopgraph.plain import quoting

ROOMS: Final[Mapping[str, str]] = {
    "1": "Files and prompts",
    "2": "Ledger",
    "3": "Directives",
    "4": "Ops",
    "5": "Record and graph",
    "6": "History",
}
"""What the first digit of an id stands for."""

Rule = StateRule | HistoryRule

_MENDED: Final = "`loopgraph check --fix` mends it."
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
        f"By hand: {rule.fixable}" if rule.fixable else _MENDED,
    ]
    for title, files in _examples(rule).items():
        parts += ["", f"{title}:"]
        for name, lines in files.items():
            parts += ["", f"  {name}" if lines else f"  no {name}"]
            parts += [f"    {line}" for line in lines]
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
    yield ""
    yield f"**By hand:** {rule.fixable}" if rule.fixable else _MENDED
    for title, files in _examples(rule).items():
        for name, lines in files.items():
            yield ""
            yield f"{title}, in `{name}`:" if lines else f"{title}: no `{name}`."
            if lines:
                yield ""
                yield quoting.block("\n".join(lines))


def _examples(rule: Rule) -> dict[str, dict[str, list[str]]]:
    """What the examples don't share, by file; no lines where one has no such file.

    The rule of a history begins with the state that comes before both.
    """
    examples = {"Bad": rule.bad, "Good": rule.good}
    if isinstance(rule, HistoryRule):
        examples = {"Before": rule.before, **examples}
    names = dict.fromkeys(name for files in examples.values() for name in files)
    differing = [
        name for name in names if len({files.get(name) for files in examples.values()}) > 1
    ]
    others = {"Before": rule.bad, "Bad": rule.good, "Good": rule.bad}
    return {
        title: {name: _excerpt(files.get(name), others[title].get(name)) for name in differing}
        for title, files in examples.items()
    }


def _excerpt(text: str | None, other: str | None) -> list[str]:
    """The lines of an example; of a long one those that differ from the other, and neighbours."""
    if text is None:
        return []
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
