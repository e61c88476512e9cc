"""Packs that were lost: what the file still has is taken again, nothing else stands in the way."""

from pathlib import Path

import pytest

from tests.ark.sessions import PARENT, SHELF, build_lines, keep, read_back
from thruline.ark.entry import Source
from thruline.ark.prepare import LOST
from thruline.ark.store import Ark
from thruline.errors import DiskError


def lose(ark: Ark) -> dict[str, bytes]:
    """Removes every pack; their bytes, for a backup."""
    packs = {path.name: path.read_bytes() for path in Path(ark.packs.folder).iterdir()}
    for name in packs:
        Path(ark.packs.folder, name).unlink()
    return packs


def test_a_file_whose_blocks_are_lost_is_read_again_though_it_did_not_change(ark: Ark, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(build_lines(600)))
    keep(ark, path)
    source = Source(str(path), "session", PARENT, grows=True)
    assert ark.is_kept(SHELF, PARENT, [source])
    lose(ark)
    assert not ark.is_kept(SHELF, PARENT, [source])
    assert not ark.is_whole(ark.get(SHELF, PARENT))
    assert keep(ark, path).changed
    assert read_back(ark) == [path.read_bytes()]


def test_a_file_whose_blocks_are_lost_is_read_whole_when_it_grew(ark: Ark, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(build_lines(900)))
    keep(ark, path)
    lose(ark)
    with path.open("ab") as file:
        file.write(b"more\n")
    keep(ark, path)
    assert read_back(ark) == [path.read_bytes()]
    assert ark.get(SHELF, PARENT).earlier == ()


def archive_two_versions(ark: Ark, tmp_path: Path) -> list[Source]:
    """A session that was rewritten once, with a file beside it that its client has deleted."""
    path, beside = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    sources = [Source(str(path), "session", PARENT, grows=True), Source(str(beside), "subagent", PARENT, grows=True)]
    path.write_bytes(b"first\n")
    beside.write_bytes(b"beside\n")
    ark.archive(SHELF, PARENT, sources)
    path.write_bytes(b"second\n")
    ark.archive(SHELF, PARENT, sources)
    beside.unlink()
    return sources[:1]


def test_what_cannot_be_made_again_keeps_nothing_else_and_comes_back_with_its_pack(ark: Ark, tmp_path: Path) -> None:
    sources = archive_two_versions(ark, tmp_path)
    packs = lose(ark)
    assert ark.archive(SHELF, PARENT, sources).missed == ()
    entry = ark.get(SHELF, PARENT)
    assert b"".join(ark.read(entry.members[0])) == b"second\n"
    with pytest.raises(DiskError, match="missing"):
        list(ark.read(entry.earlier[0]))
    for name, data in packs.items():
        Path(ark.packs.folder, name).write_bytes(data)
    assert [b"".join(ark.read(each)) for each in (*entry.members, *entry.earlier)] == [
        b"second\n",
        b"beside\n",
        b"first\n",
    ]


def test_fresh_gives_up_what_cannot_be_made_again_and_says_so(ark: Ark, tmp_path: Path) -> None:
    sources = archive_two_versions(ark, tmp_path)
    lose(ark)
    made = ark.archive(SHELF, PARENT, sources, fresh=True)
    assert [(Path(each.path).name, each.what) for each in made.missed] == [("b.jsonl", LOST), ("a.jsonl", LOST)]
    assert read_back(ark) == [b"second\n"]
    assert ark.is_whole(ark.get(SHELF, PARENT))


def test_fresh_keeps_what_is_whole(ark: Ark, tmp_path: Path) -> None:
    sources = archive_two_versions(ark, tmp_path)
    made = ark.archive(SHELF, PARENT, sources, fresh=True)
    assert made.missed == ()
    assert b"".join(ark.read(made.entry.earlier[0])) == b"first\n"
    assert read_back(ark) == [b"second\n", b"beside\n"]
