from datetime import UTC, datetime, timedelta, timezone

import pytest

from thruline import clock

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


def test_time_is_utc_to_the_second_and_survives_a_round_trip():
    now = clock.read_clock()
    assert now.tzinfo is UTC
    assert now.microsecond == 0
    assert clock.parse_time(clock.render_time(now)) == now


def test_stopped_clock_stands_still_and_runs_on_afterwards():
    with clock.stopped_at(NOON):
        assert clock.render_time(clock.read_clock()) == "2026-11-16T12:00:00Z"
    assert clock.read_clock() != NOON


def test_other_zones_are_told_in_utc():
    assert clock.render_time(NOON.astimezone(timezone(timedelta(hours=5)))) == "2026-11-16T12:00:00Z"
    assert clock.parse_time("2026-11-16T13:00:00+01:00") == NOON


def test_time_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="zone"):
        clock.parse_time("2026-11-16T12:00:00")
