"""Plans by command: start one, bind a session to it, check its rows, complete it with evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, get_args

from loopgraph.edges import plans as edge
from loopgraph.edges.places import Change, Files, plan_ledger
from loopgraph.model.errors import RefusedError, UnreadableError, UsageError, nearest
from loopgraph.model.messages import _
from loopgraph.node import stops
from loopgraph.node.speaker import Session, Speaker
from loopgraph.plain import places
from loopgraph.plain import plan as grammar
from loopgraph.plain.plan import Checklist
from loopgraph.plain.works import Work

Mode = Literal["make-pr", "ship"]
MODES: Final[tuple[Mode, ...]] = get_args(Mode)
REENTRY: Final = ("progress", "strict")

APPROVAL: Final = "<!-- loopgraph: executed only on the owner's approval -->"
"""A line of a plan that no agent begins by itself."""

_LENGTH: Final = 40


class Started(NamedTuple):
    """How a plan is worked on."""

    plan: str
    """Its path below the workspace, or an absolute one of a linked worktree."""
    mode: Mode | None = None
    worktree: str = ""
    endless: bool = False
    reentry: str = ""
    goal: str = ""
    approved: str = ""
    """The owner's words, where an agent relays an approval."""


def wanted() -> tuple[str, ...]:
    """The files that these commands read."""
    return (places.PLANS, places.BOULDER, places.STOP)


def needs_approval(text: str) -> bool:
    """Whether a plan says that only the owner may begin it."""
    return any(line.strip() == APPROVAL for line in text.splitlines())


def checklist(text: str) -> Checklist:
    """The rows of a plan, from its text as files are read here; a huge one is refused."""
    data = text.encode("utf-8", "surrogateescape")
    if len(data) > grammar.LIMIT:
        raise UnreadableError(
            _("a plan larger than {value} MiB", value=grammar.LIMIT >> 20), fix=_("Split it.")
        )
    return grammar.read(data)


def problems(found: Checklist) -> tuple[tuple[str, int, str], ...]:
    """What is wrong with a plan: error or warning, the line (0 for the whole), and what."""
    said: list[tuple[str, int, str]] = []
    if not found.rows:
        what = (
            _("below `## TODOs` or `## Final Verification Wave`")
            if found.structured
            else _("in it")
        )
        said.append(("error", 0, _("no-plan: no row counts {what}", what=what)))
    elif not found.total:
        said.append(("error", 0, _("no-plan: no row is open or done")))
    said += [
        ("error", line, _("what opens here is never closed, and hides the rows below it"))
        for line in found.unclosed
    ]
    said += [
        ("warning", row.line, _("neither open nor done: {row}", row=row.label))
        for row in found.rows
        if row.state == grammar.OTHER
    ]
    return tuple(said)


def start(  # noqa: PLR0913  what a plan is begun with
    files: Files,
    started: Started,
    found: Checklist,
    *,
    session: Session | None,
    now: str,
    unapproved: bool = False,
) -> Change:
    """Begin or go on with a plan: its session is sent back to it until it is completed.

    `unapproved`: it waits for the owner's approval, and no person is speaking.
    """
    if not found.rows:
        raise RefusedError(
            _("no row of it counts, so there is nothing to go on with"),
            where=started.plan,
            fix=_("See: loopgraph plan check {plan}", plan=started.plan),
        )
    source = files.get(places.PLANS)
    works = edge.read(source)
    same = [work for work in works if work.plan == started.plan]
    going = next((work for work in same if work.goes_on()), None)
    if going is None and same and not found.remaining and not found.others:
        raise RefusedError(
            _("every row is ticked, and it is completed"),
            where=started.plan,
            fix=_("Open a row of it, or start another plan."),
        )
    if unapproved and going is None and not started.approved.strip():
        raise RefusedError(
            _("it is executed only on the owner's approval"),
            where=started.plan,
            fix=_("Ask the owner, then relay their words: --approved TEXT."),
        )
    name = going.id if going else _free(started.plan, {work.id for work in works})
    sessions = going.sessions if going else []
    if session and not any(session.is_named(one) for one in sessions):
        sessions = [*sessions, session.named]
    fields: dict[str, object] = {
        "work_id": name,
        "active_plan": started.plan,
        "plan_name": started.plan.rpartition("/")[2].removesuffix(".md"),
        "status": "active",
        "session_ids": sessions,
        "started_at": going.began if going else now,
        "updated_at": now,
    }
    extra: dict[str, object] = {
        "mode": started.mode,
        "worktree_path": started.worktree or None,
        "endless": started.endless or None,
        "reentry": started.reentry or None,
        "goal": started.goal or None,
        "approved": started.approved.strip() or None,
    }
    # What an earlier start said holds on unless this one says otherwise.
    fields |= {key: value for key, value in extra.items() if value is not None}
    text = edge.with_work(source, name, fields)
    says = (*stops.note(files), *_told(name, started, found, session))
    return Change({places.PLANS: text}, says)


