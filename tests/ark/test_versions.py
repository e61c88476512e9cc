"""Forks that name their parent in every record, sessions without a file, and versions of one that was rewritten."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from tests.ark.sessions import PARENT, SHELF, build_lines, fork, read_back
from thruline.ark.entry import Entry, Member, Source, parse_entry, render_entry
from thruline.ark.intake import PIECE
from thruline.ark.output import find_versions
from thruline.ark.store import Archived, Ark
from thruline.errors import NotFound

MARK = f',"forkedFrom":{{"sessionId":"{PARENT}","messageUuid":"'
KEY = '"uuid":"'


def build_compact(count: int, *, seed: int = 1) -> list[bytes]:
    lines = [json.loads(line) for line in build_lines(count, seed=seed)]
    return [json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines]


def branch(lines: list[bytes], session: str) -> list[bytes]:
    """The lines as a client copies them into a branch: another id, and where each came from."""
    made = []
    for line in lines:
        name = json.loads(line)["uuid"]
        made.append(fork(line, session)[:-2] + f'{MARK}{name}"}}}}\n'.encode())
    return made


def keep(ark: Ark, path: Path, name: str, mark: str = "", key: str = "") -> Archived:
    return ark.archive(SHELF, name, [Source(str(path), "session", name, grows=True, mark=mark, key=key)])


def build_note(number: int, session: str = PARENT) -> bytes:
    return b'{"type":"mode","mode":"m%d","sessionId":"%s"}\n' % (number, session.encode())


def add_notes(lines: list[bytes], every: int = 9) -> list[bytes]:
    """The lines with what the client notes between them."""
    made = []
    for number, line in enumerate(lines):
        made += [build_note(number), line] if number % every == 0 else [line]
    return [*made, build_note(len(lines))]


def test_ten_branches_of_a_session_cost_next_to_nothing(ark: Ark, tmp_path: Path) -> None:
    lines = build_compact(3000)
    path = tmp_path / "parent.jsonl"
    path.write_bytes(b"".join(lines))
    keep(ark, path, PARENT)
    one = ark.find_size()
    for number in range(10):
        name = f"{number:08d}-2222-4333-8444-555555555555"
        copy = tmp_path / f"{name}.jsonl"
        own = [fork(line, name) for line in build_compact(3, seed=number + 50)]
        copy.write_bytes(b"".join([*branch(lines, name), *own]))
        keep(ark, copy, name, MARK)
        assert read_back(ark, name) == [copy.read_bytes()]
    assert ark.find_size() < 1.5 * one


def test_forks_that_leave_out_the_notes_share_the_records(ark: Ark, tmp_path: Path) -> None:
    lines = build_compact(3000)
    path = tmp_path / "parent.jsonl"
    path.write_bytes(b"".join(add_notes(lines)))
    keep(ark, path, PARENT, key=KEY)
    one = ark.find_size()
    assert read_back(ark) == [path.read_bytes()]
    for number in range(10):
        name = f"{number:08d}-2222-4333-8444-555555555555"
        copy = tmp_path / f"{name}.jsonl"
        copied = branch(lines, name) if number % 2 else [fork(line, name) for line in lines]
        copy.write_bytes(b"".join([*copied, build_note(1, name)]))
        keep(ark, copy, name, MARK if number % 2 else "", KEY)
        assert read_back(ark, name) == [copy.read_bytes()]
    assert ark.find_size() < 1.5 * one


def test_a_session_with_notes_that_goes_on_is_read_from_where_it_ended(ark: Ark, tmp_path: Path) -> None:
    lines = add_notes(build_compact(2500))
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(lines[:2000]))
    keep(ark, path, PARENT, key=KEY)
    for begin, end in ((2000, 2001), (2001, 2300), (2300, 2301), (2301, len(lines))):
        before = path.stat().st_size
        with path.open("ab") as file:
            file.writelines(lines[begin:end])
        made = keep(ark, path, PARENT, key=KEY)
        assert made.read < path.stat().st_size - before + 1_500_000 < before
        assert read_back(ark) == [path.read_bytes()]
        assert made.entry.earlier == ()
    whole = keep(Ark(str(tmp_path / "other")), path, PARENT, key=KEY).entry.members[0]
    grown = made.entry.members[0]
    assert (whole.blocks, whole.notes, whole.tail, whole.lines) == (grown.blocks, grown.notes, grown.tail, grown.lines)
    assert whole.asides == grown.asides
    # Written anew under another inode it is the same session, and one that went on is too.
    (tmp_path / "new").write_bytes(path.read_bytes() + build_note(7))
    (tmp_path / "new").replace(path)
    made = keep(ark, path, PARENT, key=KEY)
    assert made.entry.earlier == ()
    assert read_back(ark) == [path.read_bytes()]
    path.write_bytes(path.read_bytes().replace(b'"mode":"m9"', b'"mode":"mX"', 1) + b"\n")
    assert (
        len(ark.archive(SHELF, PARENT, [Source(str(path), "session", PARENT, True, "", KEY)], fresh=True).entry.earlier)
        == 1
    )


@pytest.mark.parametrize("key", ["", KEY])
def test_a_huge_line_that_is_cut_in_its_middle_goes_on(key: str, ark: Ark, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    huge = b'{"uuid":"u","text":"' + bytes(random.Random(3).choices(b"abcdefgh", k=2_600_000))
    path.write_bytes(build_note(1) + huge)
    keep(ark, path, PARENT, key=key)
    for more in (b"still going on", b'","uuid":"v"}\n', build_note(2), b'{"uuid":"w"}\n' + build_note(3)):
        with path.open("ab") as file:
            file.write(more)
        made = keep(ark, path, PARENT, key=key)
        assert read_back(ark) == [path.read_bytes()]
        assert made.entry.earlier == ()


def test_a_branch_that_goes_on_is_read_from_where_it_ended(ark: Ark, tmp_path: Path) -> None:
    lines = build_compact(2500)
    name = "00000001-2222-4333-8444-555555555555"
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(branch(lines[:2000], name)))
    keep(ark, path, name, MARK)
    for more in (branch(lines[2000:2400], name), [fork(line, name) for line in lines[2400:]], branch(lines[:7], name)):
        before = path.stat().st_size
        with path.open("ab") as file:
            file.writelines(more)
        made = keep(ark, path, name, MARK)
        assert made.read < path.stat().st_size - before + 1_500_000 < before
        assert read_back(ark, name) == [path.read_bytes()]
        assert made.entry.earlier == ()
    whole = Ark(str(tmp_path / "other"))
    entry = keep(whole, path, name, MARK).entry
    assert (entry.members[0].blocks, entry.members[0].runs) == (
        made.entry.members[0].blocks,
        made.entry.members[0].runs,
    )


@given(cuts=some.lists(some.integers(0, 60), min_size=1, max_size=4), seed=some.integers(0, 5))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_branch_cut_anywhere_comes_back_as_it_was(tmp_path: Path, cuts: list[int], seed: int) -> None:
    name = "00000001-2222-4333-8444-555555555555"
    lines = build_compact(60, seed=seed)
    data = b"".join(add_notes([*branch(lines[:40], name), *(fork(line, name) for line in lines[40:])], 7))
    folder = tmp_path / f"{len(list(tmp_path.iterdir()))}"
    folder.mkdir()
    ark, path = Ark(str(folder / "ark")), folder / "a.jsonl"
    path.touch()
    for cut in sorted(cuts):
        with path.open("ab") as file:
            file.write(data[path.stat().st_size : len(data) * cut // 60])
        keep(ark, path, name, MARK, KEY)
        assert read_back(ark, name) == [path.read_bytes()]


def test_entries_of_the_first_schema_are_read_and_written_as_before() -> None:
    plain = Member("/a", "session", PARENT, 3, 1, 2, 3, "p", ("ab",), 3)
    entry = Entry(SHELF, PARENT, 1.5, (plain,))
    data = render_entry(entry)
    assert json.loads(data.split(b"\n")[0])["ark"] == 1
    assert set(json.loads(data.split(b"\n")[0])["members"][0]) == {
        "path", "kind", "hidden", "size", "mtime_ns", "inode", "device", "probe", "blocks", "tail"
    }  # fmt: skip
    assert parse_entry(data, "") == entry
    marked = Entry(
        SHELF,
        PARENT,
        1.5,
        (plain, Member("/b", "", "", 3, 1, 2, 3, "p", ("ab",), 3, MARK, (1, 2), KEY, ("cd",), (4, 1), 7)),
    )
    data = render_entry(marked)
    assert json.loads(data.split(b"\n")[0])["ark"] == 2
    assert parse_entry(data, "") == marked


def test_a_branch_kept_before_marks_were_known_goes_on_as_it_was(ark: Ark, tmp_path: Path) -> None:
    name = "00000001-2222-4333-8444-555555555555"
    lines = branch(build_compact(900), name)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(lines[:800]))
    keep(ark, path, name)
    with path.open("ab") as file:
        file.writelines(lines[800:])
    made = keep(ark, path, name, MARK)
    assert made.entry.members[0].mark == ""
    assert made.entry.earlier == ()
    assert ark.archive(SHELF, name, [Source(str(path), "session", name, True, MARK)], fresh=True).entry.earlier == ()
    assert read_back(ark, name) == [path.read_bytes()]


class Made:
    """A session without a file, and how often it was read."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.times = 0

    def read(self) -> Iterator[bytes]:
        self.times += 1
        for at in range(0, len(self.data), 999):
            yield self.data[at : at + 999]

    def keep(self, ark: Ark, changed_ns: int) -> Archived:
        source = Source("/store/a.jsonl", "session", PARENT, True, read=self.read, changed_ns=changed_ns)
        return ark.archive(SHELF, PARENT, [source])


