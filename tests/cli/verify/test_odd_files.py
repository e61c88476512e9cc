"""Files that are no brief, or no file that ends."""

import os
from pathlib import Path

import pytest

from tests.cli.verify.asking import SESSION
from tests.harnesses.claude_code.conftest import Transcript
from thruline.cli.door import run
from thruline.errors import Refused
from thruline.harnesses.transcripts import recognise
from thruline.operations.facts import ProjectFacts


@pytest.mark.parametrize("data", [b"\xff\xfe", b"", b"\n", b"# Notes\n\nAll is well.\n"])
def test_what_is_no_brief_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.md"
    path.write_bytes(data)
    assert run(["verify", str(path)]) == 1


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    assert run(["verify", str(tmp_path / "none.md")]) == 1


@pytest.mark.parametrize(
    "line",
    [
        "> user, transcript:L1:\n> ```quote\n",
        "> user, transcript:L1: `a` b\n",
        "`" * 99 + "a\n",
        '- "a b c d" \n',
        "- > user, ",
    ],
)
def test_a_hostile_file_is_read_to_its_end(tmp_path: Path, talk: Transcript, line: str) -> None:
    path = tmp_path / "x.md"
    path.write_text("## Basics\n" + line * (200_000 // len(line)))
    assert run(["verify", str(path), "--session", SESSION]) in (0, 1)


@pytest.mark.parametrize(
    ("text", "told", "line"),
    [
        ("- a claim `transcript:L2`\n" * 5_001, "too many pointers", 5_002),
        ("- a claim\n" * 5_001, "too many claims", 5_002),
        ("- > user, transcript:L2: `No.`\n" * 5_001, "too many quotations", 5_002),
        ("- a\n- " + "the user approved " * 4_000 + "\n", "line is too long", 3),
    ],
)
def test_what_is_too_much_for_a_brief_is_told_with_its_line(
    tmp_path: Path, talk: Transcript, text: str, told: str, line: int, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.md"
    path.write_text(f"## Basics\n{text}")
    assert run(["verify", str(path), "--session", SESSION]) == 1
    printed = capsys.readouterr().err
    assert told in printed
    assert f"x.md:{line}\n" in printed


def test_a_file_that_is_too_large_is_not_read_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.md"
    path.write_text("## Basics\n" + "- a claim\n" * (1 << 17))
    assert run(["verify", str(path)]) == 1
    assert "too large for a brief" in capsys.readouterr().err


@pytest.mark.skipif(not os.path.isfile("/proc/version"), reason="no such files on this system")
def test_of_a_file_no_more_is_read_than_it_says_to_have(tmp_path: Path) -> None:
    # Files of the system look regular and say that they are empty; one of them never ends.
    assert ProjectFacts(str(tmp_path)).has_file("/proc/version", 1, "") is False
    with pytest.raises(Refused, match="No known client wrote this file"):
        recognise("/proc/version")
