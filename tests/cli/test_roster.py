"""`thruline roster check` from the outside."""

import json
from pathlib import Path

import pytest

from tests.cli.kept import ask

BAD = "---\ndescription: a\nargument-hint: [topic] [--deep]\n---\nDo it.\n"


def test_ours_and_an_empty_home_are_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(ask(capsys, "roster", "check", "--json", "-C", str(tmp_path)))
    assert told["files"] >= 9
    assert told["problems"] == []


@pytest.mark.parametrize("place", [".claude/commands/x.md", ".claude/agents/deep/x.md", ".agents/skills/x/SKILL.md"])
@pytest.mark.parametrize("own", [True, False])
def test_users_files_are_found_where_clients_look(
    home: Path, tmp_path: Path, place: str, own: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    path = (home if own else tmp_path) / place
    path.parent.mkdir(parents=True)
    path.write_text(BAD)
    said = ask(capsys, "roster", "check", "-C", str(tmp_path), code=1)
    assert f'{path}:3: argument-hint: a value that begins with "["' in said
    assert '  try  argument-hint: "[topic] [--deep]"' in said


def test_named_files_and_folders_are_checked_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "commands").mkdir()
    (tmp_path / "commands" / "x.md").write_text(BAD)
    (tmp_path / "good.md").write_text("---\ndescription: a\n---\nDo it.\n")
    assert "1 file, no problems." in ask(capsys, "roster", "check", str(tmp_path / "good.md"))
    for given in (tmp_path, tmp_path / "commands", tmp_path / "commands" / "x.md"):
        assert "x.md:3:" in ask(capsys, "roster", "check", str(given), code=1)
    assert "1 file, 1 problem." in ask(capsys, "roster", "check", str(tmp_path / "commands" / "x.md"), code=1)
    assert "no such file" in ask(capsys, "roster", "check", str(tmp_path / "gone.md"), code=1)
