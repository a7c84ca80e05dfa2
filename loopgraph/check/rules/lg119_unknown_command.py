"""LG119: a prompt names only commands that loopgraph has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loopgraph.check import example, files, owner_text, places
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import commands
from loopgraph.model.finding import Finding
from loopgraph.plain import text

_CALL: Final = re.compile(r"(?<![\w./-])loopgraph +([a-z][a-z-]*)(?: +([a-z][a-z-]*))?")


def check(run: Run) -> Iterator[Finding]:
    """Find calls in code spans and code blocks that name no command of the table."""
    for place in owner_text.without(run, places.search(run, files.PROMPTS, _CALL)):
        if place.kind != text.CODE and places.outside_code(place.text)[place.column - 1] != " ":
            continue
        first, second = _words(place.mark)
        if first in commands.NAMES or f"{first} {second}" in commands.NAMES:
            continue
        says = f"loopgraph has no command `{first}`"
        yield RULE.at(place.file, place.line, says, column=place.column)


def _words(call: str) -> tuple[str, str]:
    _, first, second, *_ = (*call.split(), "", "")
    return first, second


RULE = Rule(
    id="LG119",
    name="unknown-command",
    why="A node that meets a command which isn't there loses the step it stood for.",
    fix="Name a command from `loopgraph --help`, or give the edit by hand.",
    bad={"executor.md": example.prompt("Then run `loopgraph lint` and read what it says.")},
    good={"executor.md": example.prompt("Then run `loopgraph check` and read what it says.")},
    check=check,
    fixable="Which command was meant can't be told.",
)
