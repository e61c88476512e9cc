"""`thruline verify`: proof from the command line, today, after a move, and from the ark."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.kept import put_session, remove_session, turn_on
from tests.harnesses.claude_code.conftest import Transcript
from tests.sample import SESSION as ARCHIVED
from thruline.cli.door import run
from thruline.errors import Refused
from thruline.harnesses.transcripts import recognise
from thruline.operations.facts import ProjectFacts
from thruline.operations.handoff.finalize import finalize
from thruline.operations.sessions.locate import locate

SESSION = "5e551011-0000-4000-8000-000000000001"


@pytest.fixture
def talk(home: Path) -> Transcript:
    """A short session in the client's own folder."""
    transcript = Transcript(home / ".claude" / "projects" / "-home-dev-shop" / f"{SESSION}.jsonl", SESSION)
    transcript.user("Please fix the export.")
    transcript.agent("I will add a pause between the batches.")
    transcript.user("No, don't add a pause. Look at the cursor.")
    transcript.agent("The cursor was inclusive; every page began with the last row of the one before.")
    return transcript


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one commit and one file, and the working folder."""
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "export.py").write_text("def export(rows):\n    return rows\n")
    who = ["-c", "user.name=t", "-c", "user.email=t@t"]
    for arguments in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "Add the export"]):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def brief(talk: Transcript, project: Path, tmp_path: Path) -> Path:
    """A brief of three sections and nothing else."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=project, check=True, capture_output=True, text=True)
    sections = tmp_path / "sections"
    sections.mkdir()
    contents = {
        "convergence": "- Pages overlapped since the cursor was inclusive (`transcript:L4`).",
        "dead_ends": '- A pause. > "No, don\'t add a pause." (`transcript:L3`)',
        "code_state": f"- Exported by one function (`file:export.py:export`, `commit:{commit.stdout[:10]}`)",
    }
    for name, content in contents.items():
        (sections / f"{name}.json").write_text(json.dumps({"section": name, "content": content, "pointers": []}))
    located = locate(str(talk.path), folder=str(project))
    path = tmp_path / "brief.md"
    path.write_text(finalize(located, str(sections), root=str(project)).rendered.text)
    return path


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, object]]:
    capsys.readouterr()
    code = run(["verify", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


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
    assert (code, found["pointers"], found["notes"]) == (0, {"checked": 3, "ok": 3}, [])
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
    assert (code, found["facts"]) == (0, {"checked": 5, "ok": 5})
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
    assert report(capsys, str(brief))[1]["facts"] == {"checked": 5, "ok": 5}


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
    assert (code, found["notes"]) == (0, [])


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


@pytest.mark.skipif(not os.path.isfile("/proc/version"), reason="no such files on this system")
def test_of_a_file_no_more_is_read_than_it_says_to_have(tmp_path: Path) -> None:
    # Files of the system look regular and say that they are empty; one of them never ends.
    assert ProjectFacts(str(tmp_path)).has_file("/proc/version", 1, "") is False
    with pytest.raises(Refused, match="No known client wrote this file"):
        recognise("/proc/version")
