"""`thruline forget` from the outside: shown first, asked with default no, then really gone."""

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.cli.forget.traces import find_words, list_state, mark
from tests.cli.kept import ask, put_session, remove_session, turn_on
from tests.sample import SESSION
from thruline.ark.store import Ark
from thruline.disk.temps import TEMP_END, TEMP_START, find_host_mark
from thruline.errors import DiskError
from thruline.index.sessions import SessionIndex
from thruline.layout import find_user_paths


@pytest.fixture
def archived(home: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A session in the client's folder, in the index and in the ark."""
    path = put_session(home)
    turn_on(capsys)
    ask(capsys, "archive", SESSION)
    ask(capsys, "sessions", "list", "--all")
    return path


@pytest.mark.parametrize("gone", [False, True])
def test_nothing_of_it_is_left_and_the_clients_files_stay(
    home: Path, archived: Path, capsys: pytest.CaptureFixture[str], gone: bool
) -> None:
    if gone:
        remove_session(home)
        ask(capsys, "sessions", "show", SESSION)
    user = find_user_paths()
    ready = Path(user.ready, "some-client", f"{SESSION}.json")
    ready.parent.mkdir(parents=True)
    ready.write_text("{}")
    brief = Path(user.projects, "p-1", "handoffs", f"handoff-{SESSION}.md")
    brief.parent.mkdir(parents=True)
    brief.write_text("words of it")
    assert find_words(SESSION.encode())
    told = json.loads(ask(capsys, "forget", SESSION[:8], "--yes", "--json"))
    assert {each["kind"] for each in told["forgotten"]} == {"index", "file", "ark"}
    assert (str(archived) in told["left"]) is not gone
    assert archived.exists() is not gone
    assert find_words(SESSION.encode()) == []
    assert find_words(b"The nightly export") == []
    assert [name for name in list_state() if SESSION in name] == []
    assert os.listdir(Ark(user.ark).packs.folder) == []
    if gone:
        ask(capsys, "sessions", "show", SESSION, code=1)
        assert json.loads(ask(capsys, "sessions", "list", "--all", "--json")) == []
    else:
        ask(capsys, "sessions", "show", SESSION)


def test_without_a_yes_nothing_is_forgotten(archived: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = list_state()
    said = ask(capsys, "forget", SESSION, code=1)
    assert "5 files in" in said
    assert str(archived) in said
    assert "nobody is here to confirm" in said
    assert ask(capsys, "forget", SESSION, "--json", code=1)
    assert list_state() == before


@pytest.mark.parametrize(("answer", "code", "left"), [(False, 1, True), (True, 0, False)])
def test_a_person_is_asked_and_no_is_the_default(
    archived: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    answer: bool,
    code: int,
    left: bool,
) -> None:
    asked: list[bool] = []

    def confirm(_text: str, *, default: bool) -> bool:
        asked.append(default)
        return answer

    monkeypatch.setattr("thruline.cli.forget.is_terminal", lambda: True)
    monkeypatch.setattr("click.confirm", confirm)
    ask(capsys, "forget", SESSION, code=code)
    assert asked == [False]
    assert bool(list(Ark(find_user_paths().ark).entries.find_names())) is left


def test_a_path_names_a_session_too_also_when_the_file_is_gone(
    home: Path, archived: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    remove_session(home)
    told = json.loads(ask(capsys, "forget", str(archived), "--yes", "--json"))
    assert told["session"] == SESSION


def test_other_sessions_keep_what_they_share(home: Path, archived: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fork = "99999999-31b2-4c6d-9a58-7d1f0e2b9c34"
    copy = archived.with_name(f"{fork}.jsonl")
    copy.write_text(archived.read_text().replace(SESSION, fork))
    ask(capsys, "archive", fork)
    expected = ask(capsys, "sessions", "spine", fork)
    ask(capsys, "forget", SESSION, "--yes")
    remove_session(home)
    assert ask(capsys, "sessions", "spine", fork) == expected


@pytest.mark.parametrize("where", ["cache", "handoffs", "cache/briefs"])
def test_a_link_in_a_repository_leads_to_no_file_of_the_client(
    archived: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    project = mark(tmp_path / "own")
    link = project / ".agent" / "context" / where
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(archived.parent)
    monkeypatch.chdir(project)
    told = json.loads(ask(capsys, "forget", SESSION, "--yes", "--json"))
    assert archived.exists()
    assert (archived.parent / SESSION / "tool-results" / "out.txt").exists()
    assert told["unseen"] == ([] if where == "cache/briefs" else [str(link)])


def test_a_link_that_bears_its_name_goes_and_what_it_leads_to_stays(
    archived: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cache = Path(find_user_paths().cache)
    links = [cache / f"{SESSION}.json", cache / f"{SESSION}-there.json", cache / f"{SESSION}-folder"]
    for link, target in zip(links, ("/nonexistent", archived, archived.parent), strict=True):
        link.symlink_to(target)
    ask(capsys, "forget", SESSION, "--yes")
    assert not any(link.is_symlink() for link in links)
    assert archived.exists()


@pytest.mark.parametrize("known_from", ["transcript", "ark"])
def test_briefs_go_from_the_project_it_ran_in_and_from_others_wherever_it_is_asked(
    home: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    known_from: str,
) -> None:
    own, other = mark(tmp_path / "own"), mark(tmp_path / "other")
    path = put_session(home)
    path.write_text(path.read_text().replace("/home/dev/orders-export", str(own)))
    if known_from == "ark":
        turn_on(capsys)
        ask(capsys, "archive", SESSION)
    for project in (own, other):
        monkeypatch.chdir(project)
        ask(capsys, "handoff", SESSION)
    briefs = [each for project in (own, other) for each in project.rglob(f"{SESSION}*")]
    assert len(briefs) == 2
    # Of what was made there before places were noted, its own project must be found without a note.
    ready = own / ".agent" / "context" / "ready" / f"{SESSION}.json"
    ready.parent.mkdir()
    ready.write_text("{}")
    for name in ("index.db", "index.db-wal", "index.db-shm"):
        Path(find_user_paths().state, name).unlink(missing_ok=True)
    if known_from == "ark":
        remove_session(home)
    monkeypatch.chdir("/")
    said = ask(capsys, "forget", SESSION, "--yes")
    assert str(briefs[1]) in said
    assert "elsewhere" in said
    assert [each for each in (*briefs, ready) if each.exists()] == []
    assert find_words(SESSION.encode()) == []


def test_copies_that_a_killed_command_left_go_whatever_their_name(
    archived: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dead = Path(find_user_paths().restored, f"{TEMP_START}{2**22 + 1}-{find_host_mark()}-1{TEMP_END}", "home")
    dead.mkdir(parents=True)
    (dead / "agent-1234abcd.jsonl").write_text("words of it")
    ask(capsys, "forget", SESSION, "--yes")
    assert find_words(b"words of it") == []


def test_blocks_of_an_archiving_that_was_killed_go_though_nothing_bears_its_name(
    archived: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ark = Ark(find_user_paths().ark)
    ((shelf, name),) = ark.entries.find_names()
    dead = f"{TEMP_START}{2**22 + 1}-{find_host_mark()}-1{TEMP_END}"
    # As a kill between the two renames leaves it.
    os.replace(ark.entries.find_path(shelf, name), os.path.join(ark.entries.folder, dead))
    ask(capsys, "forget", SESSION, "--yes")
    ask(capsys, "forget", SESSION, "--yes")
    assert os.listdir(ark.packs.folder) == []


def test_another_entry_that_is_damaged_stops_all_of_it_before_anything_is_gone(
    archived: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fork = "99999999-31b2-4c6d-9a58-7d1f0e2b9c34"
    copy = archived.with_name(f"{fork}.jsonl")
    copy.write_text(archived.read_text().replace(SESSION, fork))
    ask(capsys, "archive", fork)
    ark = Ark(find_user_paths().ark)
    shelf = next(iter(ark.entries.find_names()))[0]
    Path(ark.entries.find_path(shelf, fork)).write_text("broken")
    before = list_state()
    said = ask(capsys, "forget", SESSION, "--yes", code=1)
    assert fork in said
    assert "Nothing was forgotten" in said
    assert {name: data for name, data in list_state().items() if "index" not in name} == {
        name: data for name, data in before.items() if "index" not in name
    }
    # Two of them: each can go, and the blocks with the last.
    Path(ark.entries.find_path(shelf, SESSION)).write_text("broken")
    ask(capsys, "forget", SESSION, "--yes")
    ask(capsys, "forget", fork, "--yes")
    assert os.listdir(ark.packs.folder) == []


def test_an_index_that_cannot_be_changed_does_not_keep_the_copy_in_the_ark(
    archived: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise DiskError("No room for the index.", where="index.db", next="free some")

    monkeypatch.setattr("thruline.index.sessions.SessionIndex.erase_rows", refuse)
    assert "No room for the index" in ask(capsys, "forget", SESSION, "--yes", code=1)
    assert list(Ark(find_user_paths().ark).entries.find_names()) == []


def test_rows_that_were_written_anew_leave_nothing_in_the_index_where_the_library_does_not_see_to_it(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = sqlite3.connect

    def connect(*arguments: Any, **options: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = plain(*arguments, **options)
        db.execute("pragma secure_delete=off")  # some builds of the library begin with it on
        return db

    monkeypatch.setattr("thruline.index.sessions.sqlite3.connect", connect)
    path = put_session(home)
    ask(capsys, "sessions", "list", "--all")
    index = SessionIndex(find_user_paths().index)
    row = index.read_rows()[str(path)]
    # Each version smaller than the one before: pages of it are given back, and not needed again.
    for size in (9000, 5000, 2000):
        index.write_row(row, {"said": "ZEBRA" * size}, {})
    index.close()
    assert find_words(b"ZEBRA") != []
    ask(capsys, "forget", SESSION, "--yes")
    assert find_words(b"ZEBRA") == []
    assert find_words(SESSION.encode()) == []


def test_what_is_damaged_can_still_be_forgotten(archived: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ark = Ark(find_user_paths().ark)
    ((shelf, name),) = ark.entries.find_names()
    Path(ark.entries.find_path(shelf, name)).write_text("broken")
    said = ask(capsys, "forget", SESSION, "--yes")
    assert "damaged" in said
    assert list(ark.entries.find_names()) == []
    assert os.listdir(ark.packs.folder) == []


@pytest.mark.parametrize(
    ("ref", "code"), [("latest", 2), ("current", 2), ("ffffffff", 1), ("../../etc/passwd", 1), ("short", 2)]
)
def test_what_names_no_session_is_refused(
    archived: Path, capsys: pytest.CaptureFixture[str], ref: str, code: int
) -> None:
    ask(capsys, "forget", ref, "--yes", code=code)
    assert len(list(Ark(find_user_paths().ark).entries.find_names())) == 1


@pytest.mark.parametrize("name", ["abc", "a b c d e f g h"])
@pytest.mark.parametrize("marked", [False, True])
def test_briefs_of_a_session_go_whatever_its_id(
    home: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    marked: bool,
) -> None:
    project = mark(tmp_path / "own") if marked else tmp_path
    monkeypatch.chdir(project)
    path = put_session(home)
    odd = path.rename(path.with_name(f"{name}.jsonl"))
    odd.write_text(odd.read_text().replace(SESSION, name))
    other = odd.with_name(f"{name}-other.jsonl")
    other.write_text(odd.read_text().replace(f'"{name}"', f'"{name}-other"'))
    for each in (odd, other):
        ask(capsys, "handoff", str(each))
    top = project if marked else Path(find_user_paths().state)
    assert len(list(top.rglob("briefs/*.json"))) == 2
    ask(capsys, "forget", str(odd), "--yes")
    assert len(list(top.rglob("briefs/*.json"))) == 1


def test_a_whole_id_forgets_its_session_and_not_one_whose_name_goes_on_from_it(
    archived: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = archived.with_name(f"{SESSION}-2.jsonl")
    other.write_bytes(archived.read_bytes())
    ask(capsys, "archive", f"{SESSION}-2")
    told = json.loads(ask(capsys, "forget", SESSION, "--yes", "--json"))
    assert {each["kind"] for each in told["forgotten"]} >= {"ark"}
    assert "fits" in ask(capsys, "sessions", "show", SESSION[:8], code=2)
    ask(capsys, "sessions", "show", f"{SESSION}@0", code=1)
    ask(capsys, "sessions", "show", f"{SESSION}-2@0")
