"""Settings of a project and of a whole team."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.install.homes import CLAUDE, CODEX, find_commands
from tests.cli.kept import ask
from thruline.cli.door import run
from thruline.layout import find_user_paths
from thruline.operations.install.handing_over import hand_over


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


def test_the_settings_of_another_project_stay_where_one_project_is_meant(
    clients: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    projects = [clients / "project", clients / "another"]
    for project in projects:
        make_repository(project)
        (project / ".git" / "info" / "exclude").write_text(".claude/settings.local.json\n")
        monkeypatch.chdir(project)
        ask(capsys, "install", "--project", "--harness", "claude-code", "--yes")
    ask(capsys, "uninstall", "--project", "--yes")
    assert [(project / ".claude" / "settings.local.json").exists() for project in projects] == [True, False]
    ask(capsys, "uninstall", "--yes")
    assert not (projects[0] / ".claude").exists()


@pytest.mark.parametrize("words", [["--harness", "claude-code"], ["--project"]])
def test_a_purge_that_would_leave_lines_without_their_stub_is_refused(
    clients: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    ask(capsys, "install", "--yes")
    before = (clients / CODEX).read_bytes()
    said = ask(capsys, "uninstall", "--purge", "--yes", *words, code=1)
    assert str(clients / CODEX) in said
    assert (clients / CODEX).read_bytes() == before
    assert os.path.exists(find_user_paths().hook_entry)
    ask(capsys, "uninstall", "--purge", "--yes")
    assert not os.path.exists(find_user_paths().hook)


@pytest.mark.parametrize("now", [None, "{ broken"])
def test_settings_that_are_gone_or_no_longer_call_us_hold_no_purge_up(
    clients: Path, capsys: pytest.CaptureFixture[str], now: str | None
) -> None:
    ask(capsys, "install", "--yes")
    (clients / CLAUDE).unlink()
    if now is not None:
        (clients / CLAUDE).write_text(now)
    ask(capsys, "uninstall", "--purge", "--harness", "codex", "--yes")
    assert not os.path.exists(find_user_paths().hook)


def test_a_purge_is_refused_where_settings_of_ours_cannot_be_read(
    clients: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(capsys, "install", "--yes")
    (clients / CLAUDE).write_text((clients / CLAUDE).read_text() + "}")
    said = ask(capsys, "uninstall", "--purge", "--yes", code=1)
    assert str(clients / CLAUDE) in said
    assert os.path.exists(find_user_paths().hook_entry)
