"""What the timer of a node's host can express."""

from __future__ import annotations

from loopgraph.hosts import HOSTS
from loopgraph.model import intervals
from loopgraph.model.intervals import Interval
from loopgraph.model.spec import NodeSpec


def possible(node: NodeSpec) -> tuple[Interval, ...]:
    """Every interval that the node's host can keep; of an unknown host, every legal one."""
    host = HOSTS.get(node.host)
    return intervals.legal(host.CAPABILITIES.minimum if host else Interval(1))


def interval_of(node: NodeSpec) -> Interval | None:
    """The node's interval; None where it is none, or its host can't keep it."""
    found = intervals.parse(node.interval)
    return found if found in possible(node) else None
