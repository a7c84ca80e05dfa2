"""What the executor may work on now: under audit, or while an item waits for the owner."""

from __future__ import annotations

from loopgraph.edges.ledger import Ledger
from loopgraph.edges.run import Run
from loopgraph.model.errors import RefusedError
from loopgraph.model.messages import _
from loopgraph.node.call import LEDGER
from loopgraph.plain import header, law


def taken(run: Run, found: Ledger) -> list[str]:
    """The paths that are not to be written on: under audit, and planned for what comes next."""
    surface = found.promotion.surface if found.promotion else None
    paths = law.write_set(surface.text) if surface else []
    milestones = run.record.spec.milestones if run.record else ()
    places = [at for at, one in enumerate(milestones) if is_same(found.milestone, one.id)]
    following = milestones[places[0] + 1 : places[0] + 2] if places else ()
    return paths + [path for one in following for path in law.write_set(one.write_set)]


def is_same(one: str | None, other: str | None) -> bool:
    """Whether two ids mean the same milestone."""
    return bool(one and other and header.same_id(one, [other]))


def off_audit(run: Run, found: Ledger, paths: list[str], *, where: str) -> None:
    """Refuse paths that may not be written on while a milestone is under audit."""
    if found.gate != law.PENDING:
        return
    closed = taken(run, found)
    for path in paths:
        if law.is_path(path) and not law.disjoint([path], [p for p in closed if law.is_path(p)]):
            raise RefusedError(
                _("{path} is under audit, or planned for the next milestone", path=path),
                where=where,
                fix=_(
                    "While the gate is pending-audit take a debt row that is disjoint from both."
                ),
            )


def open_item(found: Ledger) -> str:
    """The item that is not closed yet: that of the slice, else of the Status header; else empty."""
    item = found.slice.item.text if found.slice and found.slice.item else ""
    if item and not header.is_none(item):
        return item
    said = found.next_item or ""
    return "" if header.is_none(said) else said


def place(found: Ledger, name: str) -> str:
    """Where a field of the Status header stands."""
    line = found.line(name)
    return f"{LEDGER}:{line}" if line else LEDGER
