"""A session read by a process of its own is the session that is read here, whatever becomes of that process."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.monster import write_monster
from tests.clients.waiting import wait_until
from thruline.errors import DiskError
from thruline.operations.sessions import reading_aside
from thruline.operations.sessions.locate import Located, locate
from thruline.operations.sessions.reading import Reading
from thruline.operations.sessions.reading_aside import ReadingAside, begin_reading
from thruline.session.parts import Part

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks are used on Linux alone")


@pytest.fixture
def located(tmp_path: Path) -> Located:
    path = tmp_path / "session.jsonl"
    write_monster(path, 3, huge_lines=0)
    with path.open("ab") as file:
        file.write(b'{"type":"user","broken\n')  # a problem to be told
    return locate(str(path), folder=str(tmp_path))


def read(reading: "Reading | ReadingAside") -> list[str]:
    try:
        return [repr(part) for found in reading.blocks() for part in found]
    finally:
        reading.close()


@pytest.fixture(autouse=True)
def forked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The children that are made here: other tests may have left some of theirs."""
    fork = os.fork
    made: list[int] = []

    def note() -> int:
        made.append(fork())
        return made[-1]

    monkeypatch.setattr(os, "fork", note)
    return made


def has_child(forked: list[int]) -> bool:
    assert forked
    for child in forked:
        try:
            os.waitpid(child, os.WNOHANG)
        except ChildProcessError:
            continue
        return True
    return False


def test_parts_problems_and_counts_are_the_same(located: Located, forked: list[int]) -> None:
    here, aside = Reading(located, tokens=False), ReadingAside(located, tokens=False)
    assert read(aside) == read(here)
    assert aside.counts == here.counts
    told = [(each.path, each.line, each.kind, each.what) for each in aside.problems]
    assert told == [(each.path, each.line, each.kind, each.what) for each in here.problems]
    assert told
    assert not has_child(forked)


