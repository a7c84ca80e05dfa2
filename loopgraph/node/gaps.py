"""Debt rows: add, close, merge and park them; nothing leaves the register but for the archive."""

from __future__ import annotations

from typing import NamedTuple

from loopgraph.edges.change import Change
from loopgraph.edges.ledger import Gap, Ledger
from loopgraph.edges.run import Run
from loopgraph.model import states
from loopgraph.model.errors import RefusedError, UsageError, nearest
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import draft as drafts
from loopgraph.node import lane, sweep
from loopgraph.node.call import LEDGER, Call
from loopgraph.node.draft import Draft, Used
from loopgraph.plain import header

REGISTER = "Debt & gap register"
_URGENT = ("P0", "P1")


class Row(NamedTuple):
    """What a new debt row says."""

    priority: str
    milestone: str | None
    """None for the current one."""
    write_set: str
    verify: str
    line: str


def add(run: Run, call: Call, row: Row) -> Change:
    """Register a debt row."""
    parts.writes(run, call, "ledger", "gap add")
    found = parts.ledger(run)
    lane.living(run, found)
    cap = parts.knob(run, "GAP_CAP")
    if len(found.gaps) >= cap:
        raise RefusedError(
            _("{value} debt rows are live; GAP_CAP is {cap}", value=len(found.gaps), cap=cap),
            fix=_way(found),
        )
    priority = parts.choice(row.priority, states.PRIORITIES, "--priority")
    number = _next(found)
    milestone = row.milestone or found.milestone or "M-1"
    cells = (
        drafts.name("GAP", number),
        priority,
        parts.said(milestone, "--milestone"),
        parts.said(row.write_set, "--write-set"),
        parts.said(row.verify, "--verify"),
        parts.said(row.line, _("the line")),
    )
    draft = drafts.begin(run).row(LEDGER, REGISTER, header.GAP_COLUMNS, cells)
    draft = highest(draft, "GAP", number)
    return draft.say(_("{first} registered.", first=cells[0])).change()


def highest(draft: Draft, kind: str, number: int) -> Draft:
    """Raise one of the ledger's Highest ids."""
    numbers = {**draft.ledger.highest, kind: number}
    return draft.status("Highest ids", drafts.highest_ids(LEDGER, numbers))


def _next(found: Ledger) -> int:
    if not found.fields.get("Highest ids"):
        parts.known(None, found, "Highest ids")
    used = [Used(gap.number, gap.line) for gap in found.gaps if gap.number is not None]
    return drafts.next_id("GAP", LEDGER, found.highest.get("GAP", 0), used)


def _way(found: Ledger) -> str:
    """What makes room, lowest priority first."""
    lowest = _lowest(found)
    if lowest and lowest.priority not in _URGENT:
        return _("Park the lowest: loopgraph gap park {id}; or close or merge one.", id=lowest.id)
    ids = ", ".join(gap.id or "?" for gap in found.gaps[:4])
    return _("Close or merge one, such as {ids}: a P0 or P1 is never parked.", ids=ids)


def _lowest(found: Ledger) -> Gap | None:
    """The row that matters least: of the lowest priority, the newest."""
    return max(found.gaps, key=lambda gap: (gap.priority or "", gap.number or 0), default=None)


def row(found: Ledger, id_: str) -> Gap:
    """A live row by its id."""
    meant = [gap for gap in found.gaps if gap.id and header.same_id(id_, [gap.id])]
    if len(meant) > 1:
        raise drafts.twice(meant[1].id or id_, LEDGER, meant[1].line)
    if meant:
        return meant[0]
    known = [gap.id for gap in found.gaps if gap.id]
    fix = nearest(id_, known) if known else _("The register is empty.")
    raise UsageError(_("no such live debt row"), where=id_, fix=fix)


def close(run: Run, call: Call, id_: str, *, evidence: str) -> Change:
    """Close a row that is done and shown."""
    parts.writes(run, call, "ledger", "gap close")
    shown = parts.said(evidence, "--evidence")
    gap = row(parts.ledger(run), id_)
    draft = sweep.closed(_away(drafts.begin(run), gap))
    return draft.say(
        _("{id} closed ({shown}); it is in archive/gaps.md.", id=gap.id, shown=shown)
    ).change()


def merge(run: Run, call: Call, id_: str, *, into: str, line: str | None = None) -> Change:
    """Merge a row into another one, whose line then says both."""
    parts.writes(run, call, "ledger", "gap merge")
    found = parts.ledger(run)
    gap, target = row(found, id_), row(found, into)
    if gap.id == target.id:
        raise UsageError(_("a row is not merged into itself"), where=f"--into {into}")
    said = line if line is not None else f"{target.text or ''}; with {gap.id}: {gap.text or ''}"
    text = parts.said(said, "--line")
    urgent = min(gap.priority or "P3", target.priority or "P3")
    draft = drafts.begin(run)
    document = draft.document(LEDGER)
    rewritten = draft.cells(LEDGER, target.line, {1: urgent, 5: text}).document(LEDGER)
    new = rewritten.lines[target.line - 1].rstrip("\r\n")
    if document.lines[target.line - 1].rstrip("\r\n") != new:
        draft = draft.away(
            target.id or "", LEDGER, "gaps", (target.line, target.line), instead=[new]
        )
    draft = _away(draft, gap)
    return draft.say(
        _(
            "{id} merged into {id_more}; both as they were are in the archive.",
            id=gap.id,
            id_more=target.id,
        )
    ).change()


def park(run: Run, call: Call, id_: str | None = None) -> Change:
    """Move the row of the lowest priority to the archive."""
    parts.writes(run, call, "ledger", "gap park")
    found = parts.ledger(run)
    lowest = _lowest(found)
    if lowest is None:
        raise UsageError(_("the register is empty"), where="gap park")
    gap = row(found, id_) if id_ else lowest
    if gap.priority != lowest.priority:
        raise RefusedError(
            _(
                "{id} is {priority}, and {id_more} is {priority_more}",
                id=gap.id,
                priority=gap.priority,
                id_more=lowest.id,
                priority_more=lowest.priority,
            ),
            where=f"{LEDGER}:{gap.line}",
            fix=_("Park the lowest first: loopgraph gap park {id}", id=lowest.id),
        )
    if gap.priority in _URGENT:
        raise RefusedError(
            _("{id} is {priority}", id=gap.id, priority=gap.priority),
            where=f"{LEDGER}:{gap.line}",
            fix=_("Close or merge it."),
        )
    return (
        _away(drafts.begin(run), gap).say(_("{id} parked in archive/gaps.md.", id=gap.id)).change()
    )


def _away(draft: Draft, gap: Gap) -> Draft:
    return draft.away(gap.id or "a row", LEDGER, "gaps", (gap.line, gap.line))


def rows(run: Run) -> tuple[Gap, ...]:
    """The live rows, the most urgent first."""
    found = parts.ledger(run).gaps
    return tuple(sorted(found, key=lambda gap: (gap.priority or "", gap.number or 0)))


def listed(run: Run) -> tuple[str, ...]:
    """The live rows, the most urgent first, a line each."""
    return tuple(
        f"{gap.id or '?'} {gap.priority or '?'} {gap.milestone or '?'} | {gap.text or '?'}"
        f" | {_('writes {paths}', paths=gap.write_set or '?')} | {gap.verify or '?'}"
        for gap in rows(run)
    )
