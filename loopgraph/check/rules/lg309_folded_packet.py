"""LG309: what is folded leaves the queue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.directives import Directives
from loopgraph.edges.ledger import Ledger
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find live packets at or below the watermark, in one finding."""
    found, queue = run.ledger(), run.directives()
    if found is None or found.folded is None or queue is None:
        return
    folded = [packet for packet in queue.corrections if packet.number <= found.folded]
    if folded and not _waits(found, queue):
        ids = live.series(packet.id for packet in folded)
        says = (
            _("{ids} is folded and still live", ids=ids)
            if len(folded) == 1
            else _("{ids} are folded and still live", ids=ids)
        )
        yield RULE.at(live.DIRECTIVES, folded[0].line, says)


def _waits(found: Ledger, queue: Directives) -> bool:
    """Whether the queue's writer has not looked since the fold: rotating is its next act."""
    folded, audited = found.folded_after(), queue.state.audited if queue.state else None
    return folded is not None and (audited is None or audited <= folded)


_QUEUE: Final = live.directives("Corrections", live.PACKET)

RULE = Rule(
    id="LG309",
    name="folded-packet",
    why="Every fire reads the queue again, and what is still there is obeyed twice.",
    fix=N_(
        "Whoever writes the queue moves them verbatim to archive/directives.md before its next "
        "packet, archive first; the executor has nothing to do."
    ),
    bad={**live.ledger("Status header", "Last directive folded: D-001"), **_QUEUE},
    good={**live.ledger("Status header", "Last directive folded: none"), **_QUEUE},
    check=check,
    level="warning",
)
