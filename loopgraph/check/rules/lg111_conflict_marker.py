"""LG111: no merge conflict is left in a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import owner_text, places
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _

_MARKER: Final = r"^(?:<<<<<<<|>>>>>>>)(?: .*)?\r?$"
_HINTS: Final = ("<<<<<<<", ">>>>>>>")


def check(run: Run) -> Iterator[Finding]:
    """Find where each conflict begins, and ends that have no beginning."""
    is_open = ""
    for place in owner_text.without(run, places.search(run, run.files, _MARKER, hints=_HINTS)):
        opens = place.mark.startswith("<")
        if opens or is_open != place.file:
            yield RULE.at(place.file, place.line, _("merge conflict left in the file"))
        is_open = place.file if opens else ""


_ONE = "- R4 2026-11-30 | limits | changed: src/ | verify: green | net +9/-2 | next: docs\n"
_TWO = _ONE.replace("R4", "R5")

RULE = Rule(
    id="LG111",
    name="conflict-marker",
    why="Both sides of the conflict are read as if they were true.",
    fix=N_("Keep what is true of both sides and delete the marker lines."),
    bad={"ledger.md": f"## Rounds log\n<<<<<<< HEAD\n{_ONE}=======\n{_TWO}>>>>>>> other\n"},
    good={"ledger.md": f"## Rounds log\n{_ONE}{_TWO}"},
    check=check,
    fixable="Which side is true is a person's to say.",
)
