"""The source `plan`: a checklist that a work record gives to the session."""

from __future__ import annotations

import os

from loopgraph.hook import world as worlds
from loopgraph.hook.sources import Claim, LetGo
from loopgraph.plain import places, plan, when, works

TYPE_CHECKING = False
if TYPE_CHECKING:
    from loopgraph.hook.guard import Stop
    from loopgraph.hook.world import World


class _Found:
    """A work, and where its record is."""

    __slots__ = ("base", "boulder", "record", "work")

    def __init__(self, work: works.Work, base: str, record: str, *, boulder: bool) -> None:
        self.work, self.base, self.record, self.boulder = work, base, record, boulder


def claim(stop: Stop, world: World) -> Claim | None:
    """The newest work of a session, where it is to go on."""
    found = _newest(stop, world)
    if found is None:
        return None
    work = found.work
    if not work.goes_on():
        world.note(
            f"{found.record}: the newest work of this session is {work.status or 'no status'}"
        )
        return None
    if found.boulder and _rival(stop, world):
        world.note(f"{found.record}: the hook of that tool is registered too, so it is left to it")
        return None
    path = _path(found, world)
    data = world.read(path, plan.LIMIT) if path else None
    if data is None:
        world.complaints.append(f"{found.record}: its plan cannot be read: {work.plan}")
        return None
    return _claim(stop, world, found, path, plan.read(data))


def _claim(stop: Stop, world: World, found: _Found, path: str, checklist: plan.Checklist) -> Claim:
    work = found.work
    claim = Claim("plan", f"{found.record}#{work.id}")
    ledger = f"{found.base}/{places.BOULDER_LEDGER}"
    if not found.boulder:
        ledger = f"{found.base}/{places.PLAN_LEDGERS}/{work.id}.ledger.jsonl"
    claim.ticked = checklist.completed
    claim.endless = work.endless
    claim.strict = _strict(found, world)
    claim.own = [path]
    claim.watched = [ledger, f"{world.root}/{places.STATES}/{places.file_name(stop.session)}.json"]
    if not checklist.rows:
        claim.let_go = LetGo("no-plan", f"no row of a checklist is in {path}")
    elif not checklist.remaining and checklist.others:
        claim.let_go = LetGo(
            "waits", f"only rows that are neither open nor done are left in {path}"
        )

    def reason() -> str:
        from loopgraph.hook import directive  # noqa: PLC0415  most Stops need none

        return directive.text(
            world,
            {
                "PLAN_NAME": work.name,
                "PLAN_PATH": path,
                "BOULDER_PATH": found.record,
                "REMAINING_COUNT": str(checklist.remaining),
                "TOTAL_COUNT": str(checklist.total),
                "NEXT_TASK_LABEL": checklist.next,
                "WORKTREE_BLOCK": work.worktree,
                "LEDGER_PATH": ledger,
                "SESSION_ID": f"{stop.dialect.PREFIX}:{places.bare_id(stop.session)}",
                "MODE": work.mode,
            },
        )

    claim.reason = reason
    return claim


def _rival(stop: Stop, world: World) -> bool:
    """Whether the boulder's own hook runs here, too."""
    from loopgraph.hook import rivals  # noqa: PLC0415  only its records ask

    return rivals.registered("omo", world, stop.dialect.PREFIX)


def _newest(stop: Stop, world: World) -> _Found | None:
    """The newest work among the records of the boulder and ours."""
    prefix = stop.dialect.PREFIX
    places_of = [(base, places.BOULDER, True) for base in world.bases]
    places_of.append((world.root, places.PLANS, False))
    best: _Found | None = None
    newest = -1.0
    boulder_seen = False
    for base, name, boulder in places_of:
        path = f"{base}/{name}"
        if (boulder and boulder_seen) or not os.path.lexists(path):
            continue
        boulder_seen = boulder_seen or boulder
        work = works.chosen(world.record(path), stop.session, prefix, boulder=boulder)
        if work is None:
            world.note(f"{path}: no work of this session")
            continue
        age = when.instant(work.began if work.updated is None else work.updated)
        if age > newest:
            best, newest = _Found(work, base, path, boulder=boulder), age
    return best


def _path(found: _Found, world: World) -> str:
    """The plan's path: in the task's own worktree where it is there, else as the record says.

    Empty where it lies outside of everything that the hook may open.
    """
    work, base = found.work, found.base
    main = os.path.normpath(os.path.join(base, work.plan))
    if work.worktree:
        relative = os.path.relpath(main, base)
        worktree = os.path.normpath(os.path.join(base, work.worktree))
        other = os.path.join(worktree, relative)
        if relative.split(os.sep)[0] != ".." and os.path.isfile(other):
            known = world.inside(other, [base, world.root])
            linked = known or worlds.linked(worktree, world.git)
            if linked and (known or world.inside(other, [worktree])):
                return other
    return main if world.inside(main, [base, world.root]) else ""


def _strict(found: _Found, world: World) -> bool:
    """Whether this work is content with one block a prompt."""
    said = found.work.reentry
    if found.boulder:
        setting = world.setting("omo_reentry")
        said = setting if isinstance(setting, str) else "strict"
    return said == "strict"
