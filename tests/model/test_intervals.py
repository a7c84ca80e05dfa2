"""Intervals: what timers can express, and the supervisor's law."""

import pytest

from loopgraph.model import intervals
from loopgraph.model.intervals import Interval, legal, nearest, parse, supervisor

ALL = legal(Interval(1))


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("10m", 10), ("1h", 60), ("60m", 60), ("2h", 120), ("1d", 1440), ("24h", 1440)],
)
def test_an_interval_is_read(text, minutes):
    assert parse(text) == Interval(minutes)


@pytest.mark.parametrize(
    "text", ["", "m", "10", "10s", "0m", "-5m", "1.5h", "10 m", "１０m", "99999m"]
)
def test_anything_else_is_no_interval(text):
    assert parse(text) is None


@pytest.mark.parametrize("minutes", intervals.LEGAL_MINUTES)
def test_every_legal_interval_divides_an_hour_or_a_day_and_reads_back(minutes):
    assert 60 % minutes == 0 or 1440 % minutes == 0
    assert parse(str(Interval(minutes))) == Interval(minutes)


@pytest.mark.parametrize(
    ("wanted", "near"), [(7, (6, 10)), (11, (10, 12)), (45, (30, 60)), (2000, (1440,))]
)
def test_the_nearest_legal_intervals_come_nearest_first(wanted, near):
    assert nearest(Interval(wanted), ALL) == tuple(Interval(m) for m in near)


@pytest.mark.parametrize(
    ("executor", "expected"), [(10, 30), (5, 15), (1, 3), (12, 30), (15, 60), (1440, 1440)]
)
def test_the_supervisor_fires_at_three_to_four_times_or_the_nearest(executor, expected):
    assert supervisor(Interval(executor), ALL) == Interval(expected)


def test_a_host_has_the_legal_intervals_from_its_minimum_on():
    assert legal(Interval(360))[:2] == (Interval(360), Interval(480))
    assert legal(Interval(361))[0] == Interval(480)
    assert [interval.minutes for interval in ALL] == list(intervals.LEGAL_MINUTES)


@pytest.mark.parametrize(
    ("wanted", "near"),
    [(10, (10, 12)), (1440, (1440,)), (9, (10, 6)), (8, (6, 10)), (25, (20, 30))],
)
def test_a_legal_interval_is_its_own_nearest_and_of_equals_the_shorter_comes_first(wanted, near):
    assert nearest(Interval(wanted), reversed(ALL)) == tuple(Interval(m) for m in near)


@pytest.mark.parametrize("text", ["99999m", "10000m", "1w", "m10", "10M"])
def test_a_number_of_more_than_four_digits_or_another_unit_is_no_interval(text):
    assert parse(text) is None
    assert parse("9999m") == Interval(9999)


@pytest.mark.parametrize(
    ("executor", "among", "expected"),
    [
        (10, (30, 40), 30), (10, (40, 60), 40), (10, (29, 41), 29), (10, (20, 41), 41),
        (10, (28, 42), 28), (10, (60, 20), 20),
    ],
)  # fmt: skip
def test_the_supervisor_has_the_shortest_of_its_band_or_the_nearest_outside(
    executor, among, expected
):
    assert supervisor(Interval(executor), map(Interval, among)) == Interval(expected)


def test_every_timer_can_express_what_divides_an_hour_or_a_day():
    minutes = [number for number in range(1, 61) if 60 % number == 0]
    hours = [60 * number for number in range(1, 25) if 24 % number == 0]
    assert list(intervals.LEGAL_MINUTES) == sorted({*minutes, *hours})
