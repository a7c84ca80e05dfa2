"""Instants as text (`2026-07-20T09:30:00Z`) to numbers that can be compared."""

from __future__ import annotations

_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
"""Days of a year before each month, without a leap day."""
_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_EPOCH = 719_162
"""Days from the first of January of the year 1 to that of 1970."""
_DAY, _HOUR, _MINUTE = 86_400, 3600, 60
_FEBRUARY, _DECEMBER = 2, 12
_DATE = 10
"""Characters of a date."""


def instant(text: str | None) -> float:
    """Seconds since 1970 of an RFC 3339 date or date and time; 0.0 for whatever is none.

    A text without an offset is taken as UTC.
    """
    if not text:
        return 0.0
    said = text.strip()
    day = _day(said[:_DATE])
    if day is None:
        return 0.0
    if len(said) == _DATE:
        return float(day * _DAY)
    clock, offset = _parted(said[_DATE + 1 :])
    seconds = _seconds(clock)
    shift = _shift(offset)
    if said[_DATE] not in "Tt " or seconds is None or shift is None:
        return 0.0
    return day * _DAY + seconds - shift


def is_day(text: str) -> bool:
    """Whether this is `2026-07-20`, and a calendar has that day."""
    return len(text) == _DATE and _day(text) is not None


def _number(text: str, digits: int) -> int | None:
    return int(text) if len(text) == digits and text.isascii() and text.isdigit() else None


def _day(text: str) -> int | None:
    """Days since 1970."""
    year, month, day = _number(text[:4], 4), _number(text[5:7], 2), _number(text[8:10], 2)
    if not year or not month or not day or text[4:5] != "-" or text[7:8] != "-":
        return None
    if month > _DECEMBER or day > _LENGTHS[month - 1]:
        return None
    first = _month(year, month)
    # The thirtieth of February, or the twenty-ninth where there is none, is a day of March.
    if month < _DECEMBER and first + day > _month(year, month + 1):
        return None
    return _new_year(year) + first + day - 1


def _new_year(year: int) -> int:
    """Days from 1970 to the first of January of a year."""
    past = year - 1
    return past * 365 + past // 4 - past // 100 + past // 400 - _EPOCH


def _month(year: int, month: int) -> int:
    """Days of a year before a month."""
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return _BEFORE[month - 1] + (leap and month > _FEBRUARY)


def _parted(text: str) -> tuple[str, str]:
    """The time of day, and the offset behind it."""
    if text[-1:] in ("Z", "z"):
        return text[:-1], ""
    for at in (-6, -5, -3):
        if text[at : at + 1] in ("+", "-"):
            return text[:at], text[at:]
    return text, ""


def _seconds(text: str) -> float | None:
    """Of a time of day: `09:30`, `09:30:15`, `09:30:15.250`."""
    clock, dot, part = text.partition(".")
    pieces = clock.split(":")
    numbers = [_number(piece, 2) for piece in pieces]
    if len(numbers) not in (2, 3) or (dot and len(numbers) == 2):  # noqa: PLR2004
        return None
    if dot and not (part.isascii() and part.isdigit() and len(part) < _DATE):
        return None
    hour, minute, second = (*numbers, 0)[:3]
    if hour is None or minute is None or second is None:
        return None
    if hour * _HOUR >= _DAY or minute >= _MINUTE or second > _MINUTE:
        return None
    return hour * _HOUR + minute * _MINUTE + second + (float(f"0.{part}") if dot else 0.0)


def _shift(text: str) -> int | None:
    """Seconds of an offset: `+02:00`, `-0430`, `+02`; none is UTC."""
    if not text:
        return 0
    digits = text[1:].replace(":", "")
    hours, minutes = _number(digits[:2], 2), _number(digits[2:] or "00", 2)
    if hours is None or minutes is None or hours * _HOUR >= _DAY or minutes >= _MINUTE:
        return None
    return (hours * _HOUR + minutes * _MINUTE) * (-1 if text[0] == "-" else 1)


def text(seconds: float) -> str:
    """An instant in UTC as text, to the second."""
    days, rest = divmod(int(seconds), _DAY)
    year = 1970 + days // 366
    while days >= _new_year(year + 1):
        year += 1
    days -= _new_year(year)
    month = _DECEMBER
    while days < _month(year, month):
        month -= 1
    hour, minute, second = rest // _HOUR, rest % _HOUR // _MINUTE, rest % _MINUTE
    day = days - _month(year, month) + 1
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
