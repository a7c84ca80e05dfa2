"""The ops.md of a run, read once for all its rules, and what it costs in words."""

from __future__ import annotations

from typing import Final

from loopgraph.check import era
from loopgraph.edges.document import Section
from loopgraph.edges.ops import Ops
from loopgraph.edges.run import Run
from loopgraph.model.spec import RunSpec

NAME: Final = "ops.md"


def ops_of(run: Run) -> Ops | None:
    """What ops.md says; None where it is absent or other people's."""
    return None if era.foreign(run) else run.ops()


def spec_of(run: Run) -> RunSpec | None:
    """What was resolved before the compile; None where run.yaml can't say."""
    return run.record.spec if run.record else None


def line_of(found: Ops, title: str) -> int:
    """The line of a section's heading; 0 where it is absent."""
    section: Section | None = found.document.section(title)
    return section.start + 1 if section else 0
