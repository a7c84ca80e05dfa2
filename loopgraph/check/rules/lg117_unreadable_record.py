"""LG117: the compiler's record can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from loopgraph.check import example, files
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_

NORTH_STAR: Final = "north_star."
"""How the problem of an empty North Star begins; that one has a rule of its own."""


def check(run: Run) -> Iterator[Finding]:
    """Find a record that is no YAML, of another schema, or holds a value of a wrong kind."""
    if run.record_problem and not run.record_problem.startswith(NORTH_STAR):
        place = re.match(r"run\.yaml:(\d{1,9})\b", run.record_problem)
        line = int(place[1]) if place else 0
        yield RULE.at(files.RECORD, line, run.record_problem)


RULE = Rule(
    id="LG117",
    name="unreadable-record",
    why="Every rule that asks what was agreed stays silent while the record can't be read.",
    fix=N_("Restore run.yaml from version control; nobody edits it after the compile."),
    bad=example.record("lang: en", "lang: english"),
    good=example.record(),
    check=check,
    fixable="What the broken value was can't be guessed.",
)
