"""Whether the supervisor may commit now, and what the commit says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from loopgraph.edges.beside import Stopped
from loopgraph.edges.directives import Directives
from loopgraph.edges.run import Run
from loopgraph.model.errors import RefusedError
from loopgraph.model.messages import _
from loopgraph.node import call as parts
from loopgraph.node import stops
from loopgraph.node.call import DIRECTIVES, Call
from loopgraph.node.results import Result

GRANTS: Final = ("The supervisor may make local checkpoint commits", "监督者可做本地检查点提交")
"""How an entry of STANDING grants commits, in each language; compiled runs have these words."""
_NAMED: Final = 5
"""How many paths a refusal names."""


class Left(NamedTuple):
    """A path of audited rounds that is not committed."""

    path: str
    why: str


class Basis(NamedTuple):
    """What a checkpoint stands on."""

    through: int
    """The round up to which the supervisor has audited."""
    checks: tuple[str, ...]
    """The gates that passed on the tree as it is."""


def may(run: Run, call: Call, stopped: Iterable[Stopped], name: str) -> None:
    """Refuse whoever commits nothing in this run, and a node while the owner has stopped it."""
    parts.writes(run, call, "directives", "checkpoint")
    stops.refuse(stopped, call.speaker, name)


def basis(run: Run, call: Call, gathered: Iterable[Result], tree: str) -> Basis:
    """Hold a checkpoint against the laws: who, by whose leave, what was audited, which gate."""
    parts.writes(run, call, "directives", "checkpoint")
    queue = parts.directives(run)
    found = parts.ledger(run)
    if not call.by_owner and not granted(queue):
        raise RefusedError(
            _("STANDING grants no commit"),
            where=DIRECTIVES,
            fix=_(
                "The owner may grant it: loopgraph standing add AUTHORITY “{grant}.”",
                grant=GRANTS[0],
            ),
        )
    through = queue.state.audited if queue.state else None
    through = min(through or 0, found.round or 0)
    if not through:
        raise RefusedError(
            _("no round is audited yet"),
            where=DIRECTIVES,
            fix=_("Audit them, and say: loopgraph audited --through Rn"),
        )
    return Basis(through, _passed(run, call, gathered, tree))


def granted(queue: Directives) -> bool:
    """Whether STANDING lets the supervisor commit."""
    return any(
        entry.kind in ("AUTHORITY", "PRE-AUTH") and grant in entry.text
        for entry in queue.standing
        for grant in GRANTS
    )


def _passed(run: Run, call: Call, gathered: Iterable[Result], tree: str) -> tuple[str, ...]:
    judges = {parts.writer(run, "directives"), "owner", call.speaker.name}
    newest: dict[str, Result] = {}
    for one in sorted(gathered, key=lambda one: one.time):
        if one.node in judges and one.tree == tree:
            newest[one.check] = one
    failed = sorted(check for check, one in newest.items() if not one.passed)
    if failed or not newest:
        raise RefusedError(
            _("{checks} failed on this tree", checks=", ".join(failed))
            if failed
            else _("no gate of yours passed on the tree as it is"),
            where="evidence/gates",
            fix=_("Run it on this tree: loopgraph gate run G-1 --as supervisor"),
        )
    return tuple(sorted(newest))


def same(through: int, others: Iterable[str]) -> None:
    """Refuse bytes that the gates have not seen: `others` lie there otherwise than was audited."""
    found = tuple(others)
    if not found:
        return
    paths = ", ".join(found[:_NAMED]) + (" …" if len(found) > _NAMED else "")
    raise RefusedError(
        _(
            "the gates passed on other bytes than R{number} left: {paths} ({count})",
            number=through,
            paths=paths,
            count=len(found),
        ),
        where="evidence/gates",
        fix=_(
            "Let what lies there now be recorded as a round, audit that, and run the gates on it."
        ),
    )


def message(run: str, on: Basis, beside: int = 0) -> str:
    """What the commit says; `beside` is how many paths the gates saw that it leaves out."""
    more = f" ({beside} more uncommitted)" if beside else ""
    return (
        f"Checkpoint of {run} through R{on.through}\n\n"
        f"Audited through R{on.through}; passed on this tree{more}: {', '.join(on.checks)}.\n\n"
        f"Loopgraph-Run: {run}\n"
        f"Loopgraph-Audited-Through: R{on.through}\n"
    )
