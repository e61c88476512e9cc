"""`thruline handoff [REF]`: the brief on standard output, in a file, as JSON, from the cache."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harnesses.claude_code.conftest import Transcript
from tests.sample import SAMPLE, SESSION, put_sample
from thruline.brief.section import HEADINGS
from thruline.cli.door import run
from thruline.hooks.door import answer
from thruline.layout import UserPaths, find_project, find_state_dir
from thruline.operations.packets.store import find_packet
from thruline.operations.stamped import find_stamped_ids


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project as the working folder."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def handoff(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert run(["handoff", *arguments]) == code
    return capsys.readouterr().out


@pytest.mark.feature("F001-01", via="cli")
def test_a_path_is_enough_for_a_brief_with_the_five_headings(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = handoff(capsys, str(SAMPLE))
    assert [line for line in text.splitlines() if line in HEADINGS] == list(HEADINGS)
    assert "> user, transcript:L52: `No, don't add a pause." in text
    assert list(here.iterdir()) == []


def test_what_the_agent_refuted_is_told_where_there_is_room(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = handoff(capsys, str(SAMPLE))
    disproved = text.partition("### Disproved by evidence")[2].partition("\n## ")[0]
    assert "a source that moves under us is not the cause." in disproved


@pytest.mark.feature("F001-23", via="cli")
@pytest.mark.parametrize("budget", ["300", "1000", "3000"])
def test_the_budget_holds_and_corrections_are_in_it(
    here: Path, capsys: pytest.CaptureFixture[str], budget: str
) -> None:
    text = handoff(capsys, str(SAMPLE), "--budget", budget)
    assert len(text.encode()) <= int(budget) * 4
    assert "No, don't add a pause." in text


@pytest.mark.feature("F001-32", via="cli")
def test_a_brief_is_proved_by_verify(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handoff(capsys, str(SAMPLE), "--out", "brief.md")
    assert run(["verify", "brief.md"]) == 0


@pytest.mark.feature("F001-33", via="cli")
def test_the_second_time_it_comes_from_the_cache_and_a_grown_session_does_not(
    here: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    transcript = tmp_path / "5e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34.jsonl"
    shutil.copy(SAMPLE, transcript)
    first = handoff(capsys, str(transcript))
    (kept,) = (Path(find_project(str(here)).cache) / "briefs").iterdir()
    value = json.loads(kept.read_text())
    assert value["key"]["leaf"] in SAMPLE.read_text()
    kept.write_text(json.dumps(value | {"brief": "from the cache\n"}))
    assert handoff(capsys, str(transcript)) == "from the cache\n"
    assert handoff(capsys, str(transcript), "--fresh") == first
    kept.write_text(json.dumps(value | {"brief": "from the cache\n"}))
    last = json.loads(transcript.read_text().splitlines()[-1])
    with transcript.open("a") as file:
        file.write(json.dumps(last | {"uuid": "f" * 8 + last.get("uuid", "")[8:]}) + "\n")
    assert "from the cache" not in handoff(capsys, str(transcript))


def test_a_session_of_the_same_size_with_another_end_does_not_come_from_the_cache(
    here: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    transcript = tmp_path / "5e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34.jsonl"
    text = SAMPLE.read_text()
    transcript.write_text(text)
    handoff(capsys, str(transcript))
    at = text.rindex("not committed yet")
    transcript.write_text(text[:at] + "now committed too" + text[at + 17 :])
    assert "now committed too" in handoff(capsys, str(transcript))


def test_another_budget_is_another_brief(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(handoff(capsys, str(SAMPLE), "--budget", "500")) < len(handoff(capsys, str(SAMPLE)))


def test_json_holds_claims_with_places_and_hashes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    value = json.loads(handoff(capsys, str(SAMPLE), "--json"))
    quotes = [quote for claims in value["sections"].values() for claim in claims for quote in claim["quotes"]]
    assert all(quote["pointer"]["uuid"] and quote["pointer"]["hash"] for quote in quotes)
    assert value["sources"][0]["path"] == str(SAMPLE)
    assert value["brief"].startswith("# Brief")


@pytest.mark.feature("F001-01", via="cli")
def test_without_a_reference_it_is_the_session_that_runs_the_command(
    here: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put_sample(home)
    assert "No, don't add a pause." in handoff(capsys, "--session", SESSION)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
    assert "No, don't add a pause." in handoff(capsys)


def hear(folder: Path, session: str, event: str) -> None:
    """An event of a session, as its client tells it."""
    source, given = os.pipe()
    os.write(given, json.dumps({"session_id": session, "cwd": str(folder), "prompt": "x"}).encode())
    os.close(given)
    answer(UserPaths(find_state_dir(), ""), ["claude-code", event], source, os.open(os.devnull, os.O_WRONLY))


def test_where_no_variable_names_it_the_only_session_at_work_is_meant_and_of_two_neither(
    here: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["context", "init"]) == 0
    capsys.readouterr()
    put_sample(home)
    hear(here, SESSION, "prompt")
    assert "No, don't add a pause." in handoff(capsys)
    assert "No, don't add a pause." in handoff(capsys, "current")
    hear(here, "0a1b2c3d-1111-4222-8333-444455556666", "prompt")
    assert run(["handoff"]) == 2
    said = capsys.readouterr().err
    assert "2 sessions are at work here" in said
    assert SESSION in said
    hear(here, SESSION, "turn_end")
    hear(here, "0a1b2c3d-1111-4222-8333-444455556666", "turn_end")
    assert run(["handoff"]) == 2
    assert SESSION in capsys.readouterr().err


@pytest.mark.parametrize("more", [{}, {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}])
def test_a_file_gets_utf8_whatever_the_locale_so_that_it_can_be_verified(
    here: Path, tmp_path: Path, more: dict[str, str]
) -> None:
    words = "Bitte keine Pause einf\u00fcgen, das verdeckt nur die Ursache \u2192 \u6839\u672c\u539f\u56e0."
    talk = Transcript(tmp_path / "0a1b2c3d-1111-4222-8333-444455556666.jsonl", "0a1b2c3d-1111-4222-8333-444455556666")
    talk.user("Orders are written twice.")
    talk.agent("I will add a pause between the batches.")
    talk.user(words)
    with (here / "brief.md").open("wb") as file:
        subprocess.run(
            [sys.executable, "-m", "thruline", "handoff", str(talk.path)],
            stdout=file,
            check=True,
            env=os.environ | more,
        )
    assert words in (here / "brief.md").read_text("utf-8")
    assert run(["verify", "brief.md"]) == 0


def test_nothing_says_which_session_runs_the_command(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["handoff"]) == 1
    assert "Cannot tell which session" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["fix", "the", "export"], ["tomorrow"]])
def test_anything_else_is_a_purpose_and_no_packet_is_written_of_a_session_that_nobody_knows(
    here: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert run(["handoff", *words]) == 1
    assert "Cannot tell which session" in capsys.readouterr().err
    assert find_stamped_ids(find_project(str(here)).packets) == []


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("lastest", "thruline handoff latest"),
        ("Latest", "thruline handoff latest"),
        ("last", "thruline handoff latest"),
        ("curent", "thruline handoff current"),
        ("5e0c", "sessions list"),
        ("5e0c@1", "sessions list"),
        ("12", "sessions list"),
        ("", "thruline handoff latest"),
        ("  ", "thruline handoff latest"),
    ],
)
def test_one_word_that_nearly_is_a_session_is_no_purpose(
    here: Path, capsys: pytest.CaptureFixture[str], word: str, told: str
) -> None:
    assert run(["handoff", word]) == 2
    assert told in capsys.readouterr().err
    assert find_stamped_ids(find_project(str(here)).packets) == []


@pytest.mark.parametrize("word", ["later", "add", "refactor", "currency"])
def test_other_words_are_a_purpose(here: Path, capsys: pytest.CaptureFixture[str], word: str) -> None:
    assert run(["handoff", word]) == 1
    assert "Cannot tell which session" in capsys.readouterr().err


@pytest.mark.feature("F003-09", via="cli")
def test_a_session_and_a_purpose_make_a_draft_with_both_lists_that_verify_proves(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["context", "init"]) == 0
    capsys.readouterr()
    told = json.loads(handoff(capsys, str(SAMPLE), "--purpose", "finish the export", "--json"))
    packet = find_packet(find_project(str(here)), "finish-the-export")
    assert packet.id == told["id"]
    assert (packet.status, packet.purpose, packet.confirmed) == ("draft", "finish the export", ())
    assert packet.suggested == ("exporter.py", "test_exporter.py")
    assert packet.validators == ("python3 -m unittest -q",)
    assert packet.problems == ()
    rejected = packet.document.read_section("Decisions", 2)
    assert rejected is not None
    assert "No, don't add a pause." in rejected
    draft = packet.document.read_section("Next Prompt (Draft)", 2)
    assert draft is not None
    assert "No, don't add a pause." in draft
    assert len(draft.split()) <= 400
    assert run(["verify", packet.document.path]) == 0


@pytest.mark.parametrize("word", ["deadbeef", "abcdefab-cdef"])
def test_an_id_without_a_digit_is_a_session_and_no_purpose(
    here: Path, capsys: pytest.CaptureFixture[str], word: str
) -> None:
    assert run(["handoff", word]) == 1
    assert "purpose" not in capsys.readouterr().err


def test_the_subcommands_are_still_there(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["handoff", "--help"]) == 0
    told = capsys.readouterr().out
    assert all(name in told for name in ("prepare", "reduce", "finalize"))


@pytest.mark.feature("F001-24", via="cli")
def test_git_is_asked_where_the_session_worked(here: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    git = ["git", "-c", "user.name=J", "-c", "user.email=j@example.org", "-C", str(here)]
    for arguments in (["init", "-q", "-b", "main"], ["commit", "-q", "--allow-empty", "-m", "Close the cursor once"]):
        subprocess.run([*git, *arguments], check=True)
    (here / "new.py").write_text("x")
    moved = tmp_path / "moved.jsonl"
    lines = [
        line for line in SAMPLE.read_text().splitlines(keepends=True) if "bc4d18f" not in line and "1f225e0" not in line
    ]
    moved.write_text("".join(lines).replace("/home/dev/orders-export", str(here)))
    text = handoff(capsys, str(moved))
    says = text[text.index("### git says") : text.index("### the session did")]
    assert "On `main`, 1 path not committed." in says
    assert "`new.py`" in says
    assert "> git, commit:" in says
    assert "`Close the cursor once`" in says


def test_a_repository_without_the_sessions_commits_is_not_taken_for_its_own(
    here: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    subprocess.run(["git", "-C", str(here), "init", "-q"], check=True)
    moved = tmp_path / "moved.jsonl"
    moved.write_text(SAMPLE.read_text().replace("/home/dev/orders-export", str(here)))
    assert "has none of the session's commits" in handoff(capsys, str(moved))


def test_a_git_that_hangs_is_left_after_the_time_that_the_config_gives_it(
    here: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", str(slow.parent) + os.pathsep + os.environ["PATH"])
    monkeypatch.setenv("THRULINE_GIT_TIMEOUT_SECONDS", "0.3")
    moved = tmp_path / "moved.jsonl"
    moved.write_text(SAMPLE.read_text().replace("/home/dev/orders-export", str(here)))
    assert "git took longer than 0.3 s" in handoff(capsys, str(moved))
    sections = tmp_path / "sections"
    sections.mkdir()
    (sections / "basics.json").write_text('{"section": "basics", "content": "- x (`transcript:L3`)", "pointers": []}')
    assert run(["handoff", "finalize", "--session", str(moved), "--sections", str(sections)]) == 0
    assert "git took longer than 0.3 s" in capsys.readouterr().out
