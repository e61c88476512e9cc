"""`thruline statusline`: what the line shows, where it stands, and how it looks here."""

import json
from pathlib import Path

import pytest

from tests.cli.kept import ask
from thruline.cli.door import run
from thruline.layout import find_state_dir


@pytest.fixture
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (home / ".claude").mkdir()
    (home / "project").mkdir()
    monkeypatch.chdir(home / "project")
    return home / "project"


def test_a_preview_is_drawn_by_the_real_stub_and_leaves_nothing(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = ask(capsys, "statusline", "--preview").splitlines()
    assert [line.split("  ")[-1].strip() for line in shown] == ["Opus", "Opus · ctx 42%", "Opus · ⚠ CTX 74%"]
    assert not Path(find_state_dir(), "ready").exists()


@pytest.mark.feature("F002-34", via="cli")
def test_settings_decide_what_it_shows_and_when_it_warns(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THRULINE_CONTEXT_THRESHOLD", "40")
    monkeypatch.setenv("THRULINE_STATUSLINE_PARTS", "context,model")
    found = json.loads(ask(capsys, "statusline", "--preview", "--json"))
    assert [line for _, line in found["lines"]] == ["Opus", "⚠ CTX 42% · Opus", "⚠ CTX 74% · Opus"]
    assert found["threshold"] == 40


def test_a_project_may_warn_earlier_and_not_later(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    context = project / ".agent" / "context"
    context.mkdir(parents=True)
    (context / "root.json").write_text('{"schema": 1, "project_id": "x", "created_at": "", "name": "x"}')
    for value, used in ((40, 40), (95, 70)):
        (context / "config.toml").write_text(f"[context]\nthreshold = {value}\n")
        assert json.loads(ask(capsys, "statusline", "--json"))["threshold"] == used


def test_it_tells_where_it_stands_and_what_stands_behind_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project.parent / ".claude" / "settings.json").write_text('{"statusLine": {"type": "command", "command": "mine"}}')
    assert "no client yet" in ask(capsys, "statusline")
    ask(capsys, "install", "--yes")
    shown = ask(capsys, "statusline")
    assert "stands in  claude-code" in shown
    assert "behind it  mine" in shown


def test_a_line_that_stands_where_ours_would_is_told_here_and_by_doctor(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = project / ".claude" / "settings.json"
    own.parent.mkdir()
    own.write_text('{"statusLine": {"type": "command", "command": "echo PROJECT"}}')
    assert "hidden by" not in ask(capsys, "statusline")  # nothing of ours to hide yet
    ask(capsys, "install", "--yes")
    assert f"hidden by  {own}" in ask(capsys, "statusline")
    assert run(["doctor"]) == 0
    assert f"The status line in {own} stands where ours would" in capsys.readouterr().out
    own.unlink()
    users = project.parent / ".claude" / "settings.json"
    users.write_text(users.read_text().replace("claude-code statusline", "--of-somebody-else").replace("entry.py", "e"))
    shown = ask(capsys, "statusline")
    assert f"hidden by  {users}" in shown
    assert "no client yet" in shown


@pytest.mark.parametrize("value", ["model,bogus", '["context","bogus"]'])
def test_a_part_that_there_is_not_is_refused_with_those_that_there_are(
    project: Path, capsys: pytest.CaptureFixture[str], value: str
) -> None:
    assert run(["config", "set", "statusline.parts", value]) == 2
    assert "any of model, branch, dirty, context, task, loop, role" in capsys.readouterr().err
    assert run(["config", "set", "statusline.parts", '["context","model"]']) == 0
    assert run(["config", "set", "statusline.parts", "context,model"]) == 0
