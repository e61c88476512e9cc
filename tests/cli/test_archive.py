"""`thruline archive` from the outside, and every way to read a session whose client has deleted it."""

import errno
import json
import os
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.kept import SAMPLE, SESSION, ask, find_projects, put_session, remove_session, turn_on
from thruline.ark.store import Ark
from thruline.cli.door import run
from thruline.disk.atomic import build_temp_name
from thruline.harnesses.registry import HARNESSES
from thruline.layout import find_user_paths

READS = (
    ("sessions", "show", SESSION, "--json"),
    ("sessions", "spine", SESSION),
    ("sessions", "spine", SESSION, "--json"),
    ("sessions", "messages", SESSION, "--json"),
    ("sessions", "fork-tree", SESSION, "--json"),
    ("sessions", "show", SESSION[:8]),
)


@pytest.fixture
def kept(home: Path) -> Path:
    return put_session(home)


def find_ark() -> Ark:
    return Ark(find_user_paths().ark)


def put_another(home: Path, number: int, *, age_days: float = 0.0, cwd: str = "/home/dev/orders-export") -> Path:
    """A session of its own, with words of its own."""
    session = f"{number:08d}-31b2-4c6d-9a58-7d1f0e2b9c34"
    folder = find_projects(home) / "other"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{session}.jsonl"
    text = SAMPLE.read_text().replace(SESSION, session).replace("/home/dev/orders-export", cwd)
    path.write_text(text + "".join(f'{{"type":"mode","n":"{number}{n}"}}\n' for n in range(50)))
    stamp = time.time() - age_days * 86_400 - number
    os.utime(path, (stamp, stamp))
    return path


