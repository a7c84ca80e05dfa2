"""Interval: how long a node's timer waits between two fires."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

_UNITS: Final = {"m": 1, "h": 60, "d": 1440}

LEGAL_MINUTES: Final[tuple[int, ...]] = (
    *(1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60),
    *(120, 180, 240, 360, 480, 720, 1440),
)
"""What every timer can express exactly: the divisors of 60 minutes and of 24 hours.

Any other value is rounded by one host and spaced unevenly by cron (references/shell.md).
"""


class Interval(NamedTuple):
    """A whole number of minutes, at least one."""

    minutes: int

    def __str__(self) -> str:
        for unit, size in (("d", 1440), ("h", 60)):
            if self.minutes % size == 0:
                return f"{self.minutes // size}{unit}"
        return f"{self.minutes}m"


def parse(text: str) -> Interval | None:
    """Read `10m`, `2h` or `1d`; None for anything else, seconds and zero included."""
    number, unit = text[:-1], text[-1:]
    if unit not in _UNITS or not (number.isascii() and number.isdigit()) or len(number) > 4:  # noqa: PLR2004
        return None
    minutes = int(number) * _UNITS[unit]
    return Interval(minutes) if minutes else None


def legal(minimum: Interval) -> tuple[Interval, ...]:
    """Every interval that a host with this minimum can express exactly."""
    return tuple(Interval(m) for m in LEGAL_MINUTES if m >= minimum.minutes)


def nearest(wanted: Interval, among: Iterable[Interval]) -> tuple[Interval, ...]:
    """The legal neighbours below and above a wanted interval, nearest first."""
    ordered = sorted(among)
    below = [i for i in ordered if i <= wanted][-1:]
    above = [i for i in ordered if i > wanted][:1]
    return tuple(sorted({*below, *above}, key=lambda i: (abs(i.minutes - wanted.minutes), i)))


def supervisor(executor: Interval, among: Iterable[Interval]) -> Interval:
    """The supervisor's interval: the shortest legal one at three to four times the executor's.

    Where none lies in that band, the legal one nearest to it.
    """
    ordered = sorted(among)
    low, high = 3 * executor.minutes, 4 * executor.minutes
    inside = [i for i in ordered if low <= i.minutes <= high]
    if inside:
        return inside[0]
    return min(ordered, key=lambda i: (max(low - i.minutes, i.minutes - high), i))
