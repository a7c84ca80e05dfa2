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
