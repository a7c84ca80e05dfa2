"""The knobs: the numbers that tune a run, their bounds, and who set each."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, Literal, NamedTuple

from loopgraph.model import intervals
from loopgraph.model.errors import UsageError, nearest
from loopgraph.model.messages import N_, _, filled
from loopgraph.model.value import value

Kind = Literal["count", "bytes", "text", "interval"]
Value = int | str


class Source(IntEnum):
    """Who set a value; the highest wins."""

    DEFAULT = 0
    USER = 1
    PACK = 2
    EARLIER = 3
    ANSWERS = 4
    COMMAND_LINE = 5
    OWNER = 6


SOURCE_NAMES: Final[Mapping[Source, str]] = {
    Source.DEFAULT: "default",
    Source.USER: "user defaults",
    Source.PACK: "pack",
    Source.EARLIER: "earlier run",
    Source.ANSWERS: "answers file",
    Source.COMMAND_LINE: "command line",
    Source.OWNER: "owner",
}


class Knob(NamedTuple):
    """One number (or text, or interval) that tunes a run."""

    name: str
    kind: Kind
    default: Value | None
    """None: only discovery-driven runs have it."""
    low: int
    high: int
    """Bounds of the number, of the text's length, or of the interval in minutes."""
    meaning: str


@value
class Set:
    """A knob's value and who set it."""

    value: Value
    source: str
    """One of SOURCE_NAMES' values."""


KNOBS: Final[tuple[Knob, ...]] = (
    Knob(
        "FIRE_ROUND_CAP",
        "count",
        8,
        1,
        50,
        N_("rounds before a fire ends; ends the fire, never the run"),
    ),
    Knob("CONVERGE_EVERY", "count", 5, 2, 50, N_("rounds until a convergence round is due")),
    Knob(
        "NET_LINE_CAP",
        "count",
        400,
        20,
        5000,
        N_("accumulated net production lines that make it due earlier"),
    ),
    Knob("KEEP_ROUNDS", "count", 5, 2, 20, N_("live round lines")),
    Knob("OPEN_DIRECTIVE_CAP", "count", 8, 1, 20, N_("live corrections not yet folded")),
    Knob("STANDING_CAP", "count", 12, 1, 30, N_("live authority entries")),
    Knob("GAP_CAP", "count", 12, 3, 40, N_("live debt rows")),
    Knob("OWNER_CAP", "count", 6, 1, 20, N_("open decision cards")),
    Knob("METRIC_CAP", "count", 12, 1, 40, N_("live metric rows")),
    Knob("FILE_LINE_CAP", "count", 200, 120, 400, N_("lines of any live file")),
    Knob(
        "FILE_BYTE_CAP",
        "bytes",
        24_576,
        12_288,
        65_536,
        N_("bytes of any live file; hosts cut long lines too"),
    ),
    Knob(
        "FIRE_OUTPUT_FLOOR",
        "text",
        None,
        1,
        300,
        N_("what a fire must land before it may end at a seam"),
    ),
    Knob(
        "YIELD_FLOOR",
        "count",
        None,
        1,
        50,
        N_("new qualifying candidates per full sweep under which the run may end"),
    ),
    Knob("EXEC_INTERVAL", "interval", "10m", 1, 1440, N_("the executor's timer")),
    Knob("SUP_INTERVAL", "interval", "30m", 1, 1440, N_("the supervisor's timer")),
)

BY_NAME: Final[Mapping[str, Knob]] = {knob.name: knob for knob in KNOBS}


_RANGE: Final = N_("{low} to {high}")
_LINE: Final = N_("one line of {low} to {high} characters")


def bounds(knob: Knob) -> str:
    """The allowed range in English, as schemas and rules say it."""
    return filled(*_between(knob))


def allowed(knob: Knob) -> str:
    """The allowed range in the reader's language."""
    text, ends = _between(knob)
    return _(text, **ends)


def _between(knob: Knob) -> tuple[str, dict[str, object]]:
    if knob.kind == "interval":
        return _RANGE, {name: intervals.Interval(at) for name, at in _ends(knob).items()}
    return (_LINE if knob.kind == "text" else _RANGE), {**_ends(knob)}


def _ends(knob: Knob) -> dict[str, int]:
    return {"low": knob.low, "high": knob.high}


def accept(name: str, value: object, source: Source) -> Set:
    """Check one value against its knob; refuse with the range and where the value came from."""
    where = f"{name} ({SOURCE_NAMES[source]})"
    knob = BY_NAME.get(name)
    if knob is None:
        raise UsageError(_("no such knob"), where=where, fix=nearest(name, BY_NAME))
    refusal = UsageError(
        _("{value} is not allowed", value=repr(value)),
        where=where,
        fix=_("Allowed: {bounds}", bounds=allowed(knob)),
    )
    if knob.kind == "text":
        text = value.strip() if isinstance(value, str) else ""
        if not knob.low <= len(text) <= knob.high or len(text.splitlines()) > 1:
            raise refusal
        return Set(text, SOURCE_NAMES[source])
    if knob.kind == "interval":
        interval = intervals.parse(value) if isinstance(value, str) else None
        if interval is None or not knob.low <= interval.minutes <= knob.high:
            raise refusal
        return Set(str(interval), SOURCE_NAMES[source])
    number = _whole(value)
    if number is None or not knob.low <= number <= knob.high:
        raise refusal
    return Set(number, SOURCE_NAMES[source])


def _whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:  # noqa: PLR2004
        return int(value)
    return None
