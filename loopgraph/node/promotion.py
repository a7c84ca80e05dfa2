"""Promotion: ask for a milestone, accept or redo it, and go on to the next."""

from __future__ import annotations

from loopgraph.edges.change import Change
from loopgraph.edges.ledger import Ledger
from loopgraph.edges.run import Run
from loopgraph.model.errors import RefusedError, UsageError, nearest
from loopgraph.model.messages import _
from loopgraph.model.spec import Milestone
from loopgraph.node import call as parts
from loopgraph.node import directives, lane, results, rounds
from loopgraph.node import draft as drafts
from loopgraph.node.call import LEDGER, Call
from loopgraph.node.directives import Packet
from loopgraph.node.draft import Draft
from loopgraph.node.results import Check, Result
from loopgraph.plain import header, law, quoting, when

_GATE = "Milestone gate"
_ASKED = "asked "
_TITLE = 160
"""Characters of an outcome that the Status header carries, as a fresh ledger does."""


def request(  # noqa: PLR0913  what a request is made of
    run: Run, call: Call, id_: str, *, surface: str, evidence: str, context: str = "none"
) -> Change:
    """Fill Pending promotion and set the gate `pending-audit`."""
    parts.writes(run, call, "ledger", "promote request")
    found = parts.ledger(run)
    milestone = _milestone(run, id_)
    if found.milestone and not lane.is_same(found.milestone, milestone.id):
        raise RefusedError(
            _("the run is at {milestone}, not at {id}", milestone=found.milestone, id=milestone.id),
            where=lane.place(found, "Current milestone"),
            fix=_("Ask for {milestone}.", milestone=found.milestone),
        )
    gate = parts.known(found.gate, found, _GATE)
    draft = drafts.begin(run)
    at = f"{milestone.id} ({_ASKED}{call.now} at R{found.round})"
    draft = directives.asked_for(
        draft,
        at,
        parts.said(surface, "--surface"),
        parts.said(evidence, "--evidence"),
        parts.said(context, "--context"),
    )
    if gate != "n/a":
        draft = directives.gated(draft, "pending-audit", f"{milestone.id}, R{found.round}")
        draft = _off_surface(draft)
    return draft.say(_("{id} waits for its audit.", id=milestone.id)).change()


def _off_surface(draft: Draft) -> Draft:
    """A slice on the surface under audit gives way to the highest legal debt row, else to none."""
    found = draft.ledger
    closed = [path for path in lane.taken(draft.run, found) if law.is_path(path)]
    current = found.slice.write_set.text if found.slice and found.slice.write_set else ""
    if law.disjoint([p for p in law.write_set(current) if law.is_path(p)], closed):
        return draft
    rows = sorted(found.gaps, key=lambda gap: (gap.priority or "", gap.number or 0))
    free = (
        gap
        for gap in rows
        if (paths := law.write_set(gap.write_set or "")) and law.disjoint(paths, closed)
    )
    row = next(free, None)
    item = f"{row.id} {row.text}" if row else "none: the milestone is under audit"
    draft = draft.status("Next unclosed work item", quoting.inline(item))
    return rounds.cut(draft, item).say(_("Meanwhile: {item}", item=item))


def _milestone(run: Run, id_: str) -> Milestone:
    milestones = parts.spec(run).milestones
    for one in milestones:
        if header.same_id(id_, [one.id]):
            return one
    raise UsageError(
        _("no such milestone"), where=id_, fix=nearest(id_, [m.id for m in milestones])
    )


# Accept and redo -------------------------------------------------------------------------------


def accept(run: Run, call: Call, id_: str, gathered: tuple[Result, ...], *, tree: str) -> Change:
    """Accept a milestone by the judge's own gate results, fresh and on the tree as it is now."""
    parts.writes(run, call, "directives", "promote accept")
    found = parts.ledger(run)
    milestone = _milestone(run, id_)
    asked = _asked(found, milestone)
    judge = parts.writer(run, "directives")
    who = (judge, "owner")
    shown: list[str] = []
    for check in results.checks(milestone.id, milestone.exit_checks):
        result = results.newest(gathered, check.id, who)
        lacks = _lacks(result, asked, tree)
        if result is not None and not lacks and not result.passed:
            raise RefusedError(
                _("{id} failed: {evidence}", id=check.id, evidence=result.evidence),
                where=milestone.id,
                fix=_(
                    "Send it back: loopgraph promote redo {id} --missing … --verify …",
                    id=milestone.id,
                ),
            )
        if lacks or result is None:
            raise RefusedError(
                _(
                    "{id} has no fresh result of the {judge}: {lacks}",
                    id=check.id,
                    judge=judge,
                    lacks=lacks,
                ),
                where=milestone.id,
                fix=_way(check, judge),
            )
        shown.append(f"{check.id} {result.evidence}")
    packet = Packet(
        "accept",
        milestone.id,
        f"R{found.round}",
        f"go on behind {milestone.id}; it is accepted",
        _shortened("; ".join(shown)),
        "none",
    )
    draft, number = directives.appended(drafts.begin(run), call, packet)
    return draft.say(
        _("{number} accepts {id}; the executor folds it.", number=number, id=milestone.id)
    ).change()