def _told(
    name: str, started: Started, found: Checklist, session: Session | None
) -> tuple[str, ...]:
    lines = [f"{name}: {counts(found)} of {started.plan}"]
    if session:
        lines.append(_("Session {id} goes on until it is completed.", id=session.id))
        lines.append(
            _(
                "Next: {next}. Evidence: {value}",
                next=found.next or _("the final gate"),
                value=plan_ledger(name),
            )
        )
    else:
        lines.append(_("It holds nobody yet. Paste into the session that is to do it:"))
        lines.append(
            _("Run `loopgraph plan bind {name}`, then work on its first open row.", name=name)
        )
    return tuple(lines)


def counts(found: Checklist) -> str:
    """How far a plan is, in a few words."""
    more = _(", {others} with another mark", others=found.others) if found.others else ""
    return _(
        "{remaining} of {total} rows open{more}",
        remaining=found.remaining,
        total=found.total,
        more=more,
    )


def _free(plan: str, taken: set[str]) -> str:
    stem = plan.rpartition("/")[2].rpartition(".")[0] or plan
    words = "".join(char if char.isalnum() else " " for char in stem.casefold()).split()
    name = "-".join(words)[:_LENGTH].strip("-") or "plan"
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def named(files: Files, work: str | None, speaker: Speaker) -> Work:
    """The work that was named, else the session's newest, else the only one that goes on."""
    every = {one.id: one for one in edge.read(files.get(places.PLANS))}
    if work is not None:
        by_plan = [one for one in every.values() if work in (one.id, one.plan, one.name)]
        if by_plan:
            return by_plan[-1]
        fix = nearest(work, every) if every else _("Start one with: loopgraph plan start PLAN")
        raise UsageError(_("no such plan is worked on"), where=work, fix=fix)
    for session in speaker.sessions:
        own = [one for one in every.values() if any(session.is_named(id_) for id_ in one.sessions)]
        if own:
            return max(own, key=lambda one: (one.goes_on(), one.updated or ""))
    going = [one for one in every.values() if one.goes_on()]
    if len(going) == 1:
        return going[0]
    what = (
        _("{count} plans go on, and none was named", count=len(going))
        if going
        else _("no plan goes on here")
    )
    names = ", ".join(one.id for one in going)
    fix = (
        _("Name one: {names}", names=names)
        if going
        else _("Start one with: loopgraph plan start PLAN")
    )
    raise UsageError(what, where=places.PLANS, fix=fix)


def bind(
    files: Files, speaker: Speaker, *, work: str | None, session: Session | None, now: str
) -> Change:
    """Add a session to a plan that goes on."""
    found = named(files, work, speaker)
    if session is None:
        raise UsageError(
            _("nobody says which session"),
            where="plan bind",
            fix=_(
                "Say --session ID, or let the session run: loopgraph plan bind {id}", id=found.id
            ),
        )
    if not found.goes_on():
        raise RefusedError(
            _("it is {status}", status=found.status or _("of no known status")),
            where=found.id,
            fix=_("Begin it anew: loopgraph plan start {plan}", plan=found.plan),
        )
    sessions = list(found.sessions)
    if not any(session.is_named(one) for one in sessions):
        sessions.append(session.named)
    fields = {"session_ids": sessions, "updated_at": now}
    text = edge.with_work(files.get(places.PLANS), found.id, fields)
    says = (
        *stops.note(files),
        _(
            "Session {id} works on {id_more}: {plan}",
            id=session.id,
            id_more=found.id,
            plan=found.plan,
        ),
    )
    return Change({places.PLANS: text}, says)


def complete(  # noqa: PLR0913  what a completion is made of
    files: Files,
    speaker: Speaker,
    *,
    work: str | None,
    found: Checklist | None,
    evidence: Mapping[str, int],
    now: str,
) -> Change:
    """Complete a plan whose rows are all ticked; `evidence` are files that show it, with sizes."""
    one = named(files, work, speaker)
    if speaker.agent and not _is_of(one, speaker):
        raise RefusedError(
            _("it belongs to another session"), where=one.id, fix=_("Leave it to that session.")
        )
    if one.status == "completed":
        raise RefusedError(_("it is completed already"), where=one.id)
    if found is None or not found.total:
        raise RefusedError(_("its plan has no row that counts"), where=one.plan)
    if found.remaining or found.others:
        label = found.next or next(r.label for r in found.rows if r.state == grammar.OTHER)
        raise RefusedError(
            counts(found), where=one.plan, fix=_("First of them: {label}", label=label)
        )
    if not evidence or not all(evidence.values()):
        empty = next((path for path, size in evidence.items() if not size), "--evidence")
        raise RefusedError(_("an empty file shows nothing"), where=empty)
    if one.plan in evidence:
        raise RefusedError(
            _("a plan is no evidence of itself"),
            where=one.plan,
            fix=_("Name what the final gate left: a log, a report, the ledger of the plan."),
        )
    shown = list(evidence)
    fields: dict[str, object] = {
        "status": "completed",
        "updated_at": now,
        "completed_at": now,
        "evidence": shown[0] if len(shown) == 1 else shown,
    }
    text = edge.with_work(files.get(places.PLANS), one.id, fields)
    return Change(
        {places.PLANS: text}, (_("{id} is completed: {shown}", id=one.id, shown=", ".join(shown)),)
    )


def _is_of(work: Work, speaker: Speaker) -> bool:
    return any(session.is_named(one) for session in speaker.sessions for one in work.sessions)
