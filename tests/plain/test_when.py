"""Instants, held against the standard library's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopgraph.plain import when

ZONES = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.datetimes(timezones=ZONES))
def test_an_instant_is_what_the_library_says(moment):
    expected = (moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()
    assert when.instant(moment.isoformat()) == pytest.approx(expected, abs=1e-3)


@given(st.integers(0, 253_402_300_799))
def test_what_is_written_is_read_again(seconds):
    written = when.text(seconds)
    assert when.instant(written) == seconds
    assert written == datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ").zfill(20)


@pytest.mark.parametrize(
    "text",
    [
        None, "", "soon", "2026", "2026-13-01", "2026-02-30", "2025-02-29", "2026-04-31",
        "0000-01-01", "2026-01-01T24:00:00Z", "2026-01-01T10", "2026-01-01T10:60:00Z",
        "2026-01-01X10:00:00Z", "2026-01-01T10:00:00+25:00", "2026-01-01T10:00:00.Z",
        "２０２６-01-01", "2026-01-01T10:00:00 Z", "2026-1-1",
    ],
)  # fmt: skip
def test_what_is_no_instant_is_the_oldest(text):
    assert when.instant(text) == 0.0


@given(st.text())
def test_any_text_has_an_answer(text):
    assert isinstance(when.instant(text), float | int)


DAY = 86_400


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-01", 0), ("1970-01-02", DAY), (" 1970-01-02 ", DAY), ("1970-01-02T00:00", DAY),
        ("1970-01-02t00:00:01z", DAY + 1), ("1970-01-02 00:01:00Z", DAY + 60),
        ("1970-01-02T01:00:00.5Z", DAY + 3600.5), ("1970-01-02T00:00:60Z", DAY + 60),
        ("1970-01-02T23:59:59", 2 * DAY - 1), ("1970-01-02T01:00:00+01:00", DAY),
        ("1970-01-02T01:00:00+0100", DAY), ("1970-01-02T01:00:00+01", DAY),
        ("1970-01-02T01:00-01:30", DAY + 9000), ("1970-01-02T00:00:00+23:59", DAY - 86_340),
        ("2000-02-29", 11_016 * DAY), ("2000-03-01", 11_017 * DAY), ("2026-12-31", 20_818 * DAY),
        ("2100-03-01", 47_541 * DAY), ("1970-12-31", 364 * DAY), ("0001-01-01", -719_162 * DAY),
    ],
)  # fmt: skip
def test_a_moment_is_so_many_seconds_from_the_first_of_1970(text, seconds):
    assert when.instant(text) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "2026-00-01", "2026-01-00", "2026-01-32", "2026-12-32", "2100-02-29", "2026-06-31",
        "2026/01/01", "2026-01/01", "2026-01-01T", "2026-01-01T1:00:00", "2026-01-01T10:00:61Z",
        "2026-01-01T10:00.5", "2026-01-01T10:00:00.x", "2026-01-01T10:00:00.1234567890",
        "2026-01-01T10:00:00+24:00", "2026-01-01T10:00:00+01:60", "2026-01-01T10:00:00+1",
        "2026-01-01T10:00:00:00", "2026-01-01T10:00:00.٣", "2026-01-01T-1:00:00",
    ],
)  # fmt: skip
def test_a_moment_that_no_clock_has_is_none(text):
    assert when.instant(text) == 0.0


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("2026-07-20", True), ("2024-02-29", True), ("2023-02-29", False), ("2026-07-20 ", False),
        ("2026-7-20", False), ("", False), ("2026-07-20T", False), ("2000-02-29", True),
        ("1900-02-29", False), ("2026-12-31", True),
    ],
)  # fmt: skip
def test_a_day_is_one_of_the_calendar(text, there):
    assert when.is_day(text) is there


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "1970-01-01T00:00:00Z"), (59.9, "1970-01-01T00:00:59Z"), (3661, "1970-01-01T01:01:01Z"),
        (365 * DAY - 1, "1970-12-31T23:59:59Z"), (365 * DAY, "1971-01-01T00:00:00Z"),
        (11_016 * DAY, "2000-02-29T00:00:00Z"), (11_017 * DAY, "2000-03-01T00:00:00Z"),
        (20_818 * DAY, "2026-12-31T00:00:00Z"),
    ],
)  # fmt: skip
def test_a_moment_is_written_to_the_second(seconds, text):
    assert when.text(seconds) == text
