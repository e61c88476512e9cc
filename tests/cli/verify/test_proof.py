"""`thruline verify`: proof from the command line, today, after a move, and from the ark."""

import shutil
from pathlib import Path

import pytest

from tests.cli.kept import put_session, remove_session, turn_on
from tests.cli.verify.asking import IN_OTHER_WORDS, SESSION, report
from tests.harnesses.claude_code.conftest import Transcript
from tests.sample import SESSION as ARCHIVED
from thruline.cli.door import run


def test_a_fresh_brief_is_proved(brief: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = report(capsys, str(brief))
    assert (code, found["ok"], found["troubles"]) == (0, True, [])
    assert found["quotes"] == {"checked": 1, "ok": 1}
    assert found["pointers"] == {"checked": 3, "ok": 3}


def test_a_changed_word_is_found_told_with_its_line_and_removed(
    brief: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = brief.read_text()
    brief.write_text(text.replace("don't add", "do add"))
    code, found = report(capsys, str(brief))
    assert (code, found["fixed"]) == (1, False)
    assert found["quotes"] == {"checked": 1, "missing": 1}
    assert report(capsys, str(brief), "--fix")[1]["fixed"] is True
    assert "do add a pause" not in brief.read_text()
    assert report(capsys, str(brief))[0] == 0


def test_a_wrong_place_is_repaired_to_the_true_line(brief: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = brief.read_text()
    brief.write_text(text.replace("> user, transcript:L3:", "> user, transcript:L1:"))
    code, found = report(capsys, str(brief), "--fix")
    assert (code, found["quotes"]) == (1, {"checked": 1, "moved": 1})
    assert brief.read_text() == text


def test_a_transcript_that_moved_is_found_by_its_session(
    brief: Path, talk: Transcript, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    moved = home / ".claude" / "projects" / "-home-me-shop" / talk.path.name
    moved.parent.mkdir()
    shutil.move(talk.path, moved)
    code, found = report(capsys, str(brief))
    assert (code, found["transcripts"]) == (0, [str(moved)])


def test_a_transcript_that_only_the_ark_has_proves_it(
    home: Path, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    transcript = put_session(home)
    brief = tmp_path / "brief.md"
    assert run(["handoff", "brief", str(transcript), "--out", str(brief)]) == 0
    turn_on(capsys)
    assert run(["archive", ARCHIVED]) == 0
    remove_session(home)
    code, found = report(capsys, str(brief))
    assert (code, found["ok"]) == (0, True)
    brief.write_text(brief.read_text().replace("don't add a pause", "do add a pause"))
    assert report(capsys, str(brief))[0] == 1


def test_a_session_that_grew_still_proves_it(brief: Path, talk: Transcript, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(5):
        talk.user("Go on.")
    code, found = report(capsys, str(brief))
    assert (code, found["notes"]) == (0, [IN_OTHER_WORDS])


def test_another_file_in_its_place_is_told(brief: Path, talk: Transcript, capsys: pytest.CaptureFixture[str]) -> None:
    talk.path.write_bytes(talk.path.read_bytes().replace(b"Please fix", b"Kindly fix"))
    _, found = report(capsys, str(brief))
    assert any("is not the file" in note for note in found["notes"])  # type: ignore[attr-defined]


def test_without_the_transcript_nothing_is_proved_and_nothing_is_touched(
    brief: Path, talk: Transcript, capsys: pytest.CaptureFixture[str]
) -> None:
    talk.path.unlink()
    text = brief.read_text()
    code, found = report(capsys, str(brief), "--fix")
    assert (code, found["ok"], found["quotes"]) == (1, False, {"checked": 1, "unchecked": 1})
    assert brief.read_text() == text


def test_a_packet_without_sources_is_checked_against_the_session_given(
    talk: Transcript, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packet = tmp_path / "packet.md"
    packet.write_text("# Goal\n\nExport.\n\n> user, transcript:L3: `Look at the cursor.`\n")
    assert report(capsys, str(packet))[0] == 1
    assert report(capsys, str(packet), "--session", SESSION)[0] == 0


def test_the_words_of_a_subagent_are_opened_in_its_own_file(
    talk: Transcript, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agents = talk.path.parent / SESSION / "subagents"
    inner = Transcript(agents / "agent-ab12.jsonl", SESSION)
    inner.user("Look at the cursor code.", isSidechain=True, agentId="ab12")
    inner.agent("The cursor compares with greater or equal.", isSidechain=True, agentId="ab12")
    packet = tmp_path / "packet.md"
    packet.write_text("> agent, transcript:a1:L2: `compares with greater or equal`\n")
    assert report(capsys, str(packet), "--session", str(talk.path))[0] == 0
    packet.write_text("> agent, transcript:a1:L2: `compares with less or equal`\n")
    assert report(capsys, str(packet), "--session", str(talk.path))[0] == 1


def test_people_get_a_sentence_for_each_trouble(brief: Path, capsys: pytest.CaptureFixture[str]) -> None:
    brief.write_text(brief.read_text().replace("transcript:L3:", "transcript:L2:"))
    capsys.readouterr()
    assert run(["verify", str(brief)]) == 1
    told = capsys.readouterr().out
    assert "moved: right words, wrong place: transcript:L2 → transcript:L3" in told
    assert "thruline verify --fix" in told
