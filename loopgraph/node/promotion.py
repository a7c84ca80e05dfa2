"""Promotion: ask for a milestone, accept or redo it, and go on to the next."""

from __future__ import annotations

import re

from loopgraph.edges.change import Change
from loopgraph.edges.ledger import Ledger
from loopgraph.edges.run import Run
from loopgraph.model.errors import RefusedError, UsageError, nearest
from loopgraph.model.messages import _
from loopgraph.model.spec import Milestone
from loopgraph.node import call as parts
from loopgraph.node import directives, lane, results, rounds
from loopgraph.node import draft as drafts
from loopgraph.node.call import DIRECTIVES, LEDGER, Call
from loopgraph.node.directives import Packet
from loopgraph.node.draft import Draft
from loopgraph.node.results import Check, Result
from loopgraph.plain import header, law, quoting, when

_GATE = "Milestone gate"
_ASKED = "asked "
_TITLE = 160
"""Characters of an outcome that the Status header carries, as a fresh ledger does."""


def request(  # noqa: PLR0913  what a request is made of
    run: Run,
    call: Call,
    id_: str,
    *,
    surface: str,
    evidence: str,
    context: str = "none",
    there: frozenset[str] | None = None,
) -> Change:
    """Fill Pending promotion and set the gate `pending-audit`.

    `there`: which words of the surface are paths of the workspace; None where nobody has looked.
    """
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
    _once(run, found, milestone)
    rounds.recorded(found)
    _green(found, milestone)
    said = parts.said(surface, "--surface")
    strange = _auditable(run, said, there)
    if header.is_none(evidence):
        raise RefusedError(
            _("nothing shows that its exit checks are green"),
            where="--evidence",
            fix=_("Name rounds, results of gates, or files under evidence/."),
        )
    draft = drafts.begin(run)
    at = f"{milestone.id} ({_ASKED}{call.now} at R{found.round})"
    draft = directives.asked_for(
        draft,
        at,
        said,
        parts.said(evidence, "--evidence"),
        parts.said(context, "--context"),
    )
    if gate != "n/a":
        draft = directives.gated(draft, "pending-audit", f"{milestone.id}, R{found.round}")
        draft = _off_surface(draft)
    draft = draft.say(_("{id} waits for its audit.", id=milestone.id))
    return (draft.say(strange) if strange else draft).change()


def _once(run: Run, found: Ledger, milestone: Milestone) -> None:
    """A milestone is asked for once, and not behind its accept."""
    if found.gate == "passed":
        raise RefusedError(
            _("{id} is passed already", id=milestone.id),
            where=lane.place(found, _GATE),
            fix=_on(run, found),
        )
    if found.gate == law.PENDING or (found.promotion and not found.promotion.empty):
        raise RefusedError(
            _("{id} already waits for its audit", id=milestone.id),
            where=lane.place(found, _GATE),
            fix=_("See: loopgraph next"),
        )


def _on(run: Run, found: Ledger) -> str:
    """What follows a milestone that is passed."""
    if lane.last(run, found):
        return _("Go on: loopgraph finish exit-ready --why PROOF")
    return _("Go on: loopgraph milestone next")


def _green(found: Ledger, milestone: Milestone) -> None:
    """Its exit-check row is closed, as far as the scoreboard has one."""
    for row in lane.exit_rows(found, milestone.id):
        if row.status != "closed":
            raise RefusedError(
                _("the row “{gate}” is not closed", gate=row.gate),
                where=f"{LEDGER}:{row.line}",
                fix=_(
                    "Once its checks are green: loopgraph gate set '{gate}' --status closed "
                    "--evidence …",
                    gate=(row.gate or "").partition(":")[0].partition("：")[0],
                ),
            )


def named(surface: str) -> tuple[str, ...]:
    """What a surface may mean by a path: its words, and what stands between its commas."""
    parted = surface.replace("`", " ").replace("、", ",").replace("，", ",").replace(";", ",")
    whole = [said.strip() for said in parted.split(",")]
    return tuple(dict.fromkeys((*law.write_set(surface), *filter(None, whole))))


