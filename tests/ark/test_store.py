"""What goes into the ark comes out again, whatever its client does meanwhile."""

import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
from thruline.ark.entry import Source
from thruline.ark.store import Ark
from thruline.errors import Refused


@given(data=st.lists(st.binary(max_size=300)).map(b"\n".join), name=st.text(min_size=1, max_size=8))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_come_out_as_they_went_in(tmp_path: Path, data: bytes, name: str) -> None:
    ark = Ark(str(tmp_path / "ark"))
    name = name.encode("utf-8", "replace").decode()
    ark.archive(SHELF, name, [Source("/there/a.jsonl", "session", name, read=lambda: [data])])
    assert read_back(ark, name) == [data]
    assert (SHELF, name) in set(ark.entries.find_names())
    ark.forget([(SHELF, name)])
    assert find_stored(ark) == []


def test_a_fork_costs_next_to_nothing(ark: Ark, tmp_path: Path) -> None:
    data = b"".join(build_lines(3000))
    path = tmp_path / "parent.jsonl"
    path.write_bytes(data)
    first = keep(ark, path)
    for name in FORKS:
        copy = tmp_path / f"{name}.jsonl"
        copy.write_bytes(fork(data, name) + b"".join(build_lines(3, name, seed=int(name[:8]) + 9)))
        made = keep(ark, copy, name)
        # The last block is its own; of the others none is written.
        assert made.written < first.written / 3
        assert read_back(ark, name) == [copy.read_bytes()]


def test_a_session_that_grew_is_read_and_written_from_where_it_ended(ark: Ark, tmp_path: Path) -> None:
    lines = build_lines(4000)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(lines[:3900]))
    keep(ark, path)
    with path.open("ab") as file:
        file.write(b"".join(lines[3900:]))
    grown = keep(ark, path)
    added = sum(map(len, lines[3900:]))
    assert grown.changed
    assert grown.read < added + (1 << 20) + (200 << 10)
    assert grown.read < path.stat().st_size / 2
    assert read_back(ark) == [path.read_bytes()]


def test_a_session_that_did_not_change_is_not_read(ark: Ark, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(build_lines(10)))
    keep(ark, path)
    again = keep(ark, path)
    assert (again.changed, again.read, again.written) == (False, 0, 0)


