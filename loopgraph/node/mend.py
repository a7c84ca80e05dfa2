"""Mend: what a finding of check says of a file's form, put right where there is one way only.

Nothing is judged here: a number follows from others in the same file, or settled entries go where
they belong, word for word.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final, NamedTuple

from loopgraph.edges import ledger
from loopgraph.edges.change import Change
from loopgraph.edges.run import Run
from loopgraph.model import states
from loopgraph.model.errors import LoopgraphError, RefusedError
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import directives, gaps, rotate, sweep
from loopgraph.node import draft as drafts
from loopgraph.node.call import LEDGER, Call
from loopgraph.node.draft import Draft


class Mend(NamedTuple):
    """One way to put a finding right."""

    edge: str
    """Its writer alone mends it, or the owner."""
    act: Callable[[Draft], Draft]
    """The same draft where nothing is to be mended."""


def mend(run: Run, call: Call, rules: Collection[str]) -> Change:
    """Mend what these rules have found; what can't be mended is said, and left as it is."""
    draft = drafts.begin(run)
    for rule, found in MENDS.items():
        if rule not in rules:
            continue
        try:
            parts.writes(run, call, found.edge, "check --fix")
            after = found.act(draft)
            after.change()
        except LoopgraphError as error:
            draft = draft.say(_("{rule}: left as it is: {why}", rule=rule, why=error))
            continue
        if after != draft:
            draft = after.say(_("{rule}: mended", rule=rule))
    return draft.change()


def _round(draft: Draft) -> Draft:
    """Round is the newest number of the log; a round under way has not been counted yet."""
    log = draft.ledger.rounds
    newest = max((one.number for one in log if not one.block), default=0)
    known = draft.ledger.round
    return draft if known is None or known >= newest else draft.status("Round", str(newest))


def _ledger_ids(draft: Draft) -> Draft:
    found = draft.ledger
    used = {
        "GAP": [row.number for row in found.gaps if row.number is not None],
        "OB": [card.number for card in found.cards if card.number is not None],
    }
    for kind, numbers in used.items():
        if max(numbers, default=0) > draft.ledger.highest.get(kind, 0):
            draft = gaps.highest(draft, kind, max(numbers))
    return draft


def _queue_ids(draft: Draft) -> Draft:
    queue = draft.directives
    known = directives.ids(queue)
    used = {
        "D": [packet.number for packet in queue.corrections],
        "S": [entry.number for entry in queue.standing],
        "OB": [card.number for card in queue.cards if card.number is not None],
    }
    raised = {kind: max([known.get(kind, 0), *numbers]) for kind, numbers in used.items()}
    higher = any(number > known.get(kind, 0) for kind, number in raised.items())
    return directives.with_ids(draft, {**known, **raised}) if higher else draft


def _tracker(draft: Draft) -> Draft:
    """The flag by the numbers; the limits are the record's."""
    found = draft.ledger
    known = parts.known(found.convergence, found, "Convergence tracker")
    k = parts.known(known.k, found, "Convergence tracker")
    m = parts.known(known.m, found, "Convergence tracker")
    every, cap = (parts.knob(draft.run, name) for name in ("CONVERGE_EVERY", "NET_LINE_CAP"))
    due = states.convergence_due(rounds=k, every=every, net=m, cap=cap)
    return draft.status("Convergence tracker", ledger.tracker(k, m, every=every, cap=cap, due=due))


def _limits(draft: Draft) -> Draft:
    """Both trackers by the record."""
    tracker = draft.ledger.convergence
    return sweep.recorded(_tracker(draft) if tracker and tracker.k is not None else draft)


def _rounds(draft: Draft) -> Draft:
    numbers = [one.number for one in draft.ledger.rounds]
    if numbers != sorted(numbers):
        raise RefusedError(
            _("the rounds are not in order, so which are the oldest can't be told"),
            where=f"{LEDGER}:{draft.ledger.rounds[0].line}",
        )
    return rotate.rounds(draft, keep=parts.knob(draft.run, "KEEP_ROUNDS"))


MENDS: Final[Mapping[str, Mend]] = {
    "LG211": Mend("ledger", _round),
    "LG216": Mend("ledger", _ledger_ids),
    "LG219": Mend("ledger", _tracker),
    "LG220": Mend("ledger", _limits),
    "LG236": Mend("ledger", _tracker),
    "LG208": Mend("ledger", _rounds),
    "LG222": Mend("ledger", rotate.closed_rows),
    "LG308": Mend("directives", _queue_ids),
    "LG309": Mend("directives", rotate.folded),
}
"""By the rule that finds it, in the order in which they are mended."""
