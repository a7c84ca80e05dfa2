"""LG110: no control or direction character hides in a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import example, files, places
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import text

_HIDDEN: Final = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"
)


def check(run: Run) -> Iterator[Finding]:
    """Find NUL, other C0 and C1 controls, and characters that turn the reading direction."""
    # YAML has laws of its own; and what can all be printed has none of these.
    names = [
        name
        for name, source in run.files.items()
        if name != files.RECORD and not source.replace("\n", "").isprintable()
    ]
    for place in places.search(run, names, _HIDDEN):
        if place.mark == text.BOM and (place.line, place.column) == (1, 1):
            continue
        says = _("control character U+{code}", code=f"{ord(place.mark):04X}")
        yield RULE.at(place.file, place.line, says, column=place.column)


RULE = Rule(
    id="LG110",
    name="control-character",
    why="A NUL makes git call the file binary, and the others show a reader what is not there.",
    fix=N_("Delete the character, or write it as <U+0000> with its own number."),
    bad={"ledger.md": example.prompt("- Item: rename \u202eevil", name="ledger")},
    good={"ledger.md": example.prompt("- Item: rename <U+202E>evil", name="ledger")},
    check=check,
    fixable="Deleting one may change what a path or a command means.",
)
