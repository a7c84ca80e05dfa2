"""The state machines: what a run's status, gate, tracker and counts may do between two states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from loopgraph.audit import rules
from loopgraph.audit.facts import LEDGER, Led, Queue
from loopgraph.audit.rule import Breach, Rule, at
from loopgraph.audit.seen import Context, Seen
from loopgraph.edges.directives import Correction
from loopgraph.edges.ledger import Round
from loopgraph.model import states
from loopgraph.model.messages import _
from loopgraph.model.states import GateState, RunStatus
from loopgraph.plain import header

_STATUS: Final = "Run status"
_GATE: Final = "Milestone gate"
_WATERMARK: Final = "Last directive folded"


class Pair(NamedTuple):
    """Two states, one behind the other, and what is known beside them."""

    before: Led
    after: Led
    seen: Seen
    """The state behind."""
    context: Context
    queues: tuple[Queue | None, Queue | None]

    def found(self, rule: Rule, field: str, message: str) -> Breach:
        """A breach at a field of the Status header."""
        return at(rule, self.seen.step, LEDGER, self.after.lines.get(field, 0), message)

    def folded(self) -> tuple[Correction | None, ...]:
        """The corrections that were folded in between; None for one that nobody can find."""
        first, last = self.before.folded, self.after.folded
        if first is None or last is None or last - first > _MANY:
            return ()
        return tuple(self._packet(number) for number in range(first + 1, last + 1))

    def _packet(self, number: int) -> Correction | None:
        for queue in self.queues:
            for one in queue.corrections if queue else ():
                if one.number == number:
                    return one
        return self.context.archive.packet(number)


_MANY: Final = 10_000
"""Between two states nobody folds so many corrections."""


# Run status ------------------------------------------------------------------------------------


def status(pair: Pair) -> Iterator[Breach]:
    """The run's status by its table; what ended with a redo needs one that was folded."""
    now, then = pair.before.status, pair.after.status
    if now is None or then is None or now == then:
        return
    redone = any(one is None or one.verdict == "redo" for one in pair.folded())
    if then not in _reachable(now, redone=redone or not pair.context.ours):
        says = (
            _("the run went from {now} to {then}", now=now, then=then)
            if now == "closed"
            else _("the run went from {now} to {then} without a redo", now=now, then=then)
        )
        yield pair.found(rules.STATUS, _STATUS, says)


def _reachable(now: RunStatus, *, redone: bool) -> frozenset[RunStatus]:
    """Every status that one can come to, by any number of steps."""
    found = {now}
    waiting = [now]
    while waiting:
        one = waiting.pop()
        for following in states.RUN[one]:
            if one == "exit-ready" and following == "active" and not redone:
                continue
            if following not in found:
                found.add(following)
                waiting.append(following)
    return frozenset(found)


# Milestone gate --------------------------------------------------------------------------------

_Place = tuple[str | None, GateState]
"""A milestone and its gate."""


def gate(pair: Pair) -> Iterator[Breach]:
    """The gate by its table: it passes by a folded accept alone, and opens for what comes next."""
    before, after = pair.before, pair.after
    if before.gate is None or after.gate is None or not pair.context.ours:
        return
    begin, end = _place(before), _place(after)
    back = (after.folded or 0) < (before.folded or 0)
    if begin == end or back:
        return  # where the watermark went back, nobody can tell what was folded
    reached = _grown({begin}, pair)
    for packet in pair.folded():
        moved = {place for one in reached for place in _moved(one, packet)}
        reached = _grown(reached | moved, pair)
    if end not in reached:
        yield pair.found(rules.GATE, _GATE, _said(begin, end))


def _place(found: Led) -> _Place:
    assert found.gate is not None  # noqa: S101  asked before
    return _bare(found.milestone), found.gate


@lru_cache(maxsize=64)
def _bare(id_: str | None) -> str | None:
    """A milestone's id in one way of writing: `M3`, `M-03` and `M-3` are the same."""
    return None if id_ is None else "-".join(header.bare_id(id_))


def _grown(places: set[_Place], pair: Pair) -> set[_Place]:
    """What can be reached without anybody's verdict."""
    found = set(places)
    waiting = list(places)
    while waiting:
        milestone, now = waiting.pop()
        more: list[_Place] = []
        if "pending-audit" in states.MILESTONE_GATE[now]:
            more.append((milestone, "pending-audit"))
        if now == "passed" and "open" in states.MILESTONE_GATE[now]:
            more += [(following, "open") for following in _next(milestone, pair)]
        waiting += [place for place in more if place not in found]
        found.update(more)
    return found


def _next(milestone: str | None, pair: Pair) -> Iterator[str | None]:
    """What comes behind a milestone; where no record says it, whatever came."""
    known = [_bare(one.id) for one in pair.context.milestones]
    if milestone in known:
        yield from known[known.index(milestone) + 1 :][:1]
    elif (other := _bare(pair.after.milestone)) != milestone:
        yield other


def _moved(place: _Place, packet: Correction | None) -> Iterator[_Place]:
    """What a folded correction makes of a gate; of one that nobody can find, anything."""
    milestone, now = place
    if now == "passed" and (packet is None or _sends_back(packet, milestone)):
        yield milestone, "open"
    if now != "pending-audit":
        return
    if packet is None or (packet.verdict == "accept" and _is_about(packet, milestone)):
        yield milestone, "passed"
    if packet is None or packet.verdict == "redo":
        yield milestone, "open"


def _sends_back(packet: Correction, milestone: str | None) -> bool:
    return packet.verdict == "redo" and _is_about(packet, milestone)


def _is_about(packet: Correction, milestone: str | None) -> bool:
    return milestone is None or (
        packet.boundary is not None and header.same_id(packet.boundary, [milestone])
    )


