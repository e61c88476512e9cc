"""Every flipped bit is found, kept from doing harm, and mended where the client still has the file."""

import os
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
    keep,
    list_litter,
    read_back,
)
from thruline.ark.store import Ark
from thruline.errors import DiskError, FormatError


def test_every_flipped_bit_of_a_pack_is_found_or_harmless(ark: Ark, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(build_lines(8, size=200)))
    keep(ark, path)
    pack = Path(ark.packs.folder, os.listdir(ark.packs.folder)[0])
    whole = pack.read_bytes()
    found = 0
    for at in range(len(whole)):
        pack.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1 :])
        looked = Ark(ark.folder)
        try:
            # The index is there twice: as rows, and in front of each block.
            assert read_back(looked) == [path.read_bytes()]
        except DiskError:
            found += 1
    assert found > len(whole) / 2


def test_every_flipped_bit_of_an_entry_is_found(ark: Ark, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\n")
    keep(ark, path)
    file = Path(ark.entries.find_path(SHELF, PARENT))
    whole = file.read_bytes()
    for at in range(len(whole) - 1):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(FormatError, match="damaged"):
            ark.get(SHELF, PARENT)


def test_a_damaged_entry_keeps_every_block_from_being_collected(ark: Ark, tmp_path: Path) -> None:
    for number, name in enumerate((PARENT, FORKS[0])):
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(b"".join(build_lines(3, name, seed=number)))
        keep(ark, path, name)
    file = Path(ark.entries.find_path(SHELF, PARENT))
    whole = file.read_bytes()
    file.write_bytes(b"x" + whole[1:])
    before = sorted(find_stored(ark))
    with pytest.raises(FormatError):
        ark.forget([(SHELF, FORKS[0])])
    assert sorted(find_stored(ark)) == before
    # Mended, the next one to write finishes what was begun.
    file.write_bytes(whole)
    ark.collect()
    assert sorted(find_stored(ark)) == sorted(find_used(ark))
    assert list_litter(ark) == []


def test_fresh_mends_a_damaged_block_and_a_damaged_entry(ark: Ark, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(build_lines(50)))
    keep(ark, path)
    pack = Path(ark.packs.folder, os.listdir(ark.packs.folder)[0])
    data = bytearray(pack.read_bytes())
    data[200] ^= 1
    pack.write_bytes(data)
    ark = Ark(ark.folder)
    with pytest.raises(DiskError, match="damaged"):
        ark.check(ark.get(SHELF, PARENT))
    keep(ark, path, fresh=True)
    ark.check(ark.get(SHELF, PARENT))
    file = Path(ark.entries.find_path(SHELF, PARENT))
    file.write_bytes(b"x" + file.read_bytes()[1:])
    keep(ark, path, fresh=True)
    assert read_back(ark) == [path.read_bytes()]


def test_a_damaged_index_of_a_pack_is_made_again_from_its_blocks(ark: Ark, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(build_lines(900)))
    keep(ark, path)
    pack = Path(ark.packs.folder, os.listdir(ark.packs.folder)[0])
    whole = pack.read_bytes()
    begin = ark.packs.places[pack.name][-1].offset + ark.packs.places[pack.name][-1].stored
    for at in range(begin, len(whole)):
        pack.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1 :])
        assert find_entry(Ark(ark.folder)) is not None
        assert sorted(find_stored(Ark(ark.folder))) == sorted(find_used(ark))
