"""Loops on the screen: which there are, what one says, and its evidence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from loopgraph.edges.loops import Loop
from loopgraph.edges.state import LISTS, Evidence
from loopgraph.model import columns
from loopgraph.model.messages import N_, _
from loopgraph.plain.quoting import visible

SCHEMA: Final = "loopgraph/loops/1"
STATE_SCHEMA: Final = "loopgraph/state/1"

_NOTHING: Final = N_("No loop here. Make one with: loopgraph loop init TASK --prompt TEXT\n")


def listing(loops: Iterable[Loop], active: str | None) -> str:
    """A line each; the active task has a star."""
    rows = [_row(loop, active) for loop in loops]
    if not rows:
        return _(_NOTHING)
    widths = [max(columns.width(row[at]) for row in rows) for at in range(len(rows[0]) - 1)]
    return "".join("  ".join([*map(columns.pad, row[:-1], widths), row[-1]]) + "\n" for row in rows)


def _row(loop: Loop, active: str | None) -> tuple[str, str, str, str]:
    mark = "* " if loop.task == active and not loop.foreign else "  "
    held = loop.problem or loop.session or _("no session")
    path = f" ({loop.path})" if loop.foreign else ""
    return mark + visible(loop.task), loop.state, _count(loop), visible(held) + path


def _count(loop: Loop) -> str:
    if loop.problem:
        return "-"
    most = loop.max_iterations if loop.max_iterations > 0 else _("no limit")
    return _("{count} of {most}", count=loop.iteration, most=most)


def listing_data(loops: Iterable[Loop], active: str | None) -> dict[str, Any]:
    """The same as plain data."""
    return {"schema": SCHEMA, "active": active, "loops": [data(loop) for loop in loops]}


def data(loop: Loop) -> dict[str, Any]:
    """One loop as plain data."""
    return {**loop._asdict(), "state": loop.state}


def one(loop: Loop, evidence: Evidence | None, place: str) -> str:
    """All that one loop says."""
    facts = {
        N_("File"): loop.path,
        N_("State"): loop.state + (f": {loop.problem}" if loop.problem else ""),
        N_("Iteration"): _count(loop),
        N_("Promise"): _("none: it does not end by itself")
        if loop.promise is None
        else loop.promise,
        N_("Session"): loop.session or _("none"),
        N_("Started"): loop.started_at or _("unknown"),
    }
    if loop.problem:
        facts = {name: facts[name] for name in ("File", "State")}
    said = "".join(
        _("{label}: {value}", label=_(name), value=visible(value)) + "\n"
        for name, value in facts.items()
    )
    shown = state(evidence, place) if evidence else ""
    prompt = f"\n{visible(loop.prompt, keep=chr(10))}\n" if loop.prompt else ""
    return said + (f"\n{shown}" if shown else "") + prompt


def state(evidence: Evidence, place: str) -> str:
    """An evidence state."""
    out = [_("{label}: {value}", label=_("Evidence"), value=visible(place)) + "\n"]
    for name, value in evidence._asdict().items():
        entries = value if name in LISTS else [value] if value else []
        if len(entries) == 1 and name not in LISTS:
            out.append(f"  {name}: {visible(entries[0])}\n")
        else:
            out.append(f"  {name}:{'' if entries else ' ' + _('nothing')}\n")
            out += [f"  - {visible(entry)}\n" for entry in entries]
    return "".join(out)


def state_data(evidence: Evidence, place: str) -> dict[str, Any]:
    """The same as plain data."""
    fields = {
        name: list(v) if isinstance(v, tuple) else v for name, v in evidence._asdict().items()
    }
    return {"schema": STATE_SCHEMA, "file": place, **fields}
