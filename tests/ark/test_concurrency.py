"""Several processes archive, forget and read at once: nothing lost, nothing half, nothing left over."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.ark.sessions import PARENT, SHELF, build_lines, find_stored, find_used, fork, keep, list_litter, read_back
from tests.ark.workers import name_of
from thruline.ark.store import Ark
from thruline.errors import LockTimeout

REPOSITORY = Path(__file__).resolve().parents[2]
JOBS = [("grow", 1), ("grow", 2), ("come_and_go", 3), ("come_and_go", 4), ("read_any", 5)]


def test_archiving_forgetting_and_reading_at_once(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.ark.workers", name, str(tmp_path), "12", str(number)],
            cwd=REPOSITORY,
            stderr=subprocess.PIPE,
        )
        for name, number in JOBS
    ]
    said = [process.communicate()[1].decode() for process in processes]
    assert [process.returncode for process in processes] == [0] * len(JOBS), "\n".join(said)
    ark = Ark(str(tmp_path / "ark"))
    assert sorted(name for _, name in ark.entries.find_names()) == [name_of(1), name_of(2)]
    for number in (1, 2):
        assert read_back(ark, name_of(number)) == [(tmp_path / f"{name_of(number)}.jsonl").read_bytes()]
    ark.collect()
    assert sorted(find_stored(ark)) == sorted(find_used(ark))
    assert list_litter(ark) == []


@pytest.mark.parametrize("times", [1, 2])
def test_what_is_forgotten_while_a_fork_of_it_is_read_in_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    data = b"".join(build_lines(600))
    parent, copy = tmp_path / "parent.jsonl", tmp_path / "fork.jsonl"
    parent.write_bytes(data)
    copy.write_bytes(fork(data, name_of(1)))
    ark, other = Ark(str(tmp_path / "ark")), Ark(str(tmp_path / "ark"))
    keep(other, parent)
    plain, left = Ark._prepare, [times]

    def prepare_and_lose(self: Ark, *given: Any) -> Any:
        if self is not ark or not left[0]:
            return plain(self, *given)
        # Another process has, and then forgets, the one session whose blocks this one relies on.
        left[0] -= 1
        keep(other, parent)
        made = plain(self, *given)
        other.forget([(SHELF, PARENT)])
        return made

    monkeypatch.setattr(Ark, "_prepare", prepare_and_lose)
    keep(ark, copy, name_of(1))
    assert left == [0]
    assert read_back(ark, name_of(1)) == [copy.read_bytes()]
    assert sorted(find_stored(ark)) == sorted(find_used(ark))
    assert list_litter(ark) == []


def test_two_versions_archived_at_once_do_not_undo_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\n")
    ark, other = Ark(str(tmp_path / "ark")), Ark(str(tmp_path / "ark"))
    plain, left = Ark._prepare, [1]

    def prepare_slowly(self: Ark, *given: Any) -> Any:
        made = plain(self, *given)
        if self is ark and left[0]:
            left[0] -= 1
            path.write_bytes(b"one\ntwo\n")
            keep(other, path)
        return made

    monkeypatch.setattr(Ark, "_prepare", prepare_slowly)
    keep(ark, path)
    assert read_back(ark) == [b"one\ntwo\n"]


def test_nothing_is_removed_while_someone_reads(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(build_lines(600)))
    ark = Ark(str(tmp_path / "ark"))
    keep(ark, path)
    pieces = ark.read(ark.get(SHELF, PARENT).members[0])
    first = next(pieces)
    with pytest.raises(LockTimeout):
        Ark(ark.folder, lock_seconds=0.05).forget([(SHELF, PARENT)])
    assert first + b"".join(pieces) == path.read_bytes()
    Ark(ark.folder, lock_seconds=0.05).forget([(SHELF, PARENT)])