def _way(check: Check, judge: str) -> str:
    if check.id.startswith("G"):
        return _(
            "Run it on this tree: loopgraph gate run {id} --as {judge}", id=check.id, judge=judge
        )
    return _(
        "Look whether “{says}”, then say: "
        "loopgraph gate run --result {id}=pass --evidence POINTER --as {judge}",
        says=check.says,
        id=check.id,
        judge=judge,
    )


def _shortened(said: str) -> str:
    """As much as one field of a packet takes; the results themselves are under evidence/."""
    cap = parts.LONGEST - 1
    return said if len(said) <= cap else f"{said[:cap]}…"


def _lacks(result: Result | None, asked: float, tree: str) -> str:
    if result is None:
        return _("there is none")
    if when.instant(result.time) < asked:
        return _("that of {time} was recorded before the request", time=result.time)
    if result.tree != tree:
        return _("that of {time} was recorded on another tree", time=result.time)
    return ""


def _asked(found: Ledger, milestone: Milestone) -> float:
    """When the promotion was asked for; refused where it was not, or for another boundary."""
    field = found.promotion.boundary if found.promotion else None
    if field is None or field.empty:
        raise RefusedError(
            _("nobody asked for {id}", id=milestone.id),
            where=f"{LEDGER}:{found.promotion.line}" if found.promotion else LEDGER,
            fix=_("The executor asks: loopgraph promote request {id}", id=milestone.id),
        )
    boundary = header.milestone(field.text)
    if not lane.is_same(boundary, milestone.id):
        raise RefusedError(
            _(
                "{boundary} waits for its audit, not {id}",
                boundary=boundary or _("nothing"),
                id=milestone.id,
            ),
            where=f"{LEDGER}:{field.line}",
            fix=_("Judge {boundary}.", boundary=boundary) if boundary else "",
        )
    moment = field.text.partition(_ASKED)[2].partition(" ")[0].rstrip(")")
    return when.instant(moment)


def redo(  # noqa: PLR0913  what a packet is made of
    run: Run, call: Call, id_: str, *, missing: str, verify: str, context: str = "none"
) -> Change:
    """Send a milestone back, naming what is missing."""
    parts.writes(run, call, "directives", "promote redo")
    milestone = _milestone(run, id_)
    _asked(parts.ledger(run), milestone)
    packet = Packet("redo", milestone.id, context, missing, verify, "none")
    draft, number = directives.appended(drafts.begin(run), call, packet)
    return draft.say(
        _("{number} sends {id} back; the executor folds it.", number=number, id=milestone.id)
    ).change()


# Next ------------------------------------------------------------------------------------------


def go_on(run: Run, call: Call) -> Change:
    """Open the next milestone behind one that is passed."""
    parts.writes(run, call, "ledger", "milestone next")
    found = parts.ledger(run)
    gate = parts.known(found.gate, found, _GATE)
    place = lane.place(found, _GATE)
    if gate != "passed":
        raise RefusedError(
            _(
                "the gate of {milestone} is {gate}",
                milestone=found.milestone or _("this run"),
                gate=gate,
            ),
            where=place,
            fix=_("It is passed once an accept for it is folded: loopgraph directive fold D-nnn"),
        )
    folded = parts.known(found.folded, found, "Last directive folded")
    ids = [n for kind, n, _ in header.ids(found.fields[_GATE].text) if kind == "D"]
    if not ids or ids[0] > folded:
        raise RefusedError(
            _("the gate says passed, but no accept for it is folded"),
            where=place,
            fix=_("Set it back to pending-audit, and let the supervisor accept."),
        )
    milestones = parts.spec(run).milestones
    at = next(
        (n for n, one in enumerate(milestones) if lane.is_same(found.milestone, one.id)), None
    )
    if at is None or at + 1 == len(milestones):
        raise RefusedError(
            _("{milestone} is the last milestone", milestone=found.milestone),
            where=lane.place(found, "Current milestone"),
            fix=_("End the run: loopgraph finish exit-ready"),
        )
    return _opened(drafts.begin(run), call, milestones[at + 1], f"D-{ids[0]:03}")


def _opened(draft: Draft, call: Call, following: Milestone, by: str) -> Change:
    found = draft.ledger
    asked = found.promotion.evidence if found.promotion else None
    proof = f"; {asked.text}" if asked and not asked.empty else ""
    closed = f"{found.milestone} closed {call.day}, accepted by {by}, R{found.round}{proof}"
    draft = draft.add(LEDGER, rounds.SNAPSHOT, [f"- {quoting.inline(closed)}"])
    short = len(following.outcome) <= _TITLE and "|" not in following.outcome
    name = following.outcome if short else ""
    draft = draft.status("Current milestone", f"{following.id} {quoting.inline(name)}".strip())
    draft = directives.gated(draft, "open", following.id)
    draft = directives.asked_for(draft)
    item = f"{following.id}: the first slice towards its exit checks"
    draft = draft.status("Next unclosed work item", quoting.inline(item))
    values = (
        item,
        following.write_set,
        "none",
        following.exit_checks,
        "the slice's own check passes",
    )
    for field, said in zip(header.SLICE, values, strict=True):
        draft = draft.entry(LEDGER, rounds.SLICE, header.SLICE, field, quoting.inline(said))
    return draft.say(_("{id} is open.", id=following.id)).change()