def test_a_file_rewritten_in_place_is_read_whole_and_kept_in_both_versions(ark: Ark, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    first = b"".join(build_lines(500))
    path.write_bytes(first)
    keep(ark, path)
    second = b"".join(build_lines(600, seed=2))
    with path.open("r+b") as file:
        file.write(second)
        file.truncate()
    keep(ark, path)
    entry = ark.get(SHELF, PARENT)
    assert read_back(ark) == [path.read_bytes()]
    assert [b"".join(ark.read(member)) for member in entry.earlier] == [first]


@pytest.mark.parametrize("lines", [3, 300, 900])
@pytest.mark.parametrize("how", ["in place", "renamed", "fresh"])
def test_a_rewritten_session_keeps_its_old_version_however_short(
    ark: Ark, tmp_path: Path, lines: int, how: str
) -> None:
    path = tmp_path / "a.jsonl"
    first = b"".join(build_lines(lines, seed=1))
    path.write_bytes(first)
    keep(ark, path)
    second = b"".join(build_lines(lines * 2, seed=2))
    if how == "renamed":
        (tmp_path / "b").write_bytes(second)
        (tmp_path / "b").replace(path)
    else:
        path.write_bytes(second)
    keep(ark, path, fresh=how == "fresh")
    assert read_back(ark) == [second]
    assert [b"".join(ark.read(member)) for member in ark.get(SHELF, PARENT).earlier] == [first]


@pytest.mark.parametrize("lines", [3, 300, 900])
@pytest.mark.parametrize("fresh", [False, True])
def test_a_longer_copy_under_another_inode_is_no_other_version(
    ark: Ark, tmp_path: Path, lines: int, fresh: bool
) -> None:
    path = tmp_path / "a.jsonl"
    first = b"".join(build_lines(lines))
    path.write_bytes(first)
    keep(ark, path)
    (tmp_path / "b").write_bytes(first + b"".join(build_lines(lines, seed=2)))
    (tmp_path / "b").replace(path)
    keep(ark, path, fresh=fresh)
    assert read_back(ark) == [path.read_bytes()]
    assert ark.get(SHELF, PARENT).earlier == ()


def test_a_file_of_the_same_size_that_was_touched_is_read_whole(ark: Ark, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    first = b"".join(build_lines(900))
    path.write_bytes(first)
    keep(ark, path)
    # Between two of the places that are compared.
    at = len(first) // 32
    second = first[:at] + b"CHANGED" + first[at + 7 :]
    with path.open("r+b") as file:
        file.write(second)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    keep(ark, path)
    assert read_back(ark) == [second]
    assert [b"".join(ark.read(member)) for member in ark.get(SHELF, PARENT).earlier] == [first]


def test_what_the_client_deleted_stays_with_the_entry(ark: Ark, tmp_path: Path) -> None:
    own, side = tmp_path / "a.jsonl", tmp_path / "agent.jsonl"
    own.write_bytes(b"own\n")
    side.write_bytes(b"side\n")
    ark.archive(SHELF, PARENT, [Source(str(own)), Source(str(side), "subagent")])
    side.unlink()
    own.write_bytes(b"own\nmore\n")
    ark.archive(SHELF, PARENT, [Source(str(own))])
    assert read_back(ark) == [b"own\nmore\n", b"side\n"]


def test_a_companion_that_cannot_be_read_is_told_and_does_not_stop_the_rest(ark: Ark, tmp_path: Path) -> None:
    own = tmp_path / "a.jsonl"
    own.write_bytes(b"own\n")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    sources = [Source(str(own)), *(Source(str(tmp_path / name)) for name in ("gone", "folder", "pipe"))]
    made = ark.archive(SHELF, PARENT, sources)
    assert [os.path.basename(each.path) for each in made.missed] == ["gone", "folder", "pipe"]
    assert read_back(ark) == [b"own\n"]


def test_another_users_file_is_refused(ark: Ark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"theirs\n")
    mine = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    with pytest.raises(Refused, match="another user"):
        keep(ark, path)
    assert find_entry(ark) is None
    assert list_litter(ark) == []


def test_only_the_user_can_look_into_it(ark: Ark, tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        path = tmp_path / "a.jsonl"
        path.write_bytes(b"mine\n")
        keep(ark, path)
        ark.restore(SHELF, PARENT, str(tmp_path / "ark" / "restored"))
    finally:
        os.umask(old)
    for each in [Path(ark.folder), *Path(ark.folder).rglob("*")]:
        assert stat.S_IMODE(each.stat().st_mode) & 0o077 == 0, each


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["archive", "grow", "fork", "cut", "forget", "collect"]), st.integers(0, 3), st.integers(0, 3)
    ),
    max_size=14,
)


@given(steps=STEPS)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_done_to_some_sessions_the_others_come_back(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("steps")
    ark = Ark(str(folder / "ark"))
    paths = {name: folder / f"{name}.jsonl" for name in FORKS[:4]}
    kept: dict[str, bytes] = {}
    for number, (step, one, two) in enumerate(steps):
        name, other = FORKS[one], FORKS[two]
        path = paths[name]
        if step == "grow":
            with path.open("ab") as file:
                file.write(b"".join(build_lines(150, name, seed=number)))
        elif step == "fork" and paths[other].exists():
            path.write_bytes(fork(paths[other].read_bytes(), name, other))
        elif step == "cut" and path.exists():
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        elif step == "archive" and path.exists():
            keep(ark, path, name)
            kept[name] = path.read_bytes()
        elif step == "forget":
            ark.forget([(SHELF, name)])
            kept.pop(name, None)
        elif step == "collect":
            ark.collect()
        assert {each for _, each in ark.entries.find_names()} == set(kept)
        for each, data in kept.items():
            assert read_back(ark, each) == [data]
    ark.collect()
    assert sorted(find_stored(ark)) == sorted(find_used(ark))
    assert list_litter(ark) == []
