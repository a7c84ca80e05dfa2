"""A state of the run as laws look at it, and what is known of the run beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from loopgraph.audit.archive import Archive
from loopgraph.audit.facts import Entries, Led, Queue
from loopgraph.audit.history import Step
from loopgraph.edges import record
from loopgraph.edges.record import Record
from loopgraph.model import knobs
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
    tables: tuple[Entries, ...]
    """Its entries, by the part that holds them, always in the same order."""


class Context(NamedTuple):
    """What does not change from state to state."""

    ours: bool
    """Whether the run bears our contract; what another one lacks is no breach."""
    record: Record | None
    """As it was compiled."""
    archive: Archive
    """As it is at the end."""
    knobs: Mapping[str, int]
    """Those that count."""

    @property
    def milestones(self) -> tuple[Milestone, ...]:
        """In their order."""
        return self.record.spec.milestones if self.record else ()

    def count(self, knob: str) -> int:
        """A knob that counts; one that says nothing allows anything."""
        return self.knobs.get(knob, 1 << 30)


def counts(found: Record | None) -> Mapping[str, int]:
    """The knobs that count, as a run has them."""
    values = {name: record.knob(found, name) for name in knobs.BY_NAME}
    return {name: value for name, value in values.items() if isinstance(value, int)}


_NOTHING: Final[Entries] = {}


def tables(led: Led | None, queue: Queue | None) -> tuple[Entries, ...]:
    """The entries of a state."""
    return (
        led.log if led else _NOTHING,
        led.gaps if led else _NOTHING,
        led.cards if led else _NOTHING,
        queue.standing if queue else _NOTHING,
        queue.cards if queue else _NOTHING,
        queue.packets if queue else _NOTHING,
    )
