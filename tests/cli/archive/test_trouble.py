"""Odd files, damage and full disks: told, and nothing else suffers."""

import errno
import json
import os
import stat
from pathlib import Path

import pytest

from tests.cli.archive.sessions import find_ark, put_another, put_noise
from tests.cli.kept import ask, find_projects, remove_session, turn_on
from tests.sample import SESSION
from thruline.cli.door import run
from thruline.harnesses.registry import HARNESSES
from thruline.layout import find_user_paths


@pytest.mark.parametrize("name", ["...jsonl", "..jsonl", ".jsonl"])
def test_a_file_whose_name_is_only_dots_takes_nobody_elses_files(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    turn_on(capsys)
    odd = kept.with_name(name)
    odd.write_bytes(kept.read_bytes())
    (find_projects(home).parent / ".credentials.json").write_text("secret")
    done = json.loads(ask(capsys, "archive", "--all", "--json", code=1))
    assert done["archived"] == [SESSION]
    assert [each["path"] for each in done["problems"]] == [str(odd)]


def test_links_that_lead_out_of_the_clients_folder_are_told_and_not_taken(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    (home / "key").write_text("secret")
    (home / "away").mkdir()
    (home / "away" / "agent-far.jsonl").write_text("{}")
    beside = kept.parent / SESSION
    (beside / "tool-results" / "key.txt").symlink_to(home / "key")
    (beside / "tool-results" / "again.txt").symlink_to(beside / "tool-results" / "out.txt")
    other = put_another(home, 1)
    (other.parent / other.stem).symlink_to(home / "away")
    (home / "outside.jsonl").write_bytes(kept.read_bytes())
    linked = kept.with_name("eeeeeeee-31b2-4c6d-9a58-7d1f0e2b9c34.jsonl")
    linked.symlink_to(home / "outside.jsonl")
    done = json.loads(ask(capsys, "archive", "--all", "--json", code=1))
    assert {each["path"] for each in done["problems"]} == {
        str(beside / "tool-results" / "key.txt"),
        str(other.parent / other.stem / "agent-far.jsonl"),
        str(linked),
    }
    assert sorted(done["archived"]) == sorted([SESSION, other.stem])
    members = {member.path for member in find_ark().get(HARNESSES[0].name, SESSION).members}
    assert str(beside / "tool-results" / "again.txt") in members
    assert str(beside / "tool-results" / "key.txt") not in members


def test_a_folder_of_transcripts_that_the_user_put_elsewhere_is_taken(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    kept.parent.rename(home / "elsewhere")
    kept.parent.symlink_to(home / "elsewhere")
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert done["archived"] == [SESSION]
    assert len(find_ark().get(HARNESSES[0].name, SESSION).members) == 5


def test_a_damaged_entry_is_told_and_the_others_are_archived(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    ask(capsys, "archive", SESSION)
    file = Path(find_ark().entries.find_path(HARNESSES[0].name, SESSION))
    file.write_text("broken")
    other = put_noise(home, 1, 20_000, age=1)
    ask(capsys, "config", "set", "ark.max_bytes", "30000")
    ask(capsys, "config", "set", "ark.keep_days", "300")
    done = json.loads(ask(capsys, "archive", "--all", "--json", code=1))
    assert done["archived"] == [other.stem]
    assert [each["path"] for each in done["problems"]] == [f"{file}:1"]
    run(["doctor"])
    assert str(file) in capsys.readouterr().out


def test_a_full_disk_stops_the_run_with_one_error_that_names_the_session(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_on(capsys)
    paths = [put_another(home, number) for number in range(1, 5)]
    plain = os.fsync

    def fill(fd: int) -> None:
        if len(find_kept_names()) >= 2 and stat.S_ISREG(os.fstat(fd).st_mode):
            raise OSError(errno.ENOSPC, "No space left on device")
        plain(fd)

    monkeypatch.setattr(os, "fsync", fill)
    said = ask(capsys, "archive", "--all", code=1)
    assert f"The disk is full: {paths[2].stem} and 1 older session were not archived." in said
    assert find_kept_names() == [path.stem for path in paths[:2]]


def find_kept_names() -> list[str]:
    return sorted(name for _, name in find_ark().entries.find_names())


def test_a_file_of_another_user_is_told_and_not_taken(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_on(capsys)
    put_another(home, 1)
    plain = os.fstat

    class Theirs:
        def __init__(self, found: os.stat_result) -> None:
            self.st_mode, self.st_uid = found.st_mode, found.st_uid + 1

    inode = kept.stat().st_ino
    monkeypatch.setattr(os, "fstat", lambda fd: Theirs(plain(fd)) if plain(fd).st_ino == inode else plain(fd))
    done = json.loads(ask(capsys, "archive", "--all", "--json", code=1))
    assert [each["path"] for each in done["problems"]] == [str(kept)]
    assert "another user" in done["problems"][0]["what"]
    assert len(done["archived"]) == 1


def test_a_copy_out_of_the_ark_is_private_and_a_dead_ones_is_swept(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    ask(capsys, "archive", SESSION)
    remove_session(home)
    restored = Path(find_user_paths().restored)
    restored.mkdir(parents=True)
    host = os.uname().nodename
    mark = "".join(c for c in host if c.isascii() and c.isalnum())[:24] or "host"
    dead = restored / f".thruline-{2**22 + 1}-{mark}-1.tmp"
    (dead / "home").mkdir(parents=True)
    ask(capsys, "sessions", "show", SESSION)
    assert not dead.exists()
    for each in restored.rglob("*"):
        assert each.stat().st_mode & 0o077 == 0


def test_where_nothing_can_be_written_the_list_goes_on_and_other_sessions_are_shown(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    other = put_another(home, 1)
    ask(capsys, "archive", SESSION)
    kept.unlink()
    restored = Path(find_user_paths().restored)
    restored.write_text("no folder can be made here")
    rows = json.loads(ask(capsys, "sessions", "list", "--all", "--json"))
    assert {row["session_id"] for row in rows} == {SESSION, other.stem}
    ask(capsys, "sessions", "show", other.stem)
    assert "out of the ark" in ask(capsys, "sessions", "show", SESSION, code=1)


def test_a_damaged_copy_is_told_and_fresh_mends_it(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn_on(capsys)
    ask(capsys, "archive", SESSION)
    ark = find_ark()
    (pack,) = Path(ark.packs.folder).iterdir()
    data = bytearray(pack.read_bytes())
    data[len(data) // 3] ^= 4
    pack.write_bytes(data)
    aside = kept.with_name("aside")
    kept.rename(aside)
    said = ask(capsys, "sessions", "show", SESSION, code=1)
    assert "damaged" in said
    assert "archive --fresh" in said
    (row,) = json.loads(ask(capsys, "sessions", "list", "--all", "--json"))
    assert row["session_id"] == SESSION
    aside.rename(kept)
    ask(capsys, "archive", "--fresh", SESSION)
    ark = find_ark()
    ark.check(ark.get(HARNESSES[0].name, SESSION))
