"""What `thruline verify` says of a line of the Sources that was changed, of no regular file, and after a repair."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.verify.asking import SESSION, report
from tests.harnesses.claude_code.conftest import Transcript
from thruline.cli.door import run


@pytest.fixture
def brief(talk: Transcript, project: Path, tmp_path: Path) -> Path:
    path = tmp_path / "told.md"
    assert run(["handoff", "brief", str(talk.path), "--out", str(path)]) == 0
    return path


@pytest.mark.parametrize(
    ("pattern", "now"), [(r"digest `[0-9a-f]{4}", "digest `0000"), (r"bytes `(\d+)`", r"bytes `\g<1>0`")]
)
def test_a_changed_digest_or_size_of_a_file_that_is_the_same_is_told(
    brief: Path, capsys: pytest.CaptureFixture[str], pattern: str, now: str
) -> None:
    assert report(capsys, str(brief))[0] == 0
    brief.write_text(re.sub(pattern, now, brief.read_text()))
    code, found = report(capsys, str(brief))
    assert (code, [one["kind"] for one in found["troubles"]]) == (1, ["source"])  # type: ignore[attr-defined]


def add(brief: Path, told: str) -> None:
    """Writes into the line of the transcript what earlier briefs told of it there, and others may."""
    text = brief.read_text()
    changed = text.replace(" · bytes `", f" · {told} · bytes `", 1)
    assert changed != text
    brief.write_text(changed)


@pytest.mark.parametrize(
    "told",
    [
        "harness `codex`",
        "leaf `0b7e5c1a-0000-4000-8000-000000000009`",
        "session `7e551011-0000-4000-8000-000000000002`",
        "project `/home/dev/shop-next`",
    ],
)
def test_what_the_sources_say_of_another_session_is_told(
    brief: Path, capsys: pytest.CaptureFixture[str], told: str
) -> None:
    add(brief, told)
    code, found = report(capsys, str(brief))
    assert (code, [one["kind"] for one in found["troubles"]]) == (1, ["source"])  # type: ignore[attr-defined]


@pytest.mark.parametrize("told", ["harness `claude-code`", f"session `{SESSION}`", "project `/srv/{name}`"])
def test_what_they_say_of_this_session_is_no_trouble(
    brief: Path, project: Path, capsys: pytest.CaptureFixture[str], told: str
) -> None:
    # A project may be called the same in another place.
    add(brief, told.format(name=project.name))
    assert report(capsys, str(brief))[0] == 0


def test_a_transcript_that_went_on_has_another_last_record(
    brief: Path, talk: Transcript, capsys: pytest.CaptureFixture[str]
) -> None:
    talk.agent("It is done.")
    assert report(capsys, str(brief))[0] == 0


@pytest.mark.parametrize("change", [lambda text: "\ufeff" + text, lambda text: text.replace("\n", "\r\n"), str.rstrip])
def test_what_an_editor_of_windows_leaves_is_no_trouble(
    brief: Path, capsys: pytest.CaptureFixture[str], change: Callable[[str], str]
) -> None:
    brief.write_bytes(change(brief.read_text()).encode())
    assert report(capsys, str(brief))[0] == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
def test_what_is_no_regular_file_is_refused_and_not_waited_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert run(["verify", str(tmp_path / "pipe.md")]) == 1
    assert "This is no regular file." in capsys.readouterr().err


def test_after_a_repair_nobody_is_told_to_repair(brief: Path, capsys: pytest.CaptureFixture[str]) -> None:
    brief.write_text(re.sub(r"digest `[0-9a-f]{4}", "digest `0000", brief.read_text()))
    capsys.readouterr()
    assert run(["verify", str(brief)]) == 1
    assert "verify --fix repairs" in capsys.readouterr().out
    assert run(["verify", str(brief), "--fix"]) == 1
    out = capsys.readouterr().out
    assert "nothing of this can be repaired" in out
    assert "verify --fix repairs" not in out
