"""`thruline verify` on what a brief says of how the session stands: changed by one word, and after the session grew."""

from pathlib import Path

import pytest

from tests.cli.verify.asking import report
from tests.harnesses.claude_code.conftest import Transcript
from thruline.cli.door import run


@pytest.fixture
def edited(talk: Transcript) -> Transcript:
    """The session with an edit that nothing ran after."""
    talk.call("c1", "Edit", file_path="/home/dev/shop/export.py", old_string="a", new_string="b")
    talk.result("c1", "done", result={"filePath": "/home/dev/shop/export.py"})
    return talk


@pytest.fixture
def told(edited: Transcript, project: Path, tmp_path: Path) -> Path:
    path = tmp_path / "told.md"
    assert run(["handoff", "brief", str(edited.path), "--out", str(path)]) == 0
    return path


def test_a_changed_branch_is_an_exit_of_1_and_told_with_section_line_and_why(
    told: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(capsys, str(told))[0] == 0
    lines = told.read_text().split("\n")
    at = next(at for at, line in enumerate(lines) if "on branch `main`" in line)
    told.write_text("\n".join(lines).replace("on branch `main`", "on branch `next`"))
    code, found = report(capsys, str(told))
    assert code == 1
    (trouble,) = found["troubles"]  # type: ignore[misc]
    assert (trouble["kind"], trouble["section"], trouble["line"]) == ("untrue", "basics", at + 1)
    assert trouble["what"] == "the session does not end on that branch"


def test_a_flag_that_was_taken_out_is_missed(told: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line for line in told.read_text().split("\n") if "untested" not in line]
    told.write_text("\n".join(lines))
    code, found = report(capsys, str(told))
    assert (code, [one["kind"] for one in found["troubles"]]) == (1, ["untold"])  # type: ignore[attr-defined]


def test_what_the_session_did_after_the_brief_was_made_is_no_trouble(
    told: Path, edited: Transcript, capsys: pytest.CaptureFixture[str]
) -> None:
    edited.call("c2", "Bash", command="python3 -m unittest")
    edited.result("c2", "OK", result={"stdout": "OK", "stderr": "", "interrupted": False})
    edited.user("And now?", gitBranch="next")
    assert report(capsys, str(told))[0] == 0
    # What it says is still held against what was there then.
    told.write_text(told.read_text().replace("on branch `main`", "on branch `next`"))
    assert report(capsys, str(told))[0] == 1
