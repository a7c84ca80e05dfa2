"""LG113: no guidance comment is left in a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import era, example, files, owner_text, places
from loopgraph.check.rule import Rule
from loopgraph.edges.blocks import unclosed
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _
from loopgraph.plain import text

_COMMENT: Final = "<!--.*"


def check(run: Run) -> Iterator[Finding]:
    """Find HTML comments outside code: errors in frozen files, warnings where nodes write."""
    if era.foreign(run):
        return
    for name in files.AUTHORED:
        found = places.search(run, (name,), _COMMENT, hints=("<!--",))
        for place in owner_text.without(run, filter(_is_comment, found)):
            block = unclosed(run.document(name))
            if block is not None and block.line <= place.line:
                break  # LG121 tells of it
            says = _("a comment, which the next reader passes over")
            level = files.level_in(name)
            yield RULE.at(name, place.line, says, column=place.column, level=level)


def _is_comment(place: places.Place) -> bool:
    if place.kind == text.CODE:
        return False
    return places.outside_code(place.text)[place.column - 1] == "<"


RULE = Rule(
    id="LG113",
    name="comment",
    why="A comment is invisible to whoever sees the rendered page and an order to a node; "
    "where nodes write it is only a warning.",
    fix=N_("Delete it, or write it as ordinary text."),
    bad={"executor.md": example.prompt("<!-- say here how the node verifies -->")},
    good={"executor.md": example.prompt("Verify with pytest.")},
    check=check,
    fixable="What it says may be worth keeping.",
)
