"""LG112: no placeholder of a template is left unfilled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import example, files, owner_text, places
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import text

_HINTS: Final = ("{{", "{%", "{#")
NAMES: Final = (
    *("spec", "run", "knob", "contract_line", "timer_step", "graph", "executor", "supervisor"),
    *("scout", "outcome", "outcome_cut", "opening", "multi", "loop"),
)
"""What our own templates call their values."""

_LEFT: Final = (
    r"\{\{-?\s*(?:" + "|".join(NAMES) + r"|[A-Z][A-Z0-9_]+)\b|\{%[-+]?\s*[a-z]+\b|\{#[-+]?\s"
)


def check(run: Run) -> Iterator[Finding]:
    """Find template syntax that a compile or a person left behind."""
    for place in owner_text.without(run, places.search(run, files.AUTHORED, _LEFT, hints=_HINTS)):
        if place.file in files.FROZEN or not _is_quoted(place):
            says = _("unfilled placeholder {mark}", mark=place.mark)
            yield RULE.at(place.file, place.line, says, column=place.column)


def _is_quoted(place: places.Place) -> bool:
    """Whether a node shows template syntax as code: its work may be a template."""
    if place.kind == text.CODE:
        return True
    return places.outside_code(place.text)[place.column - 1] == " "


RULE = Rule(
    id="LG112",
    name="placeholder",
    why="A node takes an empty slot for an order and fills it with a guess.",
    fix=N_("Compile the run again, or write the value that belongs there."),
    bad={"executor.md": example.prompt("Proof: {{ spec.north_star.proof }}")},
    good={"executor.md": example.prompt("Proof: pytest tests/test_limits.py")},
    check=check,
    fixable="The value is in no file.",
)
