"""LG120: whoever is sent to a file of the run finds it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loopgraph.check import example, files, owner_text, places
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _

_FILE: Final = r"[^\s/`'\"|<>)\]*…]+\.[a-z]{2,5}\b"
_ELSEWHERE: Final = (files.HANDOFF,)
"""Named so that nobody writes it."""


def check(run: Run) -> Iterator[Finding]:
    """Find pointers into this run's directory, archive and evidence aside, that lead nowhere."""
    if run.record is None:
        return
    folder = f".longgraph/{run.record.spec.slug}/"
    form = re.escape(folder) + _FILE
    for place in owner_text.without(run, places.search(run, files.AUTHORED, form)):
        name = place.mark.removeprefix(folder)
        if name not in _ELSEWHERE and not files.there(run, name):
            says = _("{name} is not in this run", name=name)
            yield RULE.at(place.file, place.line, says, column=place.column)


def _pointer(name: str) -> dict[str, str]:
    return {"executor.md": example.prompt(f"Read `.longgraph/{example.SLUG}/{name}` first.")}


RULE = Rule(
    id="LG120",
    name="dangling-pointer",
    why="A node spends its fire looking for the file, or makes one up.",
    fix=N_("Name a file that is there, or restore the one that is missing."),
    bad={**example.record(), **_pointer("plan.md")},
    good={**example.record(), **_pointer("run.yaml")},
    check=check,
    fixable="Which file was meant can't be told.",
)