def arrange(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Lets the child fail behind its second block, and only the child."""
    plain, parent = Reading.blocks, os.getpid()

    def blocks(self: Reading) -> Iterator[list[Part]]:
        for number, found in enumerate(plain(self)):
            if number == 2 and os.getpid() != parent:
                raise error
            yield found

    monkeypatch.setattr(Reading, "blocks", blocks)


@pytest.mark.parametrize("error", [ValueError("unmarshallable object"), KeyboardInterrupt(), MemoryError()])
def test_what_a_failing_child_did_not_come_to_is_read_here(
    located: Located, monkeypatch: pytest.MonkeyPatch, error: BaseException, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = Reading(located)
    wanted = read(whole)
    arrange(monkeypatch, error)
    aside = ReadingAside(located)
    assert read(aside) == wanted
    assert (aside.counts, len(aside.problems)) == (whole.counts, len(whole.problems))
    assert capfd.readouterr() == ("", "")


def test_what_is_wrong_with_the_file_is_told_as_it_is_without_a_child(
    located: Located, monkeypatch: pytest.MonkeyPatch, forked: list[int]
) -> None:
    arrange(monkeypatch, DiskError("The transcript was cut while it was read.", where="x.jsonl", next="try again"))
    with pytest.raises(DiskError) as caught:
        read(ReadingAside(located))
    assert (caught.value.what, caught.value.where, caught.value.next) == (
        "The transcript was cut while it was read.", "x.jsonl", "try again",
    )  # fmt: skip
    assert not has_child(forked)


def test_a_file_that_was_cut_before_it_is_read_again_is_not_told_as_a_whole_one(
    located: Located, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrange(monkeypatch, ValueError())
    aside = ReadingAside(located)
    blocks = aside.blocks()
    next(blocks)
    os.truncate(located.files[0], 2 << 20)
    with pytest.raises(DiskError, match="cut while it was read"):
        list(blocks)


def test_who_stops_early_leaves_no_child_behind(located: Located, forked: list[int]) -> None:
    aside = ReadingAside(located)
    next(aside.blocks())
    assert has_child(forked)
    aside.close()
    aside.close()
    assert not has_child(forked)


def test_a_child_is_started_for_a_long_session_where_a_processor_is_free(
    located: Located, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose() -> type:
        reading = begin_reading(located)
        reading.close()
        return type(reading)

    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr(os, "listdir", lambda _: ["1"])
    assert choose() is Reading  # short
    monkeypatch.setattr(reading_aside, "LEAST", 1 << 20)
    assert choose() is ReadingAside
    monkeypatch.setattr(os, "listdir", lambda _: ["1", "2"])
    assert choose() is Reading  # another thread
    monkeypatch.setattr(os, "listdir", lambda _: ["1"])
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert choose() is Reading  # nobody else to do it


@pytest.mark.parametrize("call", ["pipe", "fork"])
def test_where_no_child_can_be_had_this_process_reads(
    located: Located, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def refuse() -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(reading_aside, "LEAST", 0)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr(os, call, refuse)
    before = len(os.listdir("/proc/self/fd"))
    reading = begin_reading(located, tokens=False)
    assert isinstance(reading, Reading)
    assert len(os.listdir("/proc/self/fd")) == before


def test_who_ignores_its_children_has_none(located: Located, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_aside, "LEAST", 0)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert isinstance(begin_reading(located, tokens=False), Reading)
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_who_reads_does_not_wait_for_who_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, done = tmp_path / "session.jsonl", tmp_path / "done"
    write_monster(path, 4, talky=True, huge_lines=0)
    located = locate(str(path), folder=str(tmp_path))
    monkeypatch.setattr(reading_aside, "_PIPE", 1 << 16)
    plain = Reading.blocks

    def blocks(self: Reading) -> Iterator[list[Part]]:
        yield from plain(self)
        done.touch()

    monkeypatch.setattr(Reading, "blocks", blocks)
    aside = ReadingAside(located)
    wait_until(done.exists)  # and nothing was taken yet
    monkeypatch.setattr(Reading, "blocks", plain)
    assert read(aside) == read(Reading(located))


def test_so_much_and_no_more_waits_to_be_taken(located: Located, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_aside, "MOST_WAITING", 0)
    monkeypatch.setattr(reading_aside, "_PIPE", 1 << 12)
    assert read(ReadingAside(located)) == read(Reading(located))


def test_who_reads_waits_where_too_much_waits_to_be_taken(
    located: Located, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun, plain = tmp_path / "begun", Reading.blocks
    begun.touch()

    def blocks(self: Reading) -> Iterator[list[Part]]:
        for found in plain(self):
            with begun.open("ab") as file:
                file.write(b".")
            yield found

    monkeypatch.setattr(reading_aside, "MOST_WAITING", 0)
    monkeypatch.setattr(reading_aside, "_PIPE", 1 << 12)
    wanted = len(list(plain(Reading(located))))
    monkeypatch.setattr(Reading, "blocks", blocks)
    aside = ReadingAside(located)
    wait_until(lambda: begun.stat().st_size > 0)
    time.sleep(0.3)  # far more than the rest takes
    assert begun.stat().st_size < wanted
    monkeypatch.setattr(Reading, "blocks", plain)
    assert read(aside) == read(Reading(located))


class Lines:
    """A fold: the lines of the parts, and in which process they were seen."""

    def __init__(self) -> None:
        self.lines: list[int] = []

    def see_all(self, found: list[Part]) -> None:
        self.lines += [part.line for part in found]

    def give(self) -> tuple[int, list[int]]:
        return os.getpid(), self.lines


@pytest.mark.parametrize("most", [32 << 20, 0])  # what waits to be folded is folded earlier where it is too much
def test_a_fold_behind_the_reading_is_the_childs(
    located: Located, monkeypatch: pytest.MonkeyPatch, forked: list[int], most: int
) -> None:
    monkeypatch.setattr(reading_aside, "MOST_WAITING", most)
    wanted = [part.line for part in Reading(located, tokens=False)]
    aside = ReadingAside(located, tokens=False, behind=Lines)
    for found in aside.blocks():
        assert found
    assert aside.told() == (forked[0], wanted)
    aside.close()
    assert not has_child(forked)


@pytest.mark.parametrize("error", [ValueError("unmarshallable object"), KeyboardInterrupt()])
def test_what_a_child_did_not_come_to_fold_is_folded_here(
    located: Located, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    wanted = [part.line for part in Reading(located, tokens=False)]
    arrange(monkeypatch, error)
    aside = ReadingAside(located, tokens=False, behind=Lines)
    list(aside.blocks())
    assert aside.told() == (os.getpid(), wanted)
    aside.close()


def test_who_asks_for_no_fold_has_none(located: Located) -> None:
    aside = ReadingAside(located, tokens=False)
    list(aside.blocks())
    assert not aside.tells
    aside.close()


def test_a_fold_that_fails_in_the_child_is_made_here(located: Located, monkeypatch: pytest.MonkeyPatch) -> None:
    parent = os.getpid()
    give = Lines.give

    def fail(self: Lines) -> tuple[int, list[int]]:
        if os.getpid() != parent:
            raise MemoryError
        return give(self)

    monkeypatch.setattr(Lines, "give", fail)
    aside = ReadingAside(located, tokens=False, behind=Lines)
    parts = [part for found in aside.blocks() for part in found]
    assert aside.told() == (parent, [part.line for part in parts])
    aside.close()


@pytest.mark.parametrize("most", [0, 3, 1 << 30])
def test_something_else_is_done_while_nothing_is_there_to_take(located: Located, most: int) -> None:
    shares: list[float] = []

    def work(share: float) -> bool:
        shares.append(share)
        return len(shares) < most

    aside = ReadingAside(located)
    aside.meanwhile.append(work)
    assert read(aside) == read(Reading(located))
    assert shares
    assert shares == sorted(shares)
    assert 0 == shares[0] <= shares[-1] <= 1


def test_nobody_gets_ready_for_what_does_not_come_any_more(located: Located, monkeypatch: pytest.MonkeyPatch) -> None:
    parent, give, blocks = os.getpid(), Lines.give, {"ended": False}
    late: list[float] = []

    def slow(self: Lines) -> tuple[int, list[int]]:
        if os.getpid() != parent:
            time.sleep(0.2)
        return give(self)

    def work(share: float) -> bool:
        if blocks["ended"]:
            late.append(share)
        return True

    monkeypatch.setattr(Lines, "give", slow)
    aside = ReadingAside(located, tokens=False, behind=Lines)
    aside.meanwhile.append(work)
    list(aside.blocks())
    blocks["ended"] = True
    aside.told()
    aside.close()
    assert not late


def test_a_block_of_many_pieces_comes_whole(located: Located, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_aside, "_PIPE", 100)
    assert read(ReadingAside(located)) == read(Reading(located))


def test_a_child_that_is_interrupted_before_it_begins_does_not_go_on_as_its_parent(
    located: Located, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = read(Reading(located))

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(reading_aside, "_hand_over", interrupt)
    here = os.getpid()
    try:
        reading = ReadingAside(located)
    except KeyboardInterrupt:
        (tmp_path / "unwound").touch()
        if os.getpid() != here:
            os._exit(0)
        raise
    assert read(reading) == whole
    assert not (tmp_path / "unwound").exists()
