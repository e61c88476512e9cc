"""What nobody needs any more goes, and nothing else."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ark.sessions import (
    FORKS,
    PARENT,
    SHELF,
    build_lines,
    find_entry,
    find_stored,
    find_used,
    fork,
    keep,
    list_litter,
    read_back,
)
from thruline.ark import collect, output
from thruline.ark.entry import Member, Source
from thruline.ark.packs import Packs
from thruline.ark.store import Ark
from thruline.errors import LockTimeout, NotFound


def test_forgetting_one_fork_leaves_the_others_and_removes_what_only_it_had(ark: Ark, tmp_path: Path) -> None:
    data = b"".join(build_lines(1500))
    for name in (PARENT, FORKS[0]):
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(fork(data, name) + (b"".join(build_lines(900, name, seed=3)) if name != PARENT else b""))
        keep(ark, path, name)
    assert ark.forget([(SHELF, FORKS[0])]) > 0
    assert find_entry(ark, FORKS[0]) is None
    assert read_back(ark) == [data]
    assert sorted(find_stored(ark)) == sorted(find_used(ark))
    ark.forget([(SHELF, PARENT)])
    assert find_stored(ark) == []
    assert os.listdir(ark.packs.folder) == []
    assert list_litter(ark) == []


def test_forgetting_what_is_not_there_is_no_error(ark: Ark) -> None:
    assert ark.forget([(SHELF, "nothing")]) == 0
    with pytest.raises(NotFound):
        ark.get(SHELF, "nothing")


def test_many_small_packs_become_one(ark: Ark, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"")
    for number in range(70):
        with path.open("ab") as file:
            file.write(b"".join(build_lines(2, seed=number)))
        keep(ark, path)
    assert len(os.listdir(ark.packs.folder)) < 40
    assert read_back(ark) == [path.read_bytes()]
    ark.collect()
    assert sorted(find_stored(ark)) == sorted(find_used(ark))


def test_while_a_session_is_restored_no_block_can_go(ark: Ark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(build_lines(5)))
    keep(ark, path)
    plain = output.read_member
    told: list[str] = []

    def read(packs: Packs, member: Member) -> Iterator[bytes]:
        for data in plain(packs, member):
            with pytest.raises(LockTimeout) as error:
                Ark(ark.folder, 0.0).collect()
            told.append(error.value.what)
            yield data

    monkeypatch.setattr(output, "read_member", read)
    ark.restore(SHELF, PARENT, str(tmp_path / "out"))
    assert told


def test_a_large_pack_is_written_again_once_most_of_it_is_unused(
    ark: Ark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def archive(name: str, count: int) -> str:
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(os.urandom(count).hex().encode())
        before = set(os.listdir(ark.packs.folder)) if os.path.isdir(ark.packs.folder) else set()
        ark.archive(SHELF, name, [Source(str(path))])
        (made,) = set(os.listdir(ark.packs.folder)) - before
        return made

    used, unused = archive("used", 30_000), archive("unused", 30_000)
    archive("unused", 500)
    monkeypatch.setattr(collect, "SMALL", 10_000)
    monkeypatch.setattr(collect, "MOST_SMALL", 1)
    archive("next", 500)
    left = os.listdir(ark.packs.folder)
    assert used in left
    assert unused not in left
    assert sorted(find_stored(ark)) == sorted(find_used(ark))
