"""A state of the run as laws look at it, and what is known of the run beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from loopgraph.audit.archive import Archive
from loopgraph.audit.facts import Led, Queue
from loopgraph.audit.history import Step
from loopgraph.edges import record
from loopgraph.edges.record import Record
from loopgraph.model.spec import Milestone


class Seen(NamedTuple):
    """One state, read."""

    step: Step
    texts: Mapping[str, str]
    """Of the live files and prompts, by name; archives are read when they are asked for."""
    led: Led | None
    queue: Queue | None
    frozen: Mapping[str, str]
    """The digest of each frozen part: `executor.md`, `ops.md#Gates` …"""


class Context(NamedTuple):
    """What does not change from state to state."""

    ours: bool
    """Whether the run bears our contract; what another one lacks is no breach."""
    record: Record | None
    """As it was compiled."""
    archive: Archive
    """As it is at the end."""

    @property
    def milestones(self) -> tuple[Milestone, ...]:
        """In their order."""
        return self.record.spec.milestones if self.record else ()

    def count(self, knob: str) -> int:
        """A knob that counts."""
        found = record.knob(self.record, knob)
        return found if isinstance(found, int) else 1 << 30
