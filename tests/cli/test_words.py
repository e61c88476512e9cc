"""Sizes, ages and ids as people say them."""

import pytest

from thruline.cli.words import parse_age, render_age, render_count, render_size
from thruline.errors import UsageError


@pytest.mark.parametrize(
    ("size", "shown"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (15_400, "15 KB"), (2_345_678, "2.3 MB"), (5 * 10**12, "5.0 TB")],
)
def test_a_size_reads_well(size: int, shown: str) -> None:
    assert render_size(size) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(-5, "now"), (59, "now"), (300, "5m"), (7200, "2h"), (5 * 86_400, "5d"), (90 * 86_400, "13w")],
)
def test_an_age_reads_well(seconds: float, shown: str) -> None:
    assert render_age(seconds) == shown


@pytest.mark.parametrize(("count", "shown"), [(0, "0 turns"), (1, "1 turn"), (2, "2 turns"), (12_345, "12,345 turns")])
def test_one_thing_is_told_as_one(count: int, shown: str) -> None:
    assert render_count(count, "turn") == shown


def test_an_age_is_read_back_in_seconds() -> None:
    assert parse_age("12h") == 43_200
    for text in ("", "h", "12", "-3d", "1y", "3 d"):
        with pytest.raises(UsageError):
            parse_age(text)
