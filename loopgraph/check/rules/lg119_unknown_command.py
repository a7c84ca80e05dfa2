"""LG119: a prompt names only commands that loopgraph has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import example, files, owner_text, places
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model import commands
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import text

_CALL: Final = r"(?<![\w./-])loopgraph +[a-z][a-z-]*(?: +[a-z][a-z-]*)?"


def check(run: Run) -> Iterator[Finding]:
    """Find calls in code spans and code blocks that name no command of the table."""
    calls = places.search(run, files.PROMPTS, _CALL, hints=("loopgraph ",))
    for place in owner_text.without(run, filter(_is_unknown, calls)):
        if place.kind == text.CODE or places.outside_code(place.text)[place.column - 1] == " ":
            says = _("loopgraph has no command `{name}`", name=place.mark.split()[1])
            yield RULE.at(place.file, place.line, says, column=place.column)


def _is_unknown(call: places.Place) -> bool:
    _program, *words = call.mark.split()
    return not {words[0], " ".join(words)} & commands.NAMES


RULE = Rule(
    id="LG119",
    name="unknown-command",
    why="A node that meets a command which isn't there loses the step it stood for.",
    fix=N_("Name a command from `loopgraph --help`, or give the edit by hand."),
    bad={"executor.md": example.prompt("Then run `loopgraph lint` and read what it says.")},
    good={"executor.md": example.prompt("Then run `loopgraph check` and read what it says.")},
    check=check,
    fixable="Which command was meant can't be told.",
)
