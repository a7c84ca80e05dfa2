"""The Discovery tracker: which area is swept, with what yield, and when a full sweep is done."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from loopgraph.edges.change import Change
from loopgraph.edges.ledger import Discovery
from loopgraph.edges.run import Run
from loopgraph.model.errors import RefusedError, UsageError, nearest
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import draft as drafts
from loopgraph.node import lane
from loopgraph.node.call import Call
from loopgraph.node.draft import Draft
from loopgraph.plain import header

_FIELD: Final = "Discovery tracker"
_DIGITS: Final = 6
"""Of a place in a list; more is no place, and very many are no number to Python."""
_NOW: Final = re.compile(r"this sweep (\d{1,6})(?:, by ([\d ]{1,200}))?")


class Tracker(NamedTuple):
    """Where the sweep stands."""

    area: int
    areas: int
    found: int
    """New candidates in this area so far."""
    done: int
    """Rows that were closed since this area began."""
    previous: int | None
    last: int | None
    """New candidates of the last two full sweeps."""
    floor: int
    sum: int
    """New candidates of this sweep so far."""
    by: frozenset[int]
    """The detectors, by their place from 1, that have run over this area."""


def record(run: Run, call: Call, *, area: str, detector: str, new: int) -> Change:
    """Record one detector's run over the current area; after the last one the area is left."""
    parts.writes(run, call, "ledger", "sweep record")
    if new < 0:
        raise UsageError(_("no such number"), where=f"--new {new}", fix=_("Count from 0."))
    now = read(run)
    ops = parts.ops(run)
    areas = ops.areas or ()
    detectors = tuple(row.name or "" for row in ops.detectors or ())
    if not detectors:
        raise UsageError(
            _("ops.md has no detectors"),
            where="ops.md",
            fix=_(
                "Add one: loopgraph ops set NAME BASELINE --section Detectors "
                "--command … --blind-spot …"
            ),
        )
    at = _place(area, areas, "--area")
    if at != now.area:
        raise RefusedError(
            _("area {area} is swept now, not {at}", area=now.area, at=at),
            where=f"--area {area}",
            fix=_(
                "Sweep them in their order; next is {value}",
                value=areas[now.area - 1] if areas else now.area,
            ),
        )
    place = _place(detector, detectors, "--detector")
    by = now.by | {place}
    swept = now._replace(found=now.found + new, sum=now.sum + new, by=by, areas=len(areas) or 1)
    left = [name for at, name in enumerate(detectors, 1) if at not in by]
    says = _("Area {at}: {found} new", at=at, found=swept.found)
    if left:
        says += _("; still to run here: {left}", left=", ".join(left))
    else:
        swept = _next_area(swept)
        full = swept.area == 1
        says += (
            _("; a full sweep found {last}.", last=swept.last)
            if full
            else _("; on to area {area}.", area=swept.area)
        )
    return drafts.begin(run).status(_FIELD, write(swept)).say(says).change()


def _next_area(now: Tracker) -> Tracker:
    if now.area < now.areas:
        return now._replace(area=now.area + 1, found=0, done=0, by=frozenset())
    return now._replace(
        area=1, found=0, done=0, by=frozenset(), previous=now.last, last=now.sum, sum=0
    )


def _place(said: str, names: tuple[str, ...], option: str) -> int:
    number = int(said) if said.isascii() and said.isdigit() and len(said) <= _DIGITS else 0
    if 0 < number <= max(len(names), 1):
        return number
    if said in names:
        return names.index(said) + 1
    raise UsageError(_("no such one in ops.md"), where=f"{option} {said}", fix=nearest(said, names))


def read(run: Run) -> Tracker:
    """The tracker; refused where the run has none, or one that can't be read."""
    found = parts.ledger(run)
    if found.discovery is None:
        raise UsageError(
            _("the run keeps no Discovery tracker"),
            where=lane.place(found, _FIELD),
            fix=_("Only discovery-driven runs are swept."),
        )
    said: Discovery = found.discovery
    ours = _NOW.search(found.fields[_FIELD].text)
    by = frozenset(int(n) for n in (ours[2] or "").split()) if ours else frozenset()
    return Tracker(
        parts.known(header.number(said.area or ""), found, _FIELD),
        parts.known(said.areas, found, _FIELD),
        said.found or 0,
        said.done or 0,
        said.previous,
        said.last,
        parts.knob(run, "YIELD_FLOOR"),
        int(ours[1]) if ours else 0,
        by,
    )


def write(now: Tracker) -> str:
    """The tracker as the Status header says it."""
    before, last = ("none" if n is None else str(n) for n in (now.previous, now.last))
    by = f", by {' '.join(map(str, sorted(now.by)))}" if now.by else ""
    return (
        f"area {now.area} of {now.areas} | refill {now.found}/{now.done} | "
        f"sweep yields {before}, {last} (floor {now.floor}) | this sweep {now.sum}{by}"
    )


def closed(draft: Draft) -> Draft:
    """Count a closed row for the refill quota, where the run has one."""
    if draft.ledger.discovery is None:
        return draft
    now = read(draft.run)
    return draft.status(_FIELD, write(now._replace(done=now.done + 1)))


def recorded(draft: Draft) -> Draft:
    """Count against the recorded floor, where the run has one."""
    if draft.ledger.discovery is None:
        return draft
    return draft.status(_FIELD, write(read(draft.run)))


def dry(run: Run) -> str:
    """Why the sweeps do not allow the end yet; empty where they do, or where there are none."""
    if parts.ledger(run).discovery is None:
        return ""
    now = read(run)
    if now.previous is None or now.last is None:
        return _("fewer than two full sweeps are recorded")
    if max(now.previous, now.last) >= now.floor:
        found = _("{previous} and {last}", previous=now.previous, last=now.last)
        return _(
            "the last two full sweeps found {found}; YIELD_FLOOR is {floor}",
            found=found,
            floor=now.floor,
        )
    return ""
