"""What the executor may work on now: under audit, or while an item waits for the owner."""

from __future__ import annotations

from typing import Final

from loopgraph.edges.ledger import GateRow, Ledger
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


_EXIT: Final = ("exit check", "出口检查")
"""How the row of a milestone's exit checks goes on behind its id, in each language."""
_PROOF: Final = "north star"


def exit_rows(found: Ledger, milestone: str | None) -> list[GateRow]:
    """The rows of the scoreboard that say whether a milestone's exit checks are green.

    A run with a single goal has none of its own: there the proof's row says it.
    """
    rows = [row for row in found.scoreboard if is_same(header.milestone(row.gate or ""), milestone)]
    named = [row for row in rows if _behind_id(row.gate or "").startswith(_EXIT)]
    if named or rows or found.gate != "n/a":
        return named or rows
    return proof_rows(found)


def proof_rows(found: Ledger) -> list[GateRow]:
    """The row of the North Star's proof, where there is one."""
    return [row for row in found.scoreboard if (row.gate or "").casefold().startswith(_PROOF)]


def _behind_id(gate: str) -> str:
    said = header.flat(gate)
    return said[len(header.milestone(gate) or "") :].lstrip(" :—–-").casefold()


def owed(found: Ledger) -> list[tuple[str, GateRow]]:
    """The rows of corrections that are folded and not carried out yet, each with its `D-nnn`."""
    return [
        (id_, row)
        for row in found.scoreboard
        if row.status != "closed" and (id_ := law.correction(row.gate or ""))
    ]


def last(run: Run, found: Ledger) -> bool | None:
    """Whether no milestone follows the current one; None where the record does not say."""
    milestones = run.record.spec.milestones if run.record else ()
    if not any(is_same(found.milestone, one.id) for one in milestones):
        return True if found.gate == "n/a" else None
    return is_same(found.milestone, milestones[-1].id)


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


def living(run: Run, found: Ledger) -> None:
    """Refuse what would still come to a run that is closed: closed is final."""
    if found.status == "closed":
        slug = run.record.spec.slug if run.record else "RUN"
        raise RefusedError(
            _("the run is {status}", status=found.status),
            where=place(found, "Run status"),
            fix=_("To go on with what is open: loopgraph new --from {run}", run=slug),
        )


def place(found: Ledger, name: str) -> str:
    """Where a field of the Status header stands."""
    line = found.line(name)
    return f"{LEDGER}:{line}" if line else LEDGER
