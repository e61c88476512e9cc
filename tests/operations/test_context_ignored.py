"""What git is asked about the context folder, and what a person is told to do."""

import os
import subprocess
from pathlib import Path

import pytest

from thruline.layout import Root, build_project_paths
from thruline.operations.context_ignored import check_ignored
from thruline.operations.finding import BROKEN, NOTE


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a context folder and nothing ignored yet."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    folder = tmp_path / ".agent" / "context"
    folder.mkdir(parents=True)
    (folder / "root.json").write_text("{}")
    names = ("loops", "indexes", "handoffs", "logs", "cache", "ready", "scratch")
    (folder / ".gitignore").write_text("".join(f"/{name}/\n" for name in names))
    return tmp_path


def find_hint(root: Path) -> str:
    """What is to be done about a marker that git ignores."""
    found = check_ignored(build_project_paths(Root(str(root), "marker"), ""))
    (hint,) = [each.fix for each in found if each.state == BROKEN and "root.json" in each.what]
    return hint


def test_a_rule_for_the_file_itself_can_be_taken_back_by_the_line_that_is_named(repository: Path) -> None:
    ignore = repository / ".gitignore"
    ignore.write_text("*.json\n")
    hint = find_hint(repository)
    assert hint == "take that rule out, or add !/.agent/context/root.json behind it"
    ignore.write_text("*.json\n!/.agent/context/root.json\n")
    assert "root.json" not in str(check_ignored(build_project_paths(Root(str(repository), "marker"), "")))


@pytest.mark.parametrize("rule", [".agent/", "/.agent", ".agent/context/"])
def test_for_a_rule_that_hides_a_whole_folder_no_line_is_promised_to_help(repository: Path, rule: str) -> None:
    (repository / ".gitignore").write_text(rule + "\n!/.agent/context/root.json\n")
    assert find_hint(repository) == (
        "take that rule out; it hides a whole folder, and no line behind it can bring one file back"
    )


def test_git_is_given_up_after_the_time_that_was_given(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    (found,) = check_ignored(build_project_paths(Root(str(repository), "marker"), ""), timeout=0.2)
    assert found.state == NOTE
    assert "0.2 s" in found.what
