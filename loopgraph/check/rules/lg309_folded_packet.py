"""LG309: what is folded leaves the queue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding


def check(run: Run) -> Iterator[Finding]:
    """Find live packets at or below the watermark, in one finding."""
    found, queue = run.ledger(), run.directives()
    if found is None or found.folded is None or queue is None:
        return
    folded = [packet for packet in queue.corrections if packet.number <= found.folded]
    if folded:
        ids = ", ".join(packet.id for packet in folded)
        says = f"{ids} {'is' if len(folded) == 1 else 'are'} folded and still live"
        yield RULE.at(live.DIRECTIVES, folded[0].line, says)


_QUEUE: Final = live.directives("Corrections", live.PACKET)

RULE = Rule(
    id="LG309",
    name="folded-packet",
    why="Every fire reads the queue again, and what is still there is obeyed twice.",
    fix="Before the next packet move them verbatim to archive/directives.md, archive first.",
    bad={**live.ledger("Status header", "Last directive folded: D-001"), **_QUEUE},
    good={**live.ledger("Status header", "Last directive folded: none"), **_QUEUE},
    check=check,
    level="warning",
    fixable="The archive is not read here, and nothing may leave the queue before it is in there.",
)
