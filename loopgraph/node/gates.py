"""The Gate scoreboard: one row for each thing that must be true at the end."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from loopgraph.edges import edit
from loopgraph.edges.change import Change
from loopgraph.edges.ledger import GateRow, Ledger
from loopgraph.edges.run import Run
from loopgraph.model import states
from loopgraph.model.errors import RefusedError, UsageError, nearest
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import draft as drafts
from loopgraph.node import lane, results, rotate
from loopgraph.node.call import LEDGER, Call
from loopgraph.node.results import Result
from loopgraph.plain import header

TITLE = "Gate scoreboard"
COLUMNS = ("Gate", "Status", "Evidence / next action")


def change(  # noqa: PLR0913  what a row is made of
    run: Run,
    call: Call,
    gate: str,
    *,
    status: str,
    evidence: str,
    gathered: Iterable[Result] = (),
) -> Change:
    """Set a row of the scoreboard, or add it; rows closed long ago move to the archive.

    `gathered`: the newest results of the gates; nothing is closed while its own failed.
    """
    parts.writes(run, call, "ledger", "gate set")
    found = parts.ledger(run)
    name = parts.said(gate, _("the gate"))
    if status in states.GATE_STATES and status not in states.ROW_STATES:
        raise RefusedError(
            _(
                "{status} is said by the milestone gate alone, once an accept for it is folded",
                status=status,
            ),
            where=lane.place(found, "Milestone gate"),
            fix=_("loopgraph promote request M-n, then loopgraph directive fold D-nnn"),
        )
    parts.choice(status, states.ROW_STATES, "--status")
    told = parts.said(evidence, "--evidence")
    draft = drafts.begin(run)
    row = _row(found, name)
    if status == "closed":
        _green(run, row.gate or name if row else name, gathered)
    like = ""
    if row is None:
        like = _like(run, found, name)
        draft = draft.row(LEDGER, TITLE, COLUMNS, (name, status, told))
    else:
        document = draft.document(LEDGER)
        edit.table(document, LEDGER, edit.section(document, LEDGER, TITLE), COLUMNS)
        draft = draft.cells(LEDGER, row.line, {1: status, 2: told})
    draft = rotate.closed_rows(draft)
    draft = draft.say(f"{row.gate if row else name}: {status}")
    return (draft.say(like) if like else draft).change()


_ID = re.compile(r"g[-_ ]?(\d+)(?!\w)", re.IGNORECASE)
_NEAR: Final = 0.8


def _like(run: Run, found: Ledger, name: str) -> str:
    """What is said of a new row whose name is much like another's; a gate's has to be known."""
    folded = {row.gate.casefold(): row.gate for row in found.scoreboard if row.gate}
    if begins := _ID.match(name):
        number = int(begins[1])
        held = [row for row in folded.values() if number in _numbers(row)]
        gates = [row.id for row in parts.ops(run).gates or () if row.id]
        known = any(number in _numbers(id_) for id_ in gates)
        if held or not known or name[1:2] != "-":
            near = held[0] if held else f"G-{number}" if known else ""
            raise UsageError(
                _("no such gate"),
                where=name,
                fix=_("Did you mean {word}?", word=near)
                if near
                else nearest(name, dict.fromkeys((*gates, *folded.values()))),
            )
        return ""
    import difflib  # noqa: PLC0415  only a new row pays for it

    close = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=_NEAR)
    if not close or _unnumbered(close[0]) == _unnumbered(name.casefold()):
        return ""
    return _("It is a new row; there is one “{gate}”, too.", gate=folded[close[0]])


def _numbers(said: str) -> list[int]:
    return [number for kind, number, _w in header.ids(said.upper()) if kind == "G"]


def _unnumbered(said: str) -> str:
    return "".join(char for char in said if not char.isdigit())


def _green(run: Run, name: str, gathered: Iterable[Result]) -> None:
    """Refuse to close a gate that was red when it was run last."""
    known = {one.id: one for one in parts.spec(run).gates} if run.record else {}
    results_ = tuple(gathered)
    for id_ in (written for kind, _n, written in header.ids(name.upper()) if kind == "G"):
        result = results.last(results_, id_)
        if result is None or result.passed:
            continue
        again = f"loopgraph gate run {id_}"
        if id_ in known and not known[id_].command:
            again = f"loopgraph gate run --result {id_}=pass --evidence POINTER"
        raise RefusedError(
            _(
                "{id} failed when it was run last, {time} by {node}: {evidence}",
                id=id_,
                time=result.time,
                node=result.node,
                evidence=result.evidence,
            ),
            where=name,
            fix=_("Mend it, and run it again until it passes: {command}", command=again),
        )


def _row(found: Ledger, name: str) -> GateRow | None:
    """The row that is meant: by its whole name, else its beginning, else an id in it."""
    exact = [row for row in found.scoreboard if row.gate == name]
    wanted = name.casefold()
    names = [(row, (row.gate or "").casefold()) for row in found.scoreboard]
    close = (
        exact
        or [row for row, gate in names if _begins(gate, wanted)]
        or [row for row, gate in names if wanted in _ids(gate)]
    )
    if len(close) > 1:
        places = ", ".join(f"{LEDGER}:{row.line}" for row in close)
        raise UsageError(
            _("several rows begin so"), where=name, fix=_("Write one out: {places}", places=places)
        )
    return close[0] if close else None


def _begins(gate: str, wanted: str) -> bool:
    rest = gate.removeprefix(wanted)
    return rest != gate and not rest[:1].isalnum()


def _ids(gate: str) -> list[str]:
    return [
        written.casefold() for kind, _, written in header.ids(gate.upper()) if kind in ("G", "M")
    ]
