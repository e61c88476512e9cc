"""Everyone runs as often as everyone else, and a command that fails is not timed as if it had not."""

import sys
from collections import Counter

import pytest

from bench.race import WARM_UP, Command, Entrant, find_p95, race


def test_entrants_take_turns_and_are_listed_in_the_order_given():
    ran: list[str] = []
    entrants = [Entrant(name, lambda name=name: ran.append(name)) for name in "abc"]
    rows = race(entrants, rounds=10)
    assert [row.name for row in rows] == ["a", "b", "c"]
    assert Counter(ran) == dict.fromkeys("abc", 10 + WARM_UP)
    turns = [ran[start : start + 3] for start in range(0, len(ran), 3)]
    assert all(sorted(turn) == ["a", "b", "c"] for turn in turns)
    assert len({tuple(turn) for turn in turns}) > 1
    assert [row.floor for row in rows] == ["", "a", "a"]
    assert rows[0].ratio is None


def test_a_command_gets_its_stdin_and_its_failure_is_told():
    check = "import sys; sys.exit(sys.stdin.read() != 'word')"
    Command([sys.executable, "-c", check], b"word")()
    with pytest.raises(RuntimeError, match="ended with 1"):
        Command([sys.executable, "-c", check], b"other")()


def test_p95_is_exceeded_by_one_in_twenty():
    assert find_p95(list(range(100))) == 95
    assert find_p95([3.0]) == 3.0
