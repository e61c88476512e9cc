"""`thruline forget` and packets: what is in no repository goes, what git tracks is named and stays."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.forget.traces import OTHER, find_words, mark
from tests.cli.kept import ask
from tests.sample import SESSION


def hand_off(capsys: pytest.CaptureFixture[str], session: str = SESSION) -> Path:
    """The file of a packet of the session."""
    return Path(json.loads(ask(capsys, "handoff", "finish", "the", "export", "--session", session, "--json"))["path"])


@pytest.mark.parametrize("dropped", [False, True])
def test_a_packet_in_our_state_is_listed_and_goes(
    transcript: Path, capsys: pytest.CaptureFixture[str], dropped: bool
) -> None:
    packet = hand_off(capsys)
    if dropped:
        ask(capsys, "packet", "drop", packet.stem)
    assert find_words(SESSION.encode())
    told = json.loads(ask(capsys, "forget", SESSION, "--yes", "--json"))
    assert "packet" in [each["kind"] for each in told["forgotten"]]
    assert find_words(SESSION.encode()) == []


@pytest.mark.parametrize("git", ["none", "untracked", "tracked"])
def test_a_packet_in_a_project_goes_unless_git_tracks_it(
    transcript: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    git: str,
) -> None:
    project = mark(tmp_path / "own")
    transcript.write_text(transcript.read_text().replace("/home/dev/orders-export", str(project)))
    monkeypatch.chdir(project)
    if git != "none":
        subprocess.run(["git", "init", "-q"], check=True)
    packet = hand_off(capsys)
    if git == "tracked":
        subprocess.run(["git", "add", "-f", packet], check=True)
    monkeypatch.chdir("/")
    told = json.loads(ask(capsys, "forget", SESSION, "--yes", "--json"))
    stays = git == "tracked"
    assert packet.exists() is stays
    assert told["staying"] == ([f"{packet} (tracked by git)"] if stays else [])
    assert (str(packet) in [each["what"] for each in told["forgotten"]]) is not stays


def test_a_packet_in_a_project_that_the_session_never_saw_goes_wherever_forget_runs(
    transcript: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(mark(tmp_path / "another"))
    packet = hand_off(capsys)
    monkeypatch.chdir("/")
    told = json.loads(ask(capsys, "forget", SESSION, "--yes", "--json"))
    assert not packet.exists()
    assert str(packet) in [each["what"] for each in told["forgotten"]]


def test_a_packet_of_other_sessions_as_well_is_named_and_stays(
    transcript: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = transcript.read_text().replace(SESSION, OTHER)
    transcript.with_name(f"{OTHER}.jsonl").write_text(text)
    packets = [hand_off(capsys), hand_off(capsys, OTHER)]
    merged = Path(json.loads(ask(capsys, "packet", "merge", *(each.stem for each in packets), "--json"))["path"])
    said = ask(capsys, "forget", SESSION, "--yes")
    assert f"Packets and loops that hold words of it, and stay:\n  {merged} (of other sessions as well)" in said
    assert [each.exists() for each in (*packets, merged)] == [False, True, True]
    ask(capsys, "forget", OTHER, "--yes")


@pytest.mark.parametrize("gone", [False, True])
def test_what_a_relay_left_goes_too_with_its_packet_or_without(
    transcript: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, gone: bool
) -> None:
    project = mark(tmp_path / "own")
    transcript.write_text(transcript.read_text().replace("/home/dev/orders-export", str(project)))
    monkeypatch.chdir(project)
    made = json.loads(ask(capsys, "relay", SESSION, "--to", "codex", "--json"))
    brief = Path(made["brief"])
    assert brief.exists()
    if gone:
        Path(made["path"]).unlink()
    ask(capsys, "forget", SESSION, "--yes")
    assert not Path(made["path"]).exists()
    assert list(brief.parent.iterdir()) == []
