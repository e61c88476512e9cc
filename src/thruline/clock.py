"""The one place that asks what time it is.

Everything that writes a date takes it from here, so that a test can stop the clock, and all dates look alike: UTC, to
the second, `2026-11-16T08:30:00Z`.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

_read: Callable[[], float] = time.time


def read_clock() -> datetime:
    """Now, in UTC, to the second."""
    return datetime.fromtimestamp(int(_read()), UTC)


def render_time(moment: datetime) -> str:
    """`2026-11-16T08:30:00Z`, whatever zone `moment` is in."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def parse_time(text: str) -> datetime:
    """The moment that an ISO 8601 text names; ValueError if it names none or leaves its zone open."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"no time zone in {text!r}")
    return moment.astimezone(UTC)


@contextmanager
def stopped_at(moment: datetime) -> Iterator[None]:
    """Within the block it is always `moment`."""
    global _read
    before = _read
    _read = moment.timestamp
    try:
        yield
    finally:
        _read = before
