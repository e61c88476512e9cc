"""`thruline forget` from the outside: shown first, asked with default no, then really gone."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.kept import SESSION, ask, put_session, remove_session, turn_on
from thruline.ark.store import Ark
from thruline.layout import find_user_paths


@pytest.fixture
def archived(home: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A session in the client's folder, in the index and in the ark."""
    path = put_session(home)
    turn_on(capsys)
    ask(capsys, "archive", SESSION)
    ask(capsys, "sessions", "list", "--all")
    return path


def list_state() -> dict[str, bytes]:
    """Every file of our state."""
    state = Path(find_user_paths().state)
    return {str(path.relative_to(state)): path.read_bytes() for path in state.rglob("*") if path.is_file()}


def find_words(words: bytes) -> list[str]:
    """Files of our state that hold these words, as they are."""
    return [name for name, data in list_state().items() if words in data]


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
