"""`thruline uninstall`: ours goes, whatever happened in between, and nothing else."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.install.homes import CLAUDE, CODEX, THEIRS, find_commands, read_tree
from tests.cli.kept import ask
from thruline.disk.transaction.place import move_into_place
from thruline.layout import find_user_paths
from thruline.operations.install.applying import apply_install
from thruline.operations.install.planning import plan_install
from thruline.operations.install.record import read_record


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
