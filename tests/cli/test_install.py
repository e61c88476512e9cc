"""`thruline install` and `uninstall` from the outside: everybody else's bytes stay."""

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.kept import ask
from thruline.cli.door import run
from thruline.disk.transaction.place import move_into_place
from thruline.errors import Conflict
from thruline.layout import find_user_paths
from thruline.operations.install.applying import apply_install
from thruline.operations.install.handing_over import hand_over
from thruline.operations.install.planning import plan_install
from thruline.operations.install.record import read_record
from thruline.operations.install.stale import _order

CLAUDE, CODEX = ".claude/settings.json", ".codex/hooks.json"
THEIRS = {"type": "command", "command": "echo theirs"}
SETTINGS = [
    None,
    b"",
    b"{}",
    b'{"model":"opus"}',
    b'\xef\xbb\xbf{\r\n\t"model": "opus",\r\n\t"hooks": {}\r\n}\r\n',
    json.dumps({"hooks": {"Stop": [{"hooks": [THEIRS]}], "SessionStart": []}, "z": [1]}, indent=4).encode(),
    b'{\n  // why\n  "permissions": {"allow": ["Bash"]}, /* keep */\n  "enabledPlugins": {"x@y": true},\n}\n',
]


@pytest.fixture
def clients(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with both clients in it, and a project to stand in."""
    for name in (".claude", ".codex", "project"):
        (home / name).mkdir()
    monkeypatch.chdir(home / "project")
    return home


def read_tree(folder: Path, *, without: str = ".local") -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if without not in path.relative_to(folder).parts)
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"/" for path in found}


def find_commands(path: Path) -> dict[str, list[str]]:
    table = json.loads(path.read_text(encoding="utf-8-sig"))["hooks"]
    return {event: [each["command"] for group in groups for each in group["hooks"]] for event, groups in table.items()}


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


def test_what_others_write_in_between_stays(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = clients / CLAUDE
    path.write_text('{"model": "opus"}\n')
    ask(capsys, "install", "--yes")
    value = json.loads(path.read_text())
    value["hooks"]["Stop"].insert(0, {"hooks": [THEIRS]})
    value["hooks"]["SessionStart"][0]["hooks"].append(THEIRS)
    value["enabledPlugins"]["other@shop"] = True
    value["theme"] = "dark"
    path.write_text(json.dumps(value, indent=3))
    ask(capsys, "uninstall", "--yes")
    assert json.loads(path.read_text()) == {
        "model": "opus",
        "hooks": {"Stop": [{"hooks": [THEIRS]}], "SessionStart": [{"hooks": [THEIRS]}]},
        "enabledPlugins": {"other@shop": True},
        "theme": "dark",
    }


def test_a_client_that_still_runs_is_answered_with_silence_after_an_uninstall(
    clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(capsys, "install", "--yes")
    [line] = find_commands(clients / CLAUDE)["Stop"]
    ask(capsys, "uninstall", "--yes")
    ask(capsys, "config", "list")  # no upkeep brings it back
    payload = json.dumps({"session_id": "0b7e5c1a-6a34-4b0e", "cwd": str(clients), "hook_event_name": "Stop"})
    done = subprocess.run(["sh", "-c", line], input=payload.encode(), capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not os.path.exists(find_user_paths().spool)
    ask(capsys, "uninstall", "--purge", "--yes")
    done = subprocess.run(["sh", "-c", line], input=payload.encode(), capture_output=True, check=False)
    assert done.returncode == 127  # not 2, which would say no to the client


def test_who_stands_behind_ours_is_told_where_trust_hangs_on_the_place(
    clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = clients / CODEX
    path.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [THEIRS]}]}}))
    ask(capsys, "install", "--yes", "--harness", "codex")
    assert "review of hooks behind ours" not in ask(capsys, "uninstall", "--dry-run")
    value = json.loads(path.read_text())
    value["hooks"]["Stop"].append({"hooks": [THEIRS]})
    path.write_text(json.dumps(value))
    assert "that you trusted our hooks" not in ask(capsys, "uninstall", "--dry-run")
    (clients / ".codex" / "config.toml").write_text(f'[hooks.state."{path}:stop:0:0"]\ntrusted_hash = "x"\n')
    said = ask(capsys, "uninstall", "--yes")
    assert "will ask for review of hooks behind ours again: Stop" in said
    assert "config.toml: that you trusted our hooks" in said


def test_a_lost_record_does_not_keep_ours_in(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (clients / CLAUDE).write_text('{"model": "opus"}\n')
    ask(capsys, "install", "--yes")
    os.unlink(find_user_paths().install_record)
    ask(capsys, "uninstall", "--yes")
    assert json.loads((clients / CLAUDE).read_text()) == {"model": "opus"}


@pytest.mark.parametrize("broken", [b'{"hooks": ', b"[]", b'{"hooks": []}', b'{"hooks": {"Stop": {}}}', b"\xff\xfe{\0"])
def test_what_cannot_be_parsed_is_refused_and_nothing_is_written(
    clients: Path, broken: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (clients / CLAUDE).write_bytes(broken)
    tree = read_tree(clients)
    assert "settings.json" in ask(capsys, "install", "--yes", code=1)
    assert read_tree(clients) == tree
    assert not os.path.exists(find_user_paths().hook)


def test_settings_that_broke_since_are_left_alone_and_told(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "install", "--yes")
    (clients / CLAUDE).write_text("{")
    assert "left alone" in ask(capsys, "uninstall", "--yes")
    assert (clients / CLAUDE).read_text() == "{"
    assert not (clients / CODEX).exists()
    assert os.path.exists(find_user_paths().hook_entry)  # those settings may still name it


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


def make_repository(folder: Path) -> None:
    subprocess.run(["git", "init", "-q", str(folder)], check=True)


def test_project_settings_are_written_only_where_git_ignores_them(
    clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = clients / "project"
    make_repository(project)
    said = ask(capsys, "install", "--project", "--harness", "claude-code", "--yes", code=1)
    assert ".git/info/exclude" in said
    assert not (project / ".claude").exists()
    (project / ".git" / "info" / "exclude").write_text(".claude/settings.local.json\n")
    said = ask(capsys, "install", "--project", "--harness", "claude-code", "--yes")
    assert "is ignored by git (.git/info/exclude:1:.claude/settings.local.json)" in said
    assert find_commands(project / ".claude" / "settings.local.json")
    assert subprocess.run(["git", "status", "--porcelain"], cwd=project, capture_output=True, check=True).stdout == b""
    ask(capsys, "uninstall", "--yes")
    assert not (project / ".claude").exists()


def test_a_project_file_that_a_link_leads_out_is_refused(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (clients / "elsewhere").mkdir()
    (clients / "project" / ".claude").symlink_to(clients / "elsewhere")
    assert "leads out" in ask(capsys, "install", "--shared", "--harness", "claude-code", "--yes", code=1)
    assert list((clients / "elsewhere").iterdir()) == []


def test_a_client_that_would_run_them_twice_gets_none_in_a_project(
    clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(capsys, "install", "--yes")
    assert "would run twice" in ask(capsys, "install", "--yes", "--project", "--harness", "codex")
    assert not (clients / "project" / ".codex").exists()


def test_shared_settings_name_no_machine_and_stay_until_asked(
    clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = clients / "project"
    make_repository(project)
    ask(capsys, "install", "--shared", "--yes")
    for name, harness in ((CLAUDE, "claude-code"), (CODEX, "codex")):
        text = (project / name).read_text()
        assert str(clients) not in text
        assert find_commands(project / name)["Stop"] == [f"thruline hook {harness} turn_end || exit 0"]
    assert (project / ".agents" / "skills" / "thruline-handoff" / "SKILL.md").exists()
    assert "These stay" in ask(capsys, "uninstall", "--yes")
    assert find_commands(project / CLAUDE)
    ask(capsys, "uninstall", "--shared", "--yes")
    assert [path.name for path in project.iterdir()] == [".git"]


@pytest.mark.parametrize("shell", ["sh", "bash", "dash"])
def test_the_shared_line_is_quiet_where_thruline_is_missing(clients: Path, shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if not program:
        pytest.skip(f"no {shell} here")
    done = subprocess.run(
        [program, "-c", "thruline hook claude-code prompt || exit 0"],
        env={"PATH": str(tmp_path)},
        input=b"{}",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"")


def test_an_edited_skill_stays_and_is_told(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "install", "--yes")
    skill = clients / ".agents" / "skills" / "thruline-verify" / "SKILL.md"
    skill.write_text(skill.read_text() + "Mine.\n")
    assert "is not as we wrote it" in ask(capsys, "install", "--yes")
    assert f"{skill}: it was edited since." in ask(capsys, "uninstall", "--yes")
    assert skill.read_text().endswith("Mine.\n")
    assert [path.name for path in skill.parent.parent.iterdir()] == ["thruline-verify"]


def test_uninstall_takes_out_what_the_client_noted_of_us(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "install", "--yes")
    plugins = clients / ".claude" / "plugins"
    plugins.mkdir()
    noted: dict[str, Any] = {"version": 2, "plugins": {"a@b": [], "thruline@thruline": [{"scope": "user"}]}}
    (plugins / "installed_plugins.json").write_text(json.dumps(noted, indent=2))
    (plugins / "known_marketplaces.json").write_text(json.dumps({"thruline": {}, "b": {}}, indent=2))
    ask(capsys, "uninstall", "--yes")
    assert json.loads((plugins / "installed_plugins.json").read_text()) == {"version": 2, "plugins": {"a@b": []}}
    assert json.loads((plugins / "known_marketplaces.json").read_text()) == {"b": {}}


def test_purge_removes_all_that_is_ours_and_nothing_else(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "install", "--yes", "--ark")
    user = find_user_paths()
    (Path(user.state) / "of-somebody-else").write_text("x")
    said = ask(capsys, "uninstall", "--purge", "--dry-run")
    assert f"purge  {user.config_file}" in said
    assert "These stay" not in said  # what is purged does not stay
    assert os.path.exists(user.config_file)
    told = json.loads(ask(capsys, "uninstall", "--purge", "--yes", "--json"))
    assert told["left"] == [f"{user.state}/of-somebody-else"]
    assert os.listdir(user.state) == ["of-somebody-else"]
    assert not os.path.exists(user.config)


def test_with_nothing_to_take_out_nothing_is_written(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(clients.rglob("*"))
    for words in (["--yes"], ["--purge", "--yes"]):
        assert ask(capsys, "uninstall", *words).strip() == "Nothing has to be changed."
    assert sorted(clients.rglob("*")) == before


def test_settings_that_vanished_are_forgotten(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "install", "--yes", "--project", "--harness", "claude-code")
    user = find_user_paths()
    for path in read_record(user).settings:
        os.unlink(path)
    assert ask(capsys, "uninstall", "--yes", "--harness", "claude-code").endswith("Done.\n")
    assert not os.path.exists(user.install_record)


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


def test_after_an_upgrade_the_next_command_writes_the_stub_and_the_commands_anew(
    clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(capsys, "install", "--yes")
    user = find_user_paths()
    settings = (clients / CLAUDE).read_bytes()
    now = Path(user.hook_entry).read_text()
    older = now.replace("# Written by thruline ", "# Written by thruline 0.0.").replace(
        "sys.path.append('", "sys.path.append('/gone"
    )
    Path(user.hook_entry).write_text(older)
    command = Path(user.plugin) / "claude-code" / "thruline" / "commands" / "verify.md"
    was = command.read_text()
    command.write_text("older")
    ask(capsys, "config", "list")
    assert Path(user.hook_entry).read_text() == now
    assert command.read_text() == was
    assert (clients / CLAUDE).read_bytes() == settings
    assert read_record(user).settings


def test_a_newer_version_is_not_written_over(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "install", "--yes")
    stub = Path(find_user_paths().hook_entry)
    newer = stub.read_text().replace("# Written by thruline ", "# Written by thruline 999.")
    stub.write_text(newer)
    ask(capsys, "config", "list")
    assert stub.read_text() == newer


# --- what others have set

TAKEN = [
    '{"hooks": {"Stop": null}}',
    '{\n  "enabledPlugins": {\n    "thruline@thruline": false\n  }\n}\n',
    '{"extraKnownMarketplaces": {"thruline": {"source": {"source": "github", "repo": "x/y"}}}}',
]


@pytest.mark.parametrize("text", TAKEN)
def test_what_somebody_else_has_set_stays_and_comes_back(
    clients: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    path = clients / ".claude" / "settings.json"
    path.write_text(text)
    ask(capsys, "install", "--yes")
    value, theirs = json.loads(path.read_text()), json.loads(text)
    for key in ("enabledPlugins", "extraKnownMarketplaces"):
        for name, setting in theirs.get(key, {}).items():
            assert value[key][name] == setting
    assert value["hooks"]["Stop"]
    ask(capsys, "uninstall", "--yes")
    assert path.read_text() == text


@pytest.mark.parametrize("moved", [0, 1, 3])
def test_uninstalling_after_an_install_that_was_killed_finishes_it_first(
    clients: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, moved: int
) -> None:
    path = clients / ".claude" / "settings.json"
    path.write_text("{}\n")
    before = read_tree(clients)
    done: list[str] = []

    class Killed(BaseException):
        pass

    def move(each: Any, target: str) -> None:
        if len(done) == moved:
            raise Killed
        done.append(target)
        move_into_place(each, target)

    user, both = find_user_paths(), ("claude-code", "codex")
    plan = plan_install(user, dict(os.environ), str(clients), str(clients), harnesses=both, scope="user")
    with monkeypatch.context() as patch:
        patch.setattr("thruline.disk.transaction.change.move_into_place", move)
        with pytest.raises(Killed):
            apply_install(user, plan)
    assert len(done) == moved
    ask(capsys, "uninstall", "--yes")
    assert read_tree(clients) == before


def test_a_shared_line_answers_beside_an_installation_for_another_project(
    clients: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr(os, "execv", lambda _program, words: called.append(words))
    user = find_user_paths()
    for name, scope in (("one", "--project"), ("two", "--shared")):
        folder = clients / name
        folder.mkdir()
        make_repository(folder)
        (folder / ".git" / "info" / "exclude").write_text(".claude/settings.local.json\n")
        monkeypatch.chdir(folder)
        ask(capsys, "install", "--yes", "--harness", "claude-code", scope)
    hand_over(user, "claude-code", "turn_end")
    assert len(called) == 1
    monkeypatch.chdir(clients / "one")
    hand_over(user, "claude-code", "turn_end")
    assert len(called) == 1, "here the user's own line answers"


def test_a_shared_installation_follows_no_link_of_the_repository(
    clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (clients / "elsewhere").mkdir()
    (clients / "project" / ".agents").mkdir()
    (clients / "project" / ".agents" / "skills").symlink_to(clients / "elsewhere")
    assert run(["install", "--yes", "--harness", "codex", "--shared"]) == 1
    assert "leads out of the project" in capsys.readouterr().err
    assert list((clients / "elsewhere").iterdir()) == []


def test_a_project_s_own_settings_that_git_tracks_are_not_touched(
    clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = clients / "project"
    make_repository(project)
    settings = project / ".claude" / "settings.local.json"
    settings.parent.mkdir()
    settings.write_text("{}\n")
    subprocess.run(["git", "-C", str(project), "add", "-f", ".claude"], check=True)
    (project / ".git" / "info" / "exclude").write_text(".claude/settings.local.json\n")
    assert run(["install", "--yes", "--harness", "claude-code", "--project"]) == 1
    assert "git tracks" in capsys.readouterr().err
    assert settings.read_text() == "{}\n"


def test_a_purge_waits_for_a_worker_and_leaves_nothing_behind(
    clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(capsys, "install", "--yes")
    user = find_user_paths()
    work = Path(user.state) / "work" / "some-project"
    work.mkdir(parents=True)
    script = (
        "import sys, time; from thruline.disk.atomic import Lock\n"
        "with Lock(sys.argv[1] + '/lock', 5):\n"
        "    print('held', flush=True); time.sleep(1.5); open(sys.argv[1] + '/state.json', 'w').write('{}')\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(work)], stdout=subprocess.PIPE) as worker:
        assert worker.stdout is not None
        worker.stdout.readline()
        ask(capsys, "uninstall", "--purge", "--yes")
        assert worker.wait(20) == 0
    assert not Path(user.state).exists()


@pytest.mark.parametrize(("older", "newer"), [("0.3.0rc1", "0.3.0"), ("0.9", "0.10"), ("1.2", "1.2.1"), ("", "0.1")])
def test_versions_are_ordered_as_people_read_them(older: str, newer: str) -> None:
    assert _order(older) < _order(newer)


@pytest.mark.parametrize(
    "text", ['{"enabledPlugins": null}', '{"a": %s}' % ("9" * 5000), '{"hooks": {"Stop": [null, 5]}}']
)
def test_odd_settings_are_no_bug(clients: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    path = clients / ".claude" / "settings.json"
    path.write_text(text)
    (clients / ".codex" / "config.toml").write_text("features = 1\nhooks = 'x'\n")
    assert run(["install", "--yes"]) in (0, 1)
    assert run(["doctor"]) in (0, 1)
    assert run(["uninstall", "--yes"]) in (0, 1)
    assert "bug" not in "".join(capsys.readouterr())
    assert path.read_text() == text


def test_a_pipe_in_place_of_settings_is_refused_at_once(clients: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(clients / ".claude" / "settings.json")
    assert run(["install", "--yes", "--harness", "claude-code"]) == 1
    assert "settings.json" in capsys.readouterr().err


# --- the status line: one slot, and somebody may have it already

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
