"""LG310: no more corrections wait than OPEN_DIRECTIVE_CAP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from loopgraph.check import live
from loopgraph.check.rule import Rule
from loopgraph.edges.run import Run
from loopgraph.model.finding import Finding
from loopgraph.model.messages import N_, _


def check(run: Run) -> Iterator[Finding]:
    """Find the first packet over the cap, of those that are not folded."""
    found, queue, cap = run.ledger(), run.directives(), live.limit(run, "OPEN_DIRECTIVE_CAP")
    if queue is None or cap is None:
        return
    waiting = queue.waiting(found.folded if found else None)
    if len(waiting) > cap:
        says = _(
            "{count} corrections wait; OPEN_DIRECTIVE_CAP is {cap}", count=len(waiting), cap=cap
        )
        yield RULE.at(live.DIRECTIVES, waiting[cap].line, says)


_PACKETS: Final = [live.PACKET.replace("001", f"00{number}") for number in range(1, 10)]

RULE = Rule(
    id="LG310",
    name="directive-cap",
    why="An executor under a pile of corrections folds them in name only.",
    fix=N_("Merge packets that share a cause, the way the supervisor's prompt says."),
    bad=live.directives("Corrections", "\n\n".join(_PACKETS)),
    good=live.directives("Corrections", "\n\n".join(_PACKETS[1:])),
    check=check,
    fixable="Which packets belong together is the supervisor's to judge.",
)