def _auditable(run: Run, surface: str, there: frozenset[str] | None) -> str:
    """Refuse a surface that nobody can audit; which of its paths are not there comes back."""
    gates = [one.id for one in parts.spec(run).gates]
    cited = [written for kind, _n, written in header.ids(surface) if kind == "G"]
    known = [word for word in named(surface) if there is None or word in there]
    if header.is_none(surface) or not (known or any(header.same_id(id_, gates) for id_ in cited)):
        raise RefusedError(
            _("it names neither a path of the workspace nor a gate"),
            where=f"--surface {surface}",
            fix=_("Name the exact paths, and gates as G-1, that are to be audited."),
        )
    inside = " ".join(known)
    gone = [word for word in law.write_set(surface) if law.is_path(word) and word not in inside]
    return _("Not in the workspace: {paths}", paths=", ".join(gone)) if gone else ""


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
    _open(run, found, milestone)
    if found.gate == "passed" and lane.is_same(found.milestone, milestone.id):
        raise RefusedError(
            _("{id} is passed already", id=milestone.id),
            where=lane.place(found, _GATE),
            fix=_("The executor goes on; to send it back: loopgraph promote redo {id}", id=id_),
        )
    asked = _asked(found, milestone)
    judge = parts.writer(run, "directives")
    who = (judge, "owner")
    shown: list[str] = []
    red: list[str] = []
    lacking: list[str] = []
    ways: list[str] = []
    for check in wanted(run, milestone):
        result = results.newest(gathered, check.id, who)
        lacks = _lacks(result, asked, tree)
        if result is not None and not lacks and not result.passed:
            red.append(_("{id} failed: {evidence}", id=check.id, evidence=result.evidence))
        elif lacks or result is None:
            says = _(
                "{id} has no fresh result of the {judge}: {lacks}",
                id=check.id,
                judge=judge,
                lacks=lacks,
            )
            lacking.append(says)
            ways.append(_way(check, judge))
        else:
            shown.append(f"{check.id} {result.evidence}")
    for one in vetoes(run, milestone, gathered, who=who, asked=asked):
        says = _("{id} failed: {evidence}", id=one.check, evidence=one.evidence)
        (red if one.tree == tree else lacking).append(says)
        ways += [] if one.tree == tree else [_way(Check(one.check, one.check), judge)]
    if red:
        raise RefusedError(
            "; ".join((*red, *lacking)),
            where=milestone.id,
            fix=_(
                "Send it back: loopgraph promote redo {id} --missing … --verify …",
                id=milestone.id,
            ),
        )
    if lacking:
        raise RefusedError("; ".join(lacking), where=milestone.id, fix="; ".join(ways))
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


def wanted(run: Run, milestone: Milestone) -> tuple[Check, ...]:
    """What an accept needs a fresh pass of: each exit check, and each gate of the surface."""
    found = parts.ledger(run).promotion
    surface = found.surface.text if found and found.surface else ""
    cited = {written for kind, _n, written in header.ids(surface) if kind == "G"}
    known = {one.id: one for one in parts.spec(run).gates}
    exits = results.checks(milestone.id, milestone.exit_checks)
    named = [
        Check(id_, gate.name, exits=False)
        for id_, gate in known.items()
        if header.same_id(id_, list(cited)) and id_ not in {check.id for check in exits}
    ]
    return (*exits, *named)


def vetoes(
    run: Run,
    milestone: Milestone,
    gathered: tuple[Result, ...],
    *,
    who: tuple[str, ...],
    asked: float,
) -> tuple[Result, ...]:
    """Other gates that the judge saw fail since the request, and that were green before the run.

    Of what was red before the first edit the Baseline line says so.
    """
    needed = {check.id for check in wanted(run, milestone)}
    before = red_before(run)
    found: list[Result] = []
    for gate in parts.spec(run).gates:
        result = results.newest(gathered, gate.id, who)
        if result is None or result.passed or gate.id in needed or gate.id in before:
            continue
        if when.instant(result.time) >= asked:
            found.append(result)
    return tuple(found)


_GREEN = re.compile(r"\b(?:pass\w*|green|ok|clean)\b|通过|全绿", re.IGNORECASE)
_CLAUSE = re.compile(r"[;,。；，]|\.\s")


