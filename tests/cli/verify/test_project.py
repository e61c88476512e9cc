"""What a brief says of files, commits and commands: looked up in the project and in what the session did."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.kept import put_session, remove_session, turn_on
from tests.cli.verify.asking import IN_OTHER_WORDS, report
from tests.sample import SESSION as ARCHIVED
from thruline.cli.door import run
from thruline.operations.facts import ProjectFacts


@pytest.mark.parametrize(
    ("was", "now"), [("commit:", "commit:00"), ("export.py:export", "export.py:import_"), ("file:", "file:x")]
)
def test_commits_files_and_symbols_must_exist(
    brief: Path, was: str, now: str, capsys: pytest.CaptureFixture[str]
) -> None:
    brief.write_text(brief.read_text().replace(was, now))
    code, found = report(capsys, str(brief))
    assert code == 1
    assert [trouble["kind"] for trouble in found["troubles"]] == ["dangling"]  # type: ignore[attr-defined]


def test_outside_a_repository_that_is_said(brief: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(tmp_path / "shop" / ".git")
    code, found = report(capsys, str(brief))
    assert code == 0
    assert found["pointers"] == {"checked": 3, "ok": 2, "unchecked": 1}
    assert any("commits could not be checked" in note for note in found["notes"])  # type: ignore[attr-defined]


def test_commits_and_files_are_looked_up_in_the_project_wherever_it_is_asked(
    brief: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=elsewhere, check=True)
    monkeypatch.chdir(elsewhere)
    code, found = report(capsys, str(brief))
    assert (code, found["pointers"]) == (0, {"checked": 3, "ok": 3})
    brief.write_text(brief.read_text().replace("file:", "file:x"))
    assert report(capsys, str(brief))[0] == 1


def test_of_a_project_that_is_not_here_nothing_is_said_to_dangle(
    brief: Path, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.rmtree(project)
    code, found = report(capsys, str(brief))
    assert (code, found["pointers"]) == (0, {"checked": 3, "ok": 1, "unchecked": 2})
    assert any("not on this machine" in note for note in found["notes"])  # type: ignore[attr-defined]


def test_a_project_that_moved_is_looked_at_where_the_caller_says(
    brief: Path, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.move(project, tmp_path / "moved")
    assert report(capsys, str(brief))[1]["pointers"] == {"checked": 3, "ok": 1, "unchecked": 2}
    code, found = report(capsys, str(brief), "--project", "moved")
    assert (code, found["pointers"], found["notes"]) == (0, {"checked": 3, "ok": 3}, [IN_OTHER_WORDS])
    assert run(["verify", str(brief), "--project", "nowhere"]) == 1


def test_a_wrong_project_is_told_as_such(
    home: Path, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    brief = tmp_path / "brief.md"
    assert run(["handoff", "brief", str(put_session(home)), "--out", str(brief)]) == 0
    code, found = report(capsys, str(brief), "--project", str(project))
    (told,) = found["troubles"]  # type: ignore[misc]
    assert (code, told["kind"], told["was"]) == (1, "project", str(project))
    assert "none of the commits" in told["what"]
    lines = brief.read_text().split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("- committed"))
    brief.write_text("\n".join(line for line in lines if not line.startswith(("- committed", "  > git"))))
    code, found = report(capsys, str(brief), "--project", str(project))
    assert code == 1, at
    assert "none of the files" in found["troubles"][0]["what"]  # type: ignore[index]
    (project / "exporter.py").write_text("")
    assert report(capsys, str(brief), "--project", str(project))[0] == 0


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("edited `", "edited `secret.py`, `"),
        ("committed `1", "committed `0"),
        ("Ran and worked: `", "Ran and worked: `rm -rf /`, `"),
    ],
)
def test_what_the_session_did_is_looked_up_in_its_transcript_and_in_the_ark(
    home: Path, tmp_path: Path, was: str, now: str, capsys: pytest.CaptureFixture[str]
) -> None:
    brief = tmp_path / "brief.md"
    assert run(["handoff", "brief", str(put_session(home)), "--out", str(brief)]) == 0
    turn_on(capsys)
    assert run(["archive", ARCHIVED]) == 0
    code, found = report(capsys, str(brief))
    assert (code, found["facts"]) == (0, {"checked": 12, "ok": 12})
    text = brief.read_text()
    for _ in range(2):
        brief.write_text(text.replace(was, now, 1))
        code, found = report(capsys, str(brief))
        assert [trouble["kind"] for trouble in found["troubles"]] == ["untrue"]  # type: ignore[attr-defined]
        assert code == 1
        assert report(capsys, str(brief), "--fix")[1]["fixed"]
        assert report(capsys, str(brief))[0] == 0
        if home.joinpath(".claude", "projects").exists():
            remove_session(home)
    brief.write_text(text)
    assert report(capsys, str(brief))[1]["facts"] == {"checked": 12, "ok": 12}


@pytest.mark.parametrize("absent", [False, True])
def test_a_file_outside_the_project_proves_nothing(
    brief: Path, project: Path, tmp_path: Path, absent: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    beside = tmp_path / "secrets.txt"
    beside.write_text("a line of somebody else\n")
    if absent:
        project.rename(tmp_path / "moved")
        os.chdir(tmp_path)
    text = brief.read_text()
    for pointer in ("file:../secrets.txt", f"file:{beside}"):
        brief.write_text(text.replace("`file:export.py:export`", f"`{pointer}`"))
        code, found = report(capsys, str(brief))
        assert [(one["kind"], one["what"]) for one in found["troubles"]] == [  # type: ignore[attr-defined]
            ("dangling", "it leaves the project")
        ]
        assert code == 1
    quote = f"- > file, file:{beside}:L1: `a line of somebody else`"
    brief.write_text(text.replace("## Code-state\n", f"## Code-state\n{quote}\n"))
    assert [one["kind"] for one in report(capsys, str(brief))[1]["troubles"]] == ["missing"]  # type: ignore[attr-defined]


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_link_of_the_project_is_there_and_is_not_read(project: Path, tmp_path: Path) -> None:
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside" / "x.txt").write_text("words\n")
    (project / "link").symlink_to(tmp_path / "beside" / "x.txt")
    (project / "folder").symlink_to(tmp_path / "beside")
    facts = ProjectFacts(str(project))
    assert facts.has_file("link", 0, "") is True
    assert facts.has_file("link", 1, "") is False
    assert facts.read_line("link", 1) is None
    assert facts.has_file("folder/x.txt", 0, "") is False
