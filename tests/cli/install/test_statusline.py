"""The status line: one slot, and somebody may have it already."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.install.homes import CLAUDE
from tests.cli.kept import ask
from thruline.layout import find_user_paths

SLOT = "statusLine"


def read_slot(path: Path) -> Any:
    return json.loads(path.read_text())[SLOT]


@pytest.mark.parametrize(
    "raw",
    [
        '{"type":"command","command":"bash ~/line.sh","padding":0}',
        '{ "type" : "command",\n\t\t"command": "npx -y some-line@latest"\n}',
        '"a shape of tomorrow"',
    ],
)
def test_a_status_line_that_was_there_is_kept_and_given_back_to_the_byte(
    clients: Path, raw: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = f'{{\n  "{SLOT}": {raw},\n  "model":"opus" }}\n'.encode()
    (clients / CLAUDE).write_bytes(before)
    ask(capsys, "install", "--yes")
    ask(capsys, "install", "--yes")
    slot = read_slot(clients / CLAUDE)
    assert slot["command"].endswith("entry.py claude-code statusline")
    assert slot.get("padding") == (0 if "padding" in raw else None)
    kept = Path(find_user_paths().kept_lines)
    theirs = json.loads(raw)
    if isinstance(theirs, dict):
        assert json.loads(kept.read_text()) == {"claude-code": {str(clients / CLAUDE): theirs["command"]}}
    else:
        assert not kept.exists()
    ask(capsys, "uninstall", "--yes")
    assert (clients / CLAUDE).read_bytes() == before
    assert not kept.exists()


def test_a_status_line_that_its_user_changed_since_stays(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (clients / CLAUDE).write_text('{"statusLine": {"type": "command", "command": "old"}}')
    ask(capsys, "install", "--yes")
    settings = json.loads((clients / CLAUDE).read_text())
    settings[SLOT]["command"] = "new"
    (clients / CLAUDE).write_text(json.dumps(settings))
    ask(capsys, "uninstall", "--yes")
    assert json.loads((clients / CLAUDE).read_text()) == {SLOT: {"type": "command", "command": "new"}}


def test_our_own_line_of_another_state_folder_is_not_taken_for_the_users(
    clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = "/old/hook/python -I -S /old/hook/entry.py claude-code statusline"
    (clients / CLAUDE).write_text(json.dumps({SLOT: {"type": "command", "command": old}}))
    ask(capsys, "install", "--yes")
    assert not os.path.exists(find_user_paths().kept_lines)
    ask(capsys, "uninstall", "--yes")
    assert SLOT not in json.loads((clients / CLAUDE).read_text())


def test_a_lost_record_still_frees_the_slot(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "install", "--yes")
    os.unlink(find_user_paths().install_record)
    ask(capsys, "uninstall", "--yes")
    text = (clients / CLAUDE).read_text() if (clients / CLAUDE).exists() else ""
    assert SLOT not in text


def test_a_second_state_folder_gives_the_line_back_to_the_first_and_that_to_the_user(
    clients: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = b'{"statusLine": {"type": "command", "command": "mine"}}'
    (clients / CLAUDE).write_bytes(before)
    ask(capsys, "install", "--yes")
    first = (clients / CLAUDE).read_bytes()
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("THRULINE_HOME", str(clients / "second"))
        ask(capsys, "install", "--yes")
        assert str(clients / "second") in read_slot(clients / CLAUDE)["command"]
        assert not os.path.exists(find_user_paths().kept_lines)  # two lines of ours would say the same
        ask(capsys, "uninstall", "--yes")
    assert read_slot(clients / CLAUDE) == json.loads(first)[SLOT]
    ask(capsys, "uninstall", "--yes")
    assert (clients / CLAUDE).read_bytes() == before
