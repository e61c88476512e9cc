"""Sizes, ages and ids as people say them."""

import pytest

from thruline.cli.words import find_prefix_length, parse_age, render_age, render_size
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


def test_an_age_is_read_back_in_seconds() -> None:
    assert parse_age("12h") == 43_200
    for text in ("", "h", "12", "-3d", "1y", "3 d"):
        with pytest.raises(UsageError):
            parse_age(text)


def test_ids_are_as_long_as_it_takes_to_tell_them_apart() -> None:
    assert find_prefix_length([]) == 8
    assert find_prefix_length(["5e0c7f4a-31b2", "6e0c7f4a-31b2"]) == 8
    assert find_prefix_length(["01a1e1a1-2599-7c00", "01a1e1a1-1b8c-7160"]) == 13
    assert find_prefix_length(["01a1e1a1-2599-7c00", "01a1e1a1-2599-7c00"]) == 8