def _said(begin: _Place, end: _Place) -> str:
    (milestone, now), (following, then) = begin, end
    if then == "passed":
        return _("{what} passed, and no accept for it was folded", what=following or _("the gate"))
    if milestone != following:
        return _(
            "{milestone} was left for {following}, and no accept for it was folded",
            milestone=milestone,
            following=following,
        )
    if then == "open":
        return _(
            "{what} went back to open, and no redo for it was folded",
            what=milestone or _("the gate"),
        )
    return _("the gate went from {now} to {then}", now=now, then=then)


# Convergence -----------------------------------------------------------------------------------


def convergence(pair: Pair) -> Iterator[Breach]:
    """A due convergence is met by the next round, but for a repair, a fold, or a forced one."""
    before, after = pair.before, pair.after
    tracker, first, last = before.convergence, before.round, after.round
    if not pair.context.ours or tracker is None or first is None or last is None:
        return
    numbers = range(first + 1, min(last, first + _MANY) + 1)
    found = [_round(number, pair) for number in numbers]
    yield from _grew(pair, found)
    if any(one is None for one in found) or tracker.due is None:
        return
    every = tracker.every or pair.context.count("CONVERGE_EVERY")
    cap = tracker.cap or pair.context.count("NET_LINE_CAP")
    k, m, due = tracker.k or 0, tracker.m or 0, tracker.due
    begun = due
    folds, last_fold = len(pair.folded()), after.folded_after
    if folds and last_fold is not None:
        folds -= 1  # of the last one it is known before which round it was
    red = _is_red(_round(first, pair)) or before.folded_after == first
    for one in found:
        assert one is not None  # noqa: S101  looked at above
        follows = pair.folded() and last_fold is not None and one.number == last_fold + 1
        if due and not (one.converge or one.failed or one.forced or red or follows):
            if not folds:
                line = _line(pair, one)
                says = _(
                    "R{number} did not converge, though a convergence round was due",
                    number=one.number,
                )
                yield at(rules.CARRIED, pair.seen.step, LEDGER, line, says)
                return
            folds -= 1
        red = one.failed
        k, m = (0, 0) if one.converge else (k + 1, m + _balance(one))
        due = states.convergence_due(rounds=k, every=every, net=m, cap=cap)
        begun = begun and not one.converge
    now = after.convergence
    if begun and now is not None and now.due is False:
        says = _("the flag `next round converges` went back to no, and no round converged")
        yield at(rules.CARRIED, pair.seen.step, LEDGER, now.line, says)


def _grew(pair: Pair, found: Sequence[Round | None]) -> Iterator[Breach]:
    for one in found:
        if one and one.converge and not one.forced and _balance(one) > 0 and one.net:
            says = _(
                "R{number} is tagged CONVERGE, and has +{added}/-{removed}",
                number=one.number,
                added=one.net.added,
                removed=one.net.removed,
            )
            yield at(rules.GREW, pair.seen.step, LEDGER, _line(pair, one), says)


def _round(number: int, pair: Pair) -> Round | None:
    """A recorded round, live or archived."""
    for found in (pair.after, pair.before):
        for one in found.rounds:
            if one.number == number:
                return one
    return pair.context.archive.round(number)


def _line(pair: Pair, one: Round) -> int:
    entry = pair.after.log.get(f"R{one.number}")
    return entry.line if entry else pair.after.lines.get("Convergence tracker", 0)


def _is_red(one: Round | None) -> bool:
    return one is not None and one.failed


def _balance(one: Round) -> int:
    return one.net.added - one.net.removed if one.net else 0


# Rounds that are counted -----------------------------------------------------------------------


def counted(pair: Pair) -> Iterator[Breach]:
    """Each round that the header counts stands in the log or, by the end, in the archive."""
    first, last = pair.before.round, pair.after.round
    if not pair.context.ours or first is None or last is None or last - first > _MANY:
        return
    for number in range(first + 1, last + 1):
        id_ = f"R{number}"
        if id_ not in pair.after.log and id_ not in pair.context.archive.ids:
            says = _("{id} is counted, and its line is nowhere", id=id_)
            yield pair.found(rules.LOST, "Round", says)


# What only goes forward ------------------------------------------------------------------------


def forward(pair: Pair) -> Iterator[Breach]:
    """The watermark, the count of rounds, and what is audited."""
    before, after = pair.before, pair.after
    if before.folded is not None and after.folded is not None:
        if after.folded < before.folded:
            says = _(
                "the watermark went back from {before} to {now}",
                before=_d(before.folded),
                now=_d(after.folded),
            )
            yield pair.found(rules.FORWARD, _WATERMARK, says)
        elif after.folded > before.folded:
            yield from _ahead(pair, after.folded)
    if before.round is not None and after.round is not None and after.round < before.round:
        says = _("Round went back from {before} to {now}", before=before.round, now=after.round)
        yield pair.found(rules.FORWARD, "Round", says)


def _ahead(pair: Pair, folded: int) -> Iterator[Breach]:
    """A watermark above everything that was ever written."""
    queue = pair.seen.queue
    state = queue.state if queue else None
    if not pair.context.ours or queue is None:
        return
    if state is None or state.highest is None or "D" not in state.highest:
        return
    written = max([state.highest["D"], *(one.number for one in queue.corrections)])
    if folded > written:
        says = _(
            "{folded} is folded, but the queue goes to {id}", folded=_d(folded), id=_d(written)
        )
        yield pair.found(rules.FORWARD, _WATERMARK, says)


def _d(number: int) -> str:
    return f"D-{number:03}" if number else "none"


MACHINES: Final[tuple[Callable[[Pair], Iterator[Breach]], ...]] = (
    *(status, gate, convergence, counted, forward),
)