def red_before(run: Run) -> set[str]:
    """The gates of which the Baseline says that they failed before the first edit."""
    document = run.document(LEDGER)
    section = document.section(rounds.SNAPSHOT) if document else None
    body = list(document.body(section)) if document and section else []
    _at, said = header.fields(body, ("Baseline",)).get("Baseline", (0, ""))
    clauses = [clause for clause in _CLAUSE.split(said) if not _GREEN.search(clause)]
    return {written for c in clauses for kind, _n, written in header.ids(c) if kind == "G"}


def _way(check: Check, judge: str) -> str:
    if check.id.startswith("G"):
        return _(
            "Run it on this tree: loopgraph gate run {id} --as {judge}", id=check.id, judge=judge
        )
    return _(
        "Look whether “{says}”, then say: "
        'loopgraph gate run --result "{id}=pass|fail" --evidence POINTER --as {judge}',
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
    run: Run,
    call: Call,
    id_: str,
    *,
    missing: str,
    verify: str,
    context: str | None = None,
    gathered: tuple[Result, ...] = (),
) -> Change:
    """Send a milestone back, naming what is missing; also one that is passed and not left yet.

    Without a context of its own the packet names the round, and what was red since the request.
    """
    parts.writes(run, call, "directives", "promote redo")
    found = parts.ledger(run)
    milestone = _milestone(run, id_)
    _open(run, found, milestone)
    _left(run, found, milestone)
    here = lane.is_same(found.milestone, milestone.id)
    asked = 0.0 if found.gate == "passed" and here else _asked(found, milestone)
    if context is None:
        who = (parts.writer(run, "directives"), "owner")
        newest = [results.newest(gathered, check.id, who) for check in wanted(run, milestone)]
        seen = [one for one in newest if one and when.instant(one.time) >= asked]
        seen += vetoes(run, milestone, gathered, who=who, asked=asked)
        red = [f"{one.check} failed: {_uncited(one.evidence)}" for one in seen if not one.passed]
        context = _shortened("; ".join((f"R{found.round}", *red)))
    packet = Packet("redo", milestone.id, context, missing, verify, "none")
    draft, number = directives.appended(drafts.begin(run), call, packet)
    return draft.say(
        _("{number} sends {id} back; the executor folds it.", number=number, id=milestone.id)
    ).change()


def _uncited(evidence: str) -> str:
    """What a result says, where it cites no row of the context index: that would have to exist."""
    return "see evidence/" if any(kind == "C" for kind, *_ in header.ids(evidence)) else evidence


def _open(run: Run, found: Ledger, milestone: Milestone) -> None:
    """A milestone is judged while the run goes on, and once: the executor folds the verdict."""
    if found.status == "closed":
        raise RefusedError(
            _("the run is closed"),
            where=lane.place(found, "Run status"),
            fix=_("What is left is a new run's: loopgraph new --from RUN"),
        )
    given = parts.directives(run).judged(found.folded, milestone.id)
    if given is not None:
        raise RefusedError(
            _(
                "{number} ({verdict}) of {id} is not folded yet",
                number=given.id,
                verdict=given.verdict,
                id=milestone.id,
            ),
            where=f"{DIRECTIVES}:{given.line}",
            fix=_("The executor folds it: loopgraph directive fold {id} --effect …", id=given.id),
        )


def _left(run: Run, found: Ledger, milestone: Milestone) -> None:
    """A milestone that the run has left is mended by a plan: the gate is another one's now."""
    ids = [one.id for one in parts.spec(run).milestones]
    at = next((n for n, one in enumerate(ids) if lane.is_same(found.milestone, one)), 0)
    if ids.index(milestone.id) < at:
        raise RefusedError(
            _("{id} is left already; the run is at {now}", id=milestone.id, now=found.milestone),
            where=lane.place(found, "Current milestone"),
            fix=_(
                "Have it mended: loopgraph directive add plan --milestone {id} --action … "
                "--verify …",
                id=milestone.id,
            ),
        )


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
    waiting = parts.directives(run).waiting(found.folded)
    if waiting:
        raise RefusedError(
            _("{ids} must be folded first", ids=", ".join(packet.id for packet in waiting)),
            where=f"{DIRECTIVES}:{waiting[0].line}",
            fix=_("loopgraph directive fold {id} --effect …", id=waiting[0].id),
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
