"""LG120: whoever is sent to a file of the run finds it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loopgraph.check import example, files, owner_text, places
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding

_POINTER: Final = re.compile(r"\.longgraph/([^\s/`'\"|<>)\]]+)/([^\s/`'\"|<>)\]*…]+\.[a-z]{2,5})\b")
_ELSEWHERE: Final = (files.HANDOFF,)
"""Named so that nobody writes it."""


def check(run: Run) -> Iterator[Finding]:
    """Find pointers into this run's directory, archive and evidence aside, that lead nowhere."""
    if run.record is None:
        return
    slug = run.record.spec.slug
    for place in owner_text.without(run, places.search(run, files.AUTHORED, _POINTER)):
        found = _POINTER.fullmatch(place.mark)
        if found is None or found[1] != slug or found[2] in _ELSEWHERE:
            continue
        if not files.there(run, found[2]):
            says = f"{found[2]} is not in this run"
            yield RULE.at(place.file, place.line, says, column=place.column)


def _pointer(name: str) -> dict[str, str]:
    return {"executor.md": example.prompt(f"Read `.longgraph/{example.SLUG}/{name}` first.")}


RULE = Rule(
    id="LG120",
    name="dangling-pointer",
    why="A node spends its fire looking for the file, or makes one up.",
    fix="Name a file that is there, or restore the one that is missing.",
    bad={**example.record(), **_pointer("plan.md")},
    good={**example.record(), **_pointer("run.yaml")},
    check=check,
    fixable="Which file was meant can't be told.",
)