def test_nothing_is_copied_until_the_user_says_so(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--all"], [SESSION]):
        said = ask(capsys, "archive", *arguments, code=1)
        assert "thruline config set ark.enabled true" in said
    assert not os.path.exists(find_user_paths().ark)


def test_a_project_cannot_turn_the_ark_on(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".agent" / "context").mkdir(parents=True)
    (tmp_path / ".agent" / "context" / "root.json").write_text('{"project_id":"p","schema":1}')
    (tmp_path / ".agent" / "context" / "config.toml").write_text("[ark]\nenabled = true\n")
    monkeypatch.chdir(tmp_path)
    ask(capsys, "archive", "--all", code=1)


def test_one_of_ref_and_all_must_be_given(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["latest", "--all"], ["--all", "--fresh"]):
        ask(capsys, "archive", *arguments, code=2)


def read_everything(capsys: pytest.CaptureFixture[str], out: Path) -> dict[str, Any]:
    """Every answer about the session, and every label of its spine opened."""
    answers: dict[str, Any] = {" ".join(words): ask(capsys, *words) for words in READS}
    entries = json.loads(answers[" ".join(READS[2])])["entries"]
    labels = [entry["label"] for entry in entries] + ["L1", "a1:L1"]
    assert len(labels) > 20
    for label in labels:
        answers[label] = ask(capsys, "sessions", "open", SESSION, label)
        answers[label + " raw"] = ask(capsys, "sessions", "open", SESSION, label, "--raw")
    plan = json.loads(ask(capsys, "handoff", "prepare", SESSION, "--out", str(out), "--json"))
    answers["plan"] = plan
    answers["written"] = {path.name: path.read_bytes() for path in out.iterdir()}
    return answers


def test_every_pointer_opens_the_same_after_the_client_deleted_the_session(
    home: Path, kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    before = read_everything(capsys, tmp_path / "out")
    (row,) = json.loads(ask(capsys, "sessions", "list", "--all", "--json"))
    done = json.loads(ask(capsys, "archive", SESSION, "--json"))
    assert done["archived"] == [SESSION]
    remove_session(home)
    after = read_everything(capsys, tmp_path / "out")
    differing = {key for key in before if before[key] != after[key]}
    # Only where the session is said to be is it told that the client's file is gone.
    assert differing == {"sessions show 5e0c7f4a", f"sessions show {SESSION} --json"}
    told = json.loads(after[f"sessions show {SESSION} --json"])
    assert told == json.loads(before[f"sessions show {SESSION} --json"]) | {"in_ark_only": True}
    assert "only in the ark" in after["sessions show 5e0c7f4a"]
    (again,) = json.loads(ask(capsys, "sessions", "list", "--all", "--json"))
    assert again == row | {"in_ark_only": True}
    assert " ark, answered " in ask(capsys, "sessions", "list", "--all")


@pytest.mark.parametrize("ref", ["path", "latest"])
def test_a_deleted_session_is_found_by_its_path_and_as_the_latest(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, ref: str
) -> None:
    turn_on(capsys)
    project = home / "work"
    project.mkdir()
    kept.write_text(kept.read_text().replace("/home/dev/orders-export", str(project)))
    monkeypatch.chdir(project)
    expected = ask(capsys, "sessions", "spine", str(kept))
    ask(capsys, "archive", "latest")
    remove_session(home)
    # From the ark alone, without what was indexed before.
    os.remove(find_user_paths().index)
    assert ask(capsys, "sessions", "spine", str(kept) if ref == "path" else "latest") == expected


def test_an_id_that_fits_one_session_here_and_one_in_the_ark_is_asked_back(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    ask(capsys, "archive", SESSION)
    kept.rename(kept.with_name(SESSION[:-4] + "ffff.jsonl"))
    assert "fits 2 sessions" in ask(capsys, "sessions", "show", SESSION[:8], code=2)


def test_everything_of_a_session_is_archived_with_it(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn_on(capsys)
    ask(capsys, "archive", SESSION)
    entry = find_ark().get(HARNESSES[0].name, SESSION)
    assert sorted((member.kind, os.path.basename(member.path)) for member in entry.members) == [
        ("session", f"{SESSION}.jsonl"),
        ("sidecar", "agent-a1b2c3d4.meta.json"),
        ("sidecar", "out.txt"),
        ("subagent", "agent-a1b2c3d4.jsonl"),
        ("tasks", "1.json"),
    ]
    assert entry.members[0].path == str(kept)


def test_a_second_run_reads_nothing_and_a_grown_session_only_its_end(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    put_another(home, 1)
    first = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert len(first["archived"]) == 2
    second = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert (second["archived"], second["unchanged"], second["read"]) == ([], 2, 0)
    with kept.open("a") as file:
        file.write('{"type":"mode"}\n')
    third = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert (third["archived"], third["unchanged"]) == ([SESSION], 1)


def test_an_interrupted_run_keeps_what_it_did_and_the_next_goes_on(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_on(capsys)
    names = [put_another(home, number).stem for number in range(1, 5)]
    plain = Ark.archive

    def stop_at_third(ark: Ark, shelf: str, name: str, *rest: Any, **more: Any) -> Any:
        if name == names[2]:
            raise KeyboardInterrupt
        return plain(ark, shelf, name, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(Ark, "archive", stop_at_third)
        assert "Interrupted" in ask(capsys, "archive", "--all", code=130)
    # The newest first.
    assert sorted(name for _, name in find_ark().entries.find_names()) == names[:2]
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert (done["archived"], done["unchanged"]) == (names[2:], 2)


def test_what_is_excluded_is_not_archived(
    home: Path, kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    put_another(home, 1, cwd="/home/dev/secret-thing")
    put_another(home, 2, cwd="/srv/work/deep/down")
    project = tmp_path / "own"
    (project / ".agent" / "context").mkdir(parents=True)
    (project / ".agent" / "context" / "root.json").write_text('{"project_id":"p","schema":1}')
    (project / ".agent" / "context" / "config.toml").write_text('[ark]\nexclude = ["*"]\n')
    put_another(home, 3, cwd=str(project))
    ask(capsys, "config", "set", "ark.exclude", "secret-*,/srv/work")
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    # The project's own glob fits every session, and holds for its own alone.
    assert (done["archived"], done["excluded"]) == ([SESSION], 3)
    said = ask(capsys, "archive", "00000001", code=1)
    assert "secret-*" in said


def test_sessions_older_than_keep_days_are_dropped_and_not_taken(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    young, old = put_another(home, 1), put_another(home, 2, age_days=40)
    assert len(json.loads(ask(capsys, "archive", "--all", "--json"))["archived"]) == 2
    ask(capsys, "config", "set", "ark.keep_days", "30")
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert [each["session"] for each in done["dropped"]] == [old.stem]
    assert (done["too_old"], done["unchanged"]) == (1, 1)
    assert [name for _, name in find_ark().entries.find_names()] == [young.stem]
    assert "keep_days" in ask(capsys, "archive", old.stem, code=1)


def test_over_max_bytes_the_oldest_sessions_are_dropped_and_named(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    paths = []
    for number in range(1, 5):
        paths.append(put_another(home, number))
        with paths[-1].open("ab") as file:
            file.write(os.urandom(30_000).hex().encode() + b"\n")
        stamp = time.time() - number * 1000
        os.utime(paths[-1], (stamp, stamp))
    ask(capsys, "config", "set", "ark.max_bytes", "120000")
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert done["size"] <= 120_000
    left = sorted(name for _, name in find_ark().entries.find_names())
    assert left == [path.stem for path in paths[: len(left)]]
    assert 0 < len(left) < 4
    assert done["dropped"]
    assert done["dropped"][0]["why"].startswith("the ark is over")


def put_noise(home: Path, number: int, size: int, *, age: float) -> Path:
    """A session of about `size` bytes that do not compress to less than half."""
    path = put_another(home, number)
    with path.open("ab") as file:
        file.write(os.urandom(size // 2).hex().encode() + b"\n")
    os.utime(path, (time.time() - age, time.time() - age))
    return path


def test_a_session_larger_than_the_whole_ark_is_refused_and_costs_no_other(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    small = [put_noise(home, number, 20_000, age=number * 1000) for number in range(1, 5)]
    ask(capsys, "archive", "--all")
    for path in small[1:]:
        path.unlink()
    large = put_noise(home, 9, 600_000, age=1)
    ask(capsys, "config", "set", "ark.max_bytes", "200000")
    done = json.loads(ask(capsys, "archive", "--all", "--json", code=1))
    assert done["dropped"] == []
    assert [each["path"] for each in done["problems"]] == [str(large)]
    assert "larger than the ark may be" in done["problems"][0]["what"]
    assert sorted(name for _, name in find_ark().entries.find_names()) == [path.stem for path in small]


def test_large_companions_count_and_are_refused_with_their_session(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    (kept.parent / SESSION / "tool-results" / "out.txt").write_bytes(os.urandom(300_000))
    ask(capsys, "config", "set", "ark.max_bytes", "200000")
    done = json.loads(ask(capsys, "archive", "--all", "--json", code=1))
    assert (done["archived"], len(done["problems"])) == ([], 1)
    assert done["size"] < 1000


def test_what_only_the_ark_has_is_dropped_last_and_nothing_more_than_needed(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    only, had, tiny = (put_noise(home, n, size, age=n * 1000) for n, size in ((3, 60_000), (2, 60_000), (4, 2_000)))
    ask(capsys, "archive", "--all")
    only.unlink()
    new = put_noise(home, 1, 60_000, age=1)
    ask(capsys, "config", "set", "ark.max_bytes", str(find_ark().find_size() + 1000))
    done = json.loads(ask(capsys, "archive", new.stem, "--json"))
    # The oldest that its client has would go first, but without it the next is still too much: it may stay.
    assert [each["session"] for each in done["dropped"]] == [had.stem]
    assert sorted(name for _, name in find_ark().entries.find_names()) == sorted([new.stem, only.stem, tiny.stem])


def test_what_another_process_is_writing_does_not_count(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn_on(capsys)
    paths = [put_noise(home, number, 20_000, age=number) for number in (1, 2)]
    ask(capsys, "archive", paths[0].stem)
    theirs = Path(find_ark().packs.folder, build_temp_name())
    theirs.write_bytes(bytes(500_000))
    ask(capsys, "config", "set", "ark.max_bytes", "300000")
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert (done["archived"], done["dropped"]) == ([paths[1].stem], [])
    assert theirs.exists()


def test_what_was_archived_before_it_was_excluded_is_named_and_not_taken_again(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    ask(capsys, "archive", SESSION)
    ask(capsys, "config", "set", "ark.exclude", "orders-*")
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert (done["unchanged"], done["excluded"], done["excluded_kept"]) == (0, 1, [SESSION])
    said = ask(capsys, "archive", "--all")
    assert "thruline forget" in said
    assert SESSION in said


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


def test_subagents_of_a_session_whose_own_file_is_empty_are_archived(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    turn_on(capsys)
    kept.write_bytes(b"")
    kept.with_name("ffffffff-31b2-4c6d-9a58-7d1f0e2b9c34.jsonl").write_bytes(b"")
    done = json.loads(ask(capsys, "archive", "--all", "--json"))
    assert done["archived"] == [SESSION]
    entry = find_ark().get(HARNESSES[0].name, SESSION)
    assert (entry.members[0].size, len(entry.members)) == (0, 5)
    remove_session(home)
    made = find_ark().restore(entry.shelf, entry.name, str(home / "out"))
    assert len(made) == 5


def test_an_empty_session_with_subagents_is_named_before_its_client_deletes_it(
    home: Path, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept.write_bytes(b"")
    stamp = time.time() - 28 * 86_400
    os.utime(kept, (stamp, stamp))
    run(["doctor", "--json"])
    assert str(kept) in capsys.readouterr().out


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


def test_people_are_told_in_sentences(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn_on(capsys)
    said = ask(capsys, "archive", "--all")
    assert said.startswith("1 session archived, 0 unchanged; read ")
    assert "The ark takes " in said
