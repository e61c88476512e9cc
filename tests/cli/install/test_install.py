"""`thruline install`: what is written, what is asked before, and that a second run changes nothing."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.install.homes import CLAUDE, CODEX, THEIRS, find_commands, read_tree
from tests.cli.kept import ask
from thruline.cli.door import run
from thruline.errors import Conflict
from thruline.layout import find_user_paths
from thruline.operations.install.applying import apply_install
from thruline.operations.install.planning import plan_install
from thruline.operations.install.record import read_record

SETTINGS = [
    None,
    b"",
    b"{}",
    b'{"model":"opus"}',
    b'\xef\xbb\xbf{\r\n\t"model": "opus",\r\n\t"hooks": {}\r\n}\r\n',
    json.dumps({"hooks": {"Stop": [{"hooks": [THEIRS]}], "SessionStart": []}, "z": [1]}, indent=4).encode(),
    b'{\n  // why\n  "permissions": {"allow": ["Bash"]}, /* keep */\n  "enabledPlugins": {"x@y": true},\n}\n',
]


@pytest.mark.parametrize("before", SETTINGS, ids=range(len(SETTINGS)))
def test_settings_are_byte_identical_after_install_and_uninstall(
    clients: Path, before: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in (CLAUDE, CODEX):
        if before is not None:
            (clients / name).write_bytes(before)
    tree = read_tree(clients)
    ask(capsys, "install", "--yes")
    assert read_tree(clients) != tree
    ask(capsys, "install", "--yes")
    ask(capsys, "uninstall", "--yes")
    assert read_tree(clients) == tree
    assert not os.path.exists(find_user_paths().plugin)


@pytest.mark.feature("F002-07", via="cli")
def test_every_event_of_a_client_gets_the_line_that_never_changes(
    clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(capsys, "install", "--yes")
    state = find_user_paths().state
    assert find_commands(clients / CLAUDE)["PreCompact"]
    for name, harness in ((CLAUDE, "claude-code"), (CODEX, "codex")):
        commands = find_commands(clients / name)
        assert len(commands) in (9, 10)
        for [line] in commands.values():
            start = f"{state}/hook/python -I -S {state}/hook/entry.py {harness} "
            assert line.startswith(start)
            assert ask(capsys, "install", "--show-command", harness, line.removeprefix(start)).strip() == line
    assert "prompt" in ask(capsys, "install", "--show-command", "codex", "no_such", code=2)
    assert "codex" in ask(capsys, "install", "--show-command", "nobody", "prompt", code=2)


def test_a_second_install_changes_nothing_and_asks_nothing(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "install", "--yes")
    tree = read_tree(clients, without="journal")
    assert "Nothing has to be changed." in ask(capsys, "install")
    assert read_tree(clients, without="journal") == tree


def test_a_dry_run_shows_the_diff_and_writes_nothing(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (clients / CLAUDE).write_text('{\n  "model": "opus"\n}\n')
    tree = read_tree(clients, without="no")
    said = ask(capsys, "install", "--dry-run")
    assert f"+++ {clients / CLAUDE}" in said
    assert '+  "model": "opus",' in said  # the comma is the only byte of theirs that moved
    assert "hook/entry.py claude-code turn_end" in said
    told = json.loads(ask(capsys, "install", "--dry-run", "--json"))
    assert told["done"] is False
    assert told["changed"] is True
    assert read_tree(clients, without="no") == tree


def test_without_a_terminal_nothing_is_written_unless_yes(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree = read_tree(clients)
    assert "thruline install --yes" in ask(capsys, "install", code=1)
    assert read_tree(clients) == tree


def test_yes_leaves_the_ark_off_and_ark_turns_it_on(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "install", "--yes")
    assert "false" in ask(capsys, "config", "get", "ark.enabled")
    ask(capsys, "install", "--yes", "--ark")
    assert "true" in ask(capsys, "config", "get", "ark.enabled")


@pytest.mark.parametrize(
    ("answers", "installed", "ark"), [("n\n", False, False), ("y\nn\n", True, False), ("y\ny\n", True, True)]
)
def test_a_person_is_asked_for_both(
    clients: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answers: str,
    installed: bool,
    ark: bool,
) -> None:
    import io

    from thruline.cli import install

    monkeypatch.setattr(install, "is_terminal", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    assert run(["install"]) == (0 if installed else 1)
    assert (clients / CODEX).exists() == installed
    assert f"{ark}".lower() in ask(capsys, "config", "get", "ark.enabled")


def test_a_backup_is_kept_for_its_owner_alone(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (clients / CLAUDE).write_text('{"env": {"TOKEN": "x"}}')
    ask(capsys, "install", "--yes")
    [backup] = Path(find_user_paths().install_backups).iterdir()
    assert backup.read_text() == '{"env": {"TOKEN": "x"}}'
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


def test_a_link_to_settings_elsewhere_stays_a_link(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    real = clients / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text("{}\n")
    (clients / CLAUDE).symlink_to(real)
    ask(capsys, "install", "--yes")
    assert (clients / CLAUDE).is_symlink()
    assert find_commands(real)
    ask(capsys, "uninstall", "--yes")
    assert real.read_text() == "{}\n"


def test_every_configuration_folder_gets_its_hooks(
    clients: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [clients / "one", clients / "two"]
    for folder in folders:
        folder.mkdir()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", os.pathsep.join(map(str, folders)))
    ask(capsys, "install", "--yes", "--harness", "claude-code")
    assert all(find_commands(folder / "settings.json") for folder in folders)
    assert not (clients / CLAUDE).exists()
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    ask(capsys, "uninstall", "--yes")
    assert not any((folder / "settings.json").exists() for folder in folders)


def test_only_the_named_client_is_touched(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "install", "--yes", "--harness", "codex")
    assert not (clients / CLAUDE).exists()
    ask(capsys, "install", "--yes", "--harness", "claude-code")
    ask(capsys, "uninstall", "--yes", "--harness", "codex")
    assert not (clients / CODEX).exists()
    assert not (clients / ".agents").exists()
    assert find_commands(clients / CLAUDE)
    assert os.path.exists(find_user_paths().hook_entry)
    assert "codex" in ask(capsys, "install", "--harness", "nobody", code=1)


def test_a_home_without_clients_says_so(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(home))
    assert "No client was found" in ask(capsys, "install", "--yes", code=1)


def test_settings_that_changed_since_they_were_shown_are_not_touched(clients: Path) -> None:
    user, home = find_user_paths(), str(clients)
    plan = plan_install(user, {}, home, home, harnesses=("claude-code", "codex"), scope="user")
    (clients / CLAUDE).write_text('{"theirs": 1}')
    tree = read_tree(clients)
    with pytest.raises(Conflict, match=r"settings\.json was changed"):
        apply_install(user, plan)
    assert read_tree(clients) == tree


def test_many_at_once_end_as_one(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (clients / CLAUDE).write_text('{"model": "opus"}\n')
    tree = read_tree(clients)
    words = [["--harness", "claude-code"], ["--harness", "codex"], [], ["--harness", "codex"]]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "thruline.cli.entry", "install", "--yes", *each],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")},
        )
        for each in words
    ]
    for process in running:
        assert process.communicate()[1] == b""
        assert process.returncode == 0
    for name in (CLAUDE, CODEX):
        assert {len(lines) for lines in find_commands(clients / name).values()} == {1}
    assert set(read_record(find_user_paths()).settings) == {str(clients / CLAUDE), str(clients / CODEX)}
    ask(capsys, "uninstall", "--yes")
    assert read_tree(clients) == tree


def test_settings_in_one_line_are_shown_over_several_and_written_in_one(
    clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (clients / CLAUDE).write_text('{"model": "opus", "env": {"A": "ä"}}\n')
    said = ask(capsys, "install", "--yes", "--harness", "claude-code")
    assert max(map(len, said.splitlines())) < 400
    assert '   "model": "opus",' in said.splitlines()
    assert (clients / CLAUDE).read_text().count("\n") == 1


def test_a_state_folder_with_blanks_is_quoted(
    clients: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("THRULINE_HOME", str(clients / "Application Support" / "it's"))
    ask(capsys, "install", "--yes")
    [line] = find_commands(clients / CLAUDE)["Stop"]
    done = subprocess.run(["sh", "-c", line], input=b"{}", capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")
    ask(capsys, "uninstall", "--yes")
    assert not (clients / CLAUDE).exists()
