"""The end of a run: exit-ready, stalled, closed, and the way back from stalled."""

from __future__ import annotations

from loopgraph.edges.change import Change
from loopgraph.edges.ledger import Ledger
from loopgraph.edges.run import Run
from loopgraph.model import states
from loopgraph.model.errors import RefusedError, UsageError
from loopgraph.model.messages import _
from loopgraph.model.states import RunStatus
from loopgraph.node import call as parts
from loopgraph.node import draft as drafts
from loopgraph.node import lane, rounds, sweep
from loopgraph.node import speaker as who
from loopgraph.node.call import DIRECTIVES, LEDGER, Call
from loopgraph.node.draft import Draft
from loopgraph.plain import quoting

_FIELD = "Run status"


def exit_ready(run: Run, call: Call, *, why: str) -> Change:
    """Say that everything is done and the whole proof has passed."""
    parts.writes(run, call, "ledger", "finish exit-ready")
    found = parts.ledger(run)
    _may(found, "exit-ready")
    rounds.recorded(found)
    for law in (_rows, _debt, _unfolded, _boundary):
        law(run, found)
    if reason := sweep.dry(run):
        raise RefusedError(reason, where=lane.place(found, "Discovery tracker"), fix=_("Sweep on."))
    return _to(run, "exit-ready", parts.said(why, "--why"))


def _rows(_run: Run, found: Ledger) -> None:
    left = [row for row in found.scoreboard if row.status != "closed"]
    if left:
        raise RefusedError(
            _(
                "{count} rows of the Gate scoreboard are not closed, first {gate}",
                count=len(left),
                gate=left[0].gate,
            ),
            where=f"{LEDGER}:{left[0].line}",
            fix=_("Close each with evidence: loopgraph gate set GATE --status closed --evidence …"),
        )


def _debt(_run: Run, found: Ledger) -> None:
    left = [gap for gap in found.gaps if gap.priority in ("P0", "P1")]
    if left:
        raise RefusedError(
            _("{names} must be closed first", names=", ".join(gap.id or "?" for gap in left)),
            where=f"{LEDGER}:{left[0].line}",
            fix=_("Close it with evidence: loopgraph gap close GAP-nnn --evidence …"),
        )


def _unfolded(run: Run, found: Ledger) -> None:
    left = parts.directives(run).waiting(found.folded)
    if left:
        raise RefusedError(
            _("{id} is not folded", id=left[0].id),
            where=f"{DIRECTIVES}:{left[0].line}",
            fix=_("loopgraph directive fold {id} --effect …", id=left[0].id),
        )


def _boundary(run: Run, found: Ledger) -> None:
    """The last milestone is passed, or asked for along with this."""
    milestones = run.record.spec.milestones if run.record else ()
    gate = parts.known(found.gate, found, "Milestone gate")
    if gate == "n/a":
        return
    if milestones and not lane.is_same(found.milestone, milestones[-1].id):
        raise RefusedError(
            _("{milestone} is not the last milestone", milestone=found.milestone),
            where=lane.place(found, "Current milestone"),
            fix=_("{id} comes last: loopgraph milestone next", id=milestones[-1].id),
        )
    if gate == "open":
        raise RefusedError(
            _("{milestone} was not asked for", milestone=found.milestone),
            where=lane.place(found, "Milestone gate"),
            fix=_(
                "First loopgraph promote request {milestone} --surface … --evidence …, "
                "then say this again.",
                milestone=found.milestone,
            ),
        )


def met(draft: Draft, by: str) -> Draft:
    """The last milestone's accept is folded: it closes the run if that is exit-ready."""
    found = draft.ledger
    if found.status != "exit-ready":
        return draft
    waiting = draft.directives.waiting(found.folded)
    left = [
        *(row.gate or "a row" for row in found.scoreboard if row.status != "closed"),
        *(gap.id or "a gap" for gap in found.gaps if gap.priority in ("P0", "P1")),
        *(packet.id for packet in waiting),
    ]
    if left:
        return draft.say(_("The run is not closed yet: {left}", left=", ".join(left)))
    said = quoting.inline(f"goal met: {by}{_dropped(found)}")
    draft = draft.status(_FIELD, f"`closed` ({said})")
    return _ended(draft.say(_("Run status: {status}.", status="closed")))


