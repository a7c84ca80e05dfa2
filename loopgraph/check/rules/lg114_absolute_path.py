"""LG114: no file names a place that exists on one machine only or lies outside the root."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import era, example, files, owner_text, places
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _

_WORD: Final = r"[^\s`'\"|<>)\]}，。、；：！？）】》」』]*"
_HOMES: Final = "home|Users|root|tmp|var|etc|usr|opt|mnt|media|private|Volumes|srv|workspaces?"
_OUTSIDE: Final = (
    rf"/(?:{_HOMES})/{_WORD}|~/{_WORD}|[A-Za-z]:[\\/](?![/\\]){_WORD}|file://{_WORD}"
    rf"|(?:\.\.[/\\])+{_WORD}"
)
_START: Final = r"(?<![\w.~*<>)\]}$%/\\-])"

_ANY: Final = rf"{_START}(?:{_OUTSIDE}|/[A-Za-z0-9._@+-]+/{_WORD})"
"""In a prompt, where every word is the compiler's: anything that begins like such a path."""

_KNOWN: Final = rf"{_START}(?:{_OUTSIDE})"
"""Elsewhere, where a node may write of routes such as `/photos/<id>`: well-known places only."""


def check(run: Run) -> Iterator[Finding]:
    """Find absolute paths, drives, homes, and paths that climb out of the root."""
    others = [name for name in files.AUTHORED if name not in files.PROMPTS]
    in_prompts = _KNOWN if era.foreign(run) else _ANY
    for names, pattern in ((files.PROMPTS, in_prompts), (others, _KNOWN)):
        for place in owner_text.without(run, _trimmed(places.search(run, names, pattern))):
            says = _("{path} is no path below the root", path=place.mark)
            level = files.level_in(place.file)
            yield RULE.at(place.file, place.line, says, column=place.column, level=level)


def _trimmed(found: Iterator[places.Place]) -> Iterator[places.Place]:
    for place in found:
        yield place._replace(mark=place.mark.rstrip(".,;:"))


RULE = Rule(
    id="LG114",
    name="absolute-path",
    why="The run is read in other checkouts and on other machines, where that place is another "
    "or none; where nodes write it is only a warning.",
    fix=N_("Name the place relative to the root, or describe it."),
    bad={"executor.md": example.prompt("Read `/home/kim/shop/docs/limits.md` first.")},
    good={"executor.md": example.prompt("Read `docs/limits.md` first.")},
    check=check,
    fixable="Which place below the root is meant can't be told.",
)
