"""Instructions are counted where valgrind is, and their absence is told where it is not."""

import os
import sys

import pytest

from bench import instructions
from bench.instructions import Counted, can_count, compare_instructions, count_instructions, parse_count

LOOP = "for _ in range({}): pass"


def make_command(name, times):
    return Counted(name, [sys.executable, "-I", "-S", "-c", LOOP.format(times)], dict(os.environ))


def test_the_number_is_read_from_the_log():
    assert parse_count("==7== Cachegrind, a profiler\n==7== \n==7== I refs:        1,428,300,021\n") == 1_428_300_021


def test_a_log_without_a_number_is_no_zero():
    with pytest.raises(ValueError, match="no number"):
        parse_count("==7== Cachegrind, a profiler\n")


def test_without_valgrind_it_is_said_that_nothing_was_counted(monkeypatch, capsys):
    monkeypatch.setattr(instructions, "can_count", lambda: False)
    assert compare_instructions([make_command("a", 1)]) == []
    assert "valgrind is not installed" in capsys.readouterr().out


@pytest.mark.skipif(not can_count(), reason="valgrind is not installed")
def test_more_work_takes_more_instructions_and_is_told_as_a_ratio():
    few, many = compare_instructions([make_command("few", 1), make_command("many", 500_000)])
    assert (few.name, few.floor, few.ratio, few.unit) == ("few", "", None, "M")
    assert (many.floor, many.bar) == ("few", None)
    assert many.ratio == many.value / few.value > 1.05


@pytest.mark.skipif(not can_count(), reason="valgrind is not installed")
def test_a_command_that_fails_is_not_counted():
    with pytest.raises(Exception, match="exit status 3"):
        count_instructions([sys.executable, "-I", "-S", "-c", "raise SystemExit(3)"], dict(os.environ))
