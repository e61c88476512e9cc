"""What a list reads: nothing of the ark that the index knows, and one session's trouble is not the others'."""

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from tests.cli.kept import put_session, remove_session, turn_on
from tests.harnesses.claude_code.conftest import Transcript
from tests.sample import SESSION
from thruline.cli.door import run
from thruline.errors import FormatError
from thruline.harnesses.registry import Harness
from thruline.layout import find_user_paths
from thruline.operations.sessions import listing, scanning
from thruline.operations.sessions.listing import list_sessions


@pytest.fixture
def only_kept(home: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The path of a session that its client deleted; the ark has it, and it was listed once."""
    path = put_session(home)
    turn_on(capsys)
    assert run(["archive", SESSION]) == 0
    remove_session(home)
    (row,) = list_sessions().rows
    assert row.path == str(path)
    return path


def count_kept() -> int:
    db = sqlite3.connect(find_user_paths().index)
    try:
        (count,) = db.execute("select count(*) from kept").fetchone()
    finally:
        db.close()
    return int(count)


def refuse(*_: object, **__: object) -> None:
    raise AssertionError("the ark was opened again")


def test_a_known_session_of_the_ark_is_listed_without_opening_it(
    only_kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "_read_entry", refuse)
    monkeypatch.setattr(scanning, "restore_kept", refuse)
    for harness in ("", "claude-code"):
        found = list_sessions(harness=harness)
        assert [(row.session_id, row.turns) for row in found.rows] == [(SESSION, 5)]
        assert found.kept == {str(only_kept)}
    assert list_sessions(harness="codex").rows == ()
    assert list_sessions().rows != ()  # a list of one client forgets nothing of the others


def test_an_entry_that_was_archived_anew_is_read_again(
    home: Path, only_kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = put_session(home)
    lines = path.read_text().splitlines(keepends=True)
    more = lines[2].replace('"uuid":"', '"uuid":"f').replace("promptId", "x")
    path.write_text("".join(lines) + more)
    assert run(["archive", SESSION]) == 0
    remove_session(home)
    assert [row.turns for row in list_sessions().rows] == [6]
    assert [row.turns for row in list_sessions().rows] == [6]


def test_a_scan_that_was_broken_off_leaves_no_row_of_another_version(
    home: Path, only_kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put_session(home)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:40]))
    assert [row.turns for row in list_sessions().rows] == [1]  # the client has it again, shorter
    remove_session(home)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(scanning, "restore_kept", stop)
        with pytest.raises(KeyboardInterrupt):
            list_sessions()
    assert [row.turns for row in list_sessions().rows] == [5]


def test_what_is_forgotten_is_gone_from_the_index_too(only_kept: Path) -> None:
    assert count_kept() == 1
    assert run(["forget", SESSION, "--yes"]) == 0
    assert count_kept() == 0
    assert list_sessions().rows == ()


def test_of_a_session_that_cannot_be_read_the_index_keeps_nothing(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put_session(home)
    turn_on(capsys)
    assert run(["archive", SESSION]) == 0
    remove_session(home)

    def fail(*_: object) -> None:
        raise FormatError("This block is damaged.")

    monkeypatch.setattr(scanning, "restore_kept", fail)
    (row,) = list_sessions().rows
    assert row.state == "unreadable: this block is damaged"
    assert count_kept() == 0


def test_where_the_ark_was_removed_its_sessions_are_gone(only_kept: Path) -> None:
    shutil.rmtree(find_user_paths().ark)
    assert list_sessions().rows == ()
    assert count_kept() == 0


def test_a_session_whose_reader_fails_is_listed_as_such_beside_the_others(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put_session(home)
    other = path.with_name(f"{SESSION[:-1]}{(int(SESSION[-1], 16) + 1) % 16:x}.jsonl")
    shutil.copy(path, other)
    opened = scanning.open_reader

    def fail_on_one(harness: Harness, path: str, **options: Any) -> Any:
        if path == str(other):
            raise TypeError("of a kind that nobody thought of")
        return opened(harness, path, **options)

    monkeypatch.setattr(scanning, "open_reader", fail_on_one)
    states = {row.path: row.state for row in list_sessions().rows}
    assert states[str(other)] == "unreadable: a bug in thruline (TypeError)"
    assert not states[str(path)].startswith("unreadable")


@pytest.mark.parametrize("grows", [False, True])
def test_a_title_that_was_masked_is_not_listed_again(home: Path, grows: bool) -> None:
    talk = Transcript(home / ".claude" / "projects" / "-home-dev-shop" / f"{SESSION}.jsonl", SESSION)
    talk.note(type="file-history-snapshot", snapshot={"text": "x" * 6_000})
    talk.user("The word is hunter.")
    talk.agent("Understood. " + "y" * 6_000)
    (row,) = list_sessions().rows
    assert "hunter" in row.title
    masked = talk.path.read_text().replace("hunter", "******")
    talk.path.write_text(masked + (masked.splitlines(keepends=True)[-1] if grows else ""))
    (row,) = list_sessions().rows
    assert "hunter" not in row.title