def stalled(run: Run, call: Call, *, why: str) -> Change:
    """Say that the run cannot go on, with the diagnosis."""
    parts.writes(run, call, "ledger", "finish stalled")
    _may(parts.ledger(run), "stalled")
    return _to(run, "stalled", parts.said(why, "--why"))


def closed(run: Run, call: Call, *, why: str) -> Change:
    """End the run for good: by the supervisor once it is exit-ready, by the owner at any time."""
    found = parts.ledger(run)
    who.require(
        call.speaker, ("supervisor", "owner"), what=_("`finish closed` ends the run, which")
    )
    _may(found, "closed")
    reason = parts.said(why, "--why")
    if call.by_owner:
        return _ended(_moved(run, "closed", f"owner: {reason}{_dropped(found)}")).change()
    if found.status == "active":
        raise RefusedError(
            _("the run is active"),
            where=lane.place(found, _FIELD),
            fix=_("The executor says exit-ready first; only the owner ends a run before."),
        )
    _unfolded(run, found)
    asked = found.promotion and not found.promotion.empty
    if found.gate == "pending-audit" or (found.gate == "n/a" and asked):
        raise RefusedError(
            _("{milestone} waits for its audit", milestone=found.milestone),
            where=lane.place(found, "Milestone gate"),
            fix=_("Accept or redo it, and let the executor fold that."),
        )
    return _ended(_moved(run, "closed", f"{reason}{_dropped(found)}")).change()


def _ended(draft: Draft) -> Draft:
    """Say what is left to do around a run that is closed, and where to read what it did."""
    slug = draft.run.record.spec.slug if draft.run.record else "RUN"
    draft = draft.say(
        _("What it did: loopgraph rounds {run} --all, loopgraph decisions {run}", run=slug)
    ).say(
        _(
            "End the loop or timer of each node where it was started; a fire that still comes "
            "ends at once."
        )
    )
    if not _dropped(draft.ledger):
        return draft
    return draft.say(_("To go on with what is open: loopgraph new --from {run}", run=slug))


def _dropped(found: Ledger) -> str:
    """What was still open, by name; a closed run says it."""
    rows = [row.gate or "a row" for row in found.scoreboard if row.status != "closed"]
    names = [*rows, *(gap.id or "a gap" for gap in found.gaps)]
    return f"; dropped: {', '.join(names)}" if names else ""


def resume(run: Run, call: Call, *, why: str) -> Change:
    """Take a stalled run up again; the owner's."""
    parts.owners(call, "resume", _("the run's status"))
    found = parts.ledger(run)
    if found.status != "stalled":
        raise UsageError(_("it is not stalled"), where=lane.place(found, _FIELD))
    return _to(run, "active", f"resumed by owner: {parts.said(why, '--why')}")


def _may(found: Ledger, to: RunStatus) -> None:
    now: RunStatus = parts.known(found.status, found, _FIELD)
    if to not in states.RUN[now]:
        after = ", ".join(sorted(states.RUN[now])) or _("nothing")
        raise RefusedError(
            _("the run is {now} and cannot become {to}", now=now, to=to),
            where=lane.place(found, _FIELD),
            fix=_("After {now} comes: {after}.", now=now, after=after),
        )


def _to(run: Run, status: RunStatus, note: str) -> Change:
    return _moved(run, status, note).change()


def _moved(run: Run, status: RunStatus, note: str) -> Draft:
    said = quoting.inline(" ".join(note.split()))
    draft = drafts.begin(run).status(_FIELD, f"`{status}` ({said})")
    return draft.say(_("Run status: {status}.", status=status))
