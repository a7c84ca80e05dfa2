"""The gates of a run with their last results: for people, and for programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from loopgraph.edges.run import Run
from loopgraph.model import columns
from loopgraph.model.messages import _
from loopgraph.node import call, gate_runs
from loopgraph.node.results import Result
from loopgraph.plain.quoting import visible
from loopgraph.views import shape

SCHEMA: Final = "loopgraph/gates/1"
_LONG: Final = 60


class Last(NamedTuple):
    """The newest result of a gate, whoever ran it."""

    passed: bool
    node: str
    time: str
    tree: str
    evidence: str


class Line(NamedTuple):
    """A gate and how it went last."""

    id: str
    name: str | None
    command: str | None
    """None where it is observed."""
    metered: bool
    """It costs more than time: `--all` leaves it out."""
    last: Last | None


class Listed(NamedTuple):
    """The gates of ops.md in their order."""

    gates: tuple[Line, ...]


def listed(run: Run, gathered: Iterable[Result]) -> Listed:
    """Each gate of ops.md with its last result."""
    newest = {one.check: one for one in sorted(gathered, key=lambda one: one.time)}
    return Listed(
        tuple(
            Line(
                row.id,
                row.name,
                gate_runs.command(row) or None,
                gate_runs.metered(row),
                _last(newest.get(row.id)),
            )
            for row in call.ops(run).gates or ()
            if row.id
        )
    )


def _last(result: Result | None) -> Last | None:
    if result is None:
        return None
    return Last(result.passed, result.node, result.time, result.tree, result.evidence)


def text(found: Listed) -> str:
    """A line each, in columns."""
    if not found.gates:
        return _("ops.md has no gates.") + "\n"
    rows = [_cells(one) for one in found.gates]
    widths = [max(columns.width(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "".join(
        "  ".join(columns.pad(cell, wide) for cell, wide in zip(row, widths, strict=True)).rstrip()
        + "\n"
        for row in rows
    )


def _cells(one: Line) -> tuple[str, str, str]:
    does = visible(one.command or one.name or "?")
    does = does if len(does) <= _LONG else f"{does[: _LONG - 1]}…"
    kind = "" if one.command else _("observed")
    if one.metered:
        kind = _("metered")
    return visible(one.id), f"{does} ({kind})" if kind else does, _how(one.last)


def _how(last: Last | None) -> str:
    if last is None:
        return _("never run")
    return _(
        "{outcome} {time} by {node}: {evidence}",
        outcome=_("passed") if last.passed else _("failed"),
        time=last.time[:16],
        node=last.node,
        evidence=visible(last.evidence),
    )


def data(found: Listed) -> dict[str, Any]:
    """The same as plain data."""
    return {"schema": SCHEMA, **shape.plain(found)}


def schema() -> dict[str, Any]:
    """The published schema of `data`."""
    return shape.schema(Listed, SCHEMA, "The gates of a run and their last results")