def test_a_session_without_a_file_is_read_once_for_each_change(ark: Ark) -> None:
    lines = build_lines(1200)
    made = Made(b"".join(lines[:1000]))
    assert made.keep(ark, 5).changed
    assert not made.keep(ark, 5).changed
    assert made.times == 1
    made.data = b"".join(lines)
    done = made.keep(ark, 6)
    assert (done.entry.earlier, done.entry.members[0].mtime_ns, done.read) == ((), 6, len(made.data))
    assert read_back(ark) == [made.data]
    made.data = b"".join(lines[:700] + lines[800:])
    assert len(made.keep(ark, 7).entry.earlier) == 1
    assert read_back(ark) == [made.data]
    assert len(made.data) > PIECE


def test_every_earlier_version_can_be_had_again(ark: Ark, tmp_path: Path) -> None:
    versions = [b"".join(build_lines(30, seed=seed)) for seed in range(3)]
    side = tmp_path / "side.jsonl"
    side.write_bytes(b"beside\n")
    path = tmp_path / "a.jsonl"
    for data in versions:
        path.write_bytes(data)
        sources = [Source(str(path), "session", PARENT, True), Source(str(side), "subagent", PARENT, True)]
        entry = ark.archive(SHELF, PARENT, sources).entry
    assert [member.size for member in find_versions(entry)] == [len(versions[1]), len(versions[0])]
    for back, data in enumerate(reversed(versions)):
        made = ark.restore(SHELF, PARENT, str(tmp_path / f"out{back}"), back=back)
        assert Path(made[str(path)]).read_bytes() == data
        assert Path(made[str(side)]).read_bytes() == b"beside\n"
    made = ark.restore(SHELF, PARENT, str(tmp_path / "only"), only={str(side)})
    assert list(made) == [str(side)]
    with pytest.raises(NotFound, match="3 before the last"):
        ark.restore(SHELF, PARENT, str(tmp_path / "none"), back=3)
