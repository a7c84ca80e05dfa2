"""The hot start on the screen: few lines, in the order of the work, each with its command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from loopgraph.model.graph import Writer
from loopgraph.node.fire import Fire
from loopgraph.node.fire_parts import Kind, Part
from loopgraph.plain.quoting import visible
from loopgraph.views import shape

SCHEMA: Final = "loopgraph/next/1"

LINES: Final = 60
"""So many lines it never exceeds, whatever the run holds."""
_MANY: Final = 4
"""Parts of one kind that are shown; more are named by number and the command that shows them."""
_LONG: Final = 600
"""Characters of one line: a field of a packet in full."""
_DETAILS: Final = 14


class _Room(NamedTuple):
    """A part and how much of it is shown."""

    part: Part
    details: int


def text(run: str, fire: Fire) -> str:
    """The lines."""
    parts = _few(fire.parts)
    shown = [_Room(part, len(part.details)) for part in parts]
    lines = _lines(run, fire, shown)
    while len(lines) > LINES and (at := _longest(shown)) is not None:
        shown[at] = shown[at]._replace(details=0)
        lines = _lines(run, fire, shown)
    if len(lines) > LINES:
        left = len(lines) - LINES + 1
        lines = [*lines[: LINES - 1], f"… {left} more lines: loopgraph next --json"]
    return "\n".join(lines) + "\n"


def _few(parts: tuple[Part, ...]) -> list[Part]:
    """At most a few of each kind, and a line for the others; folds have to be known by id."""
    found: list[Part] = []
    for kind in dict.fromkeys(part.kind for part in parts):
        same = [part for part in parts if part.kind == kind]
        most = len(same) if kind in ("fold", "judge") and len(same) <= 2 * _MANY else _MANY
        found += same[:most]
        rest = same[most:]
        if rest:
            ids = ", ".join(part.id for part in rest[:_MANY] if part.id)
            more = f" ({ids}{', …' if len(rest) > _MANY else ''})" if ids else ""
            found.append(Part(kind, "", f"{len(rest)} more{more}: loopgraph status"))
    return found


def _longest(shown: list[_Room]) -> int | None:
    """Which part gives up its details next: the last packet first, what is worked on never."""
    able = [at for at, one in enumerate(shown) if one.details and one.part.kind == "fold"]
    able = able[1:] or [at for at, one in enumerate(shown) if one.details > _MANY]
    return able[-1] if able else None


def _lines(run: str, fire: Fire, shown: list[_Room]) -> list[str]:
    found = [_cut(f"{run}: {fire.role}"), _cut(_state(fire))]
    for one in shown:
        found += _part(one)
    if not fire.work:
        found.append("nothing to do now")
    return found


def _state(fire: Fire) -> str:
    said = {
        "status": fire.status,
        "milestone": fire.milestone or ("none" if fire.gate == "n/a" else None),
        "gate": fire.gate,
        "round": None if fire.round is None else str(fire.round),
    }
    return " | ".join(f"{name} {value or 'unknown'}" for name, value in said.items())


def _part(one: _Room) -> Iterator[str]:
    part = one.part
    named = f" {part.id}" if part.id and part.kind not in ("answer", "card") else ""
    said = visible(" ".join(part.says.split()))
    pointer = f" … {part.more}" if part.more else " …"
    room = _LONG - len(pointer)
    cut = len(said) > _LONG
    hidden = len(part.details) > one.details and part.more
    tail = pointer if cut or hidden else ""
    yield f"{part.kind}{named}: {said[:room] if cut else said}{tail}"
    details = part.details[: min(one.details, _DETAILS)]
    for detail in details:
        yield f"  {_cut(detail, part.more)}"
    if len(details) < min(one.details, len(part.details)):
        more = f": {part.more}" if part.more else ""
        yield f"  … {len(part.details) - len(details)} more lines{more}"
    commands = part.commands[:_DETAILS]
    for command in commands:
        yield f"  -> {_cut(command)}"


def _cut(said: str, more: str = "") -> str:
    plain = " ".join(visible(said).split())
    tail = f" … {more}" if more else "…"
    return plain if len(plain) <= _LONG else plain[: _LONG - len(tail)] + tail


class Item(NamedTuple):
    """The legal next item."""

    id: str | None
    """Of a debt row; null for the current slice."""
    text: str
    verify: str | None


class Shown(NamedTuple):
    """One thing to know or to do."""

    kind: Kind
    id: str | None
    says: str
    details: tuple[str, ...]
    commands: tuple[str, ...]
    more: str | None
    """The command that shows all of it."""


class Next(NamedTuple):
    """All of it as plain data: here nothing is cut."""

    run: str
    role: Writer
    status: str | None
    gate: str | None
    milestone: str | None
    round: int | None
    due: bool | None
    item: Item | None
    work: bool
    parts: tuple[Shown, ...]


def data(run: str, fire: Fire) -> dict[str, Any]:
    """The answer of `--json`."""
    item = fire.item
    found = Next(
        run=run,
        role=fire.role,
        status=fire.status,
        gate=fire.gate,
        milestone=fire.milestone,
        round=fire.round,
        due=fire.due,
        item=Item(item.id or None, item.text, item.verify or None) if item else None,
        work=fire.work,
        parts=tuple(
            Shown(
                part.kind,
                part.id or None,
                part.says,
                part.details,
                part.commands,
                part.more or None,
            )
            for part in fire.parts
        ),
    )
    return {"schema": SCHEMA, **shape.plain(found)}


def schema() -> dict[str, Any]:
    """The published schema of `data`."""
    return shape.schema(Next, SCHEMA, "What loopgraph next says to a node; null is unknown")
