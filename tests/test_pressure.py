"""A session becomes too full once; numbers that mean nothing, and other windows, never make it a second time."""

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from thruline import pressure
from thruline.pressure import clear_flag, note_compaction, read_flag, see_percent

ME, OTHER = os.getpid(), 1  # both run


def play(path: Path, *percents: int, client: int = ME) -> list[bool]:
    """Whether each of these numbers, one after another, made it fire."""
    return [see_percent(str(path), percent, 70, lambda: client)[0] for percent in percents]


@pytest.fixture
def flag(tmp_path: Path) -> Path:
    return tmp_path / "threshold" / "client" / "session"


@pytest.mark.feature("F002-29", via="unit")
def test_it_fires_once_however_often_it_is_asked(flag: Path) -> None:
    assert play(flag, -1, 12, 69, 70, 74, 74, 99) == [False, False, False, True, False, False, False]


def test_a_session_that_begins_above_the_threshold_fires_once(flag: Path) -> None:
    assert play(flag, 85, 85, 90) == [True, False, False]


def test_a_window_that_grows_and_fills_again_does_not_fire_again(flag: Path) -> None:
    assert play(flag, 74, 15, 69, 72) == [True, False, False, False]


@pytest.mark.feature("F002-30", via="unit")
def test_it_warns_until_the_end_also_where_the_client_says_nothing(flag: Path) -> None:
    play(flag, 74)
    assert [see_percent(str(flag), percent, 70)[1] for percent in (76, -1, 80)] == [76, 74, 80]


def test_after_a_compaction_old_numbers_do_not_fire_and_new_ones_do_once(flag: Path) -> None:
    play(flag, 74)
    note_compaction(str(flag), ME)
    assert play(flag, 85, -1, 85) == [False, False, False]
    assert [see_percent(str(flag), percent, 70)[1] for percent in (85, -1)] == [-1, -1]  # nor are they warned of
    assert play(flag, 20, 60, 71, 75) == [False, False, True, False]


def test_another_window_on_the_session_neither_arms_nor_fires_it_again(flag: Path) -> None:
    play(flag, 74)
    note_compaction(str(flag), ME)
    assert play(flag, 30, 85, client=OTHER) == [False, False]
    assert read_flag(str(flag))[0] == "waiting"
    play(flag, 20)
    assert play(flag, 85, client=OTHER) == [False]
    assert play(flag, 85) == [True]


def test_a_session_whose_compacting_client_is_gone_belongs_to_the_next(flag: Path) -> None:
    play(flag, 74)
    note_compaction(str(flag), 2**22 + 1)
    assert play(flag, 20, 80, client=OTHER) == [False, True]


def test_a_compaction_before_it_was_full_changes_nothing(flag: Path) -> None:
    note_compaction(str(flag), ME)
    assert not flag.exists()
    assert play(flag, 74) == [True]


def test_of_many_at_once_one_fires(flag: Path) -> None:
    for number in range(20):
        path = flag.parent / str(number)
        with ThreadPoolExecutor(8) as pool:
            fired = list(pool.map(lambda _, path=path: play(path, 80)[0], range(8)))  # type: ignore[misc]
        assert sum(fired) == 1
    assert sorted(os.listdir(flag.parent)) == sorted(map(str, range(20)))  # and no draft is left


def test_of_many_who_saw_it_armed_one_fires_again(flag: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(flag, 74)
    note_compaction(str(flag), ME)
    play(flag, 20)
    real, seen = pressure.read_flag, []

    def read_then_be_overtaken(path: str) -> tuple[str, int, int]:
        found = real(path)
        if not seen:
            seen.append(found)
            assert play(flag, 80) == [True]  # the other one, between our look and our deed
        return found

    monkeypatch.setattr(pressure, "read_flag", read_then_be_overtaken)
    assert play(flag, 81) == [False]
    assert flag.read_text() == "fired 80\n"
    assert os.listdir(flag.parent) == [flag.name]


def test_a_disk_that_is_full_for_a_moment_costs_nothing_but_that_moment(
    flag: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write

    def no_space(descriptor: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    def check(before: int, fires: int) -> None:
        monkeypatch.setattr(os, "write", no_space)
        with pytest.raises(OSError, match="No space"):
            play(flag, fires)
        monkeypatch.setattr(os, "write", real)
        assert len(os.listdir(flag.parent)) == before
        assert play(flag, fires) == [True]

    check(0, 74)
    note_compaction(str(flag), ME)
    play(flag, 20)
    check(1, 80)


def test_a_broken_flag_counts_as_fired(flag: Path) -> None:
    flag.parent.mkdir(parents=True)
    flag.write_bytes(b"\xff\x00what")
    assert play(flag, 90) == [False]


def test_clearing_tells_whether_there_was_one(flag: Path) -> None:
    play(flag, 90)
    assert (clear_flag(str(flag)), clear_flag(str(flag))) == (True, False)
    assert play(flag, 90) == [True]
