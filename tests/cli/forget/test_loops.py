"""`thruline forget` and loops: those that were started in the session go, with what points to them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.forget.traces import OTHER, find_words, mark
from tests.cli.kept import ask
from tests.sample import SESSION


def start(session: str) -> str:
    # A process of its own: what it changed waits in a journal as long as it lives.
    line = [sys.executable, "-m", "thruline.cli.entry", "loop", "start", "Port it.", "--session", session, "--json"]
    done = subprocess.run(line, capture_output=True, check=True)
    return str(json.loads(done.stdout)["id"])


def test_a_loop_goes_with_its_session_and_no_other_does(transcript: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = transcript.read_text().replace(SESSION, OTHER)
    transcript.with_name(f"{OTHER}.jsonl").write_text(text)
    mine, theirs = start(SESSION), start(OTHER)
    told = json.loads(ask(capsys, "forget", SESSION, "--yes", "--json"))
    assert [each["kind"] for each in told["forgotten"]] == ["loop", "loop"]
    assert find_words(SESSION.encode()) == []
    assert find_words(mine.encode()) == []
    assert [row["id"] for row in json.loads(ask(capsys, "loop", "list", "--json"))] == [theirs]
    assert find_words(f'"{OTHER}":"{theirs}"'.encode()) or find_words(f'"{OTHER}": "{theirs}"'.encode())


@pytest.mark.parametrize("tracked", [False, True])
def test_a_loop_of_a_project_goes_unless_git_tracks_it(
    transcript: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tracked: bool,
) -> None:
    project = mark(tmp_path / "own")
    transcript.write_text(transcript.read_text().replace("/home/dev/orders-export", str(project)))
    monkeypatch.chdir(project)
    subprocess.run(["git", "init", "-q"], check=True)
    file = project / ".agent" / "context" / "loops" / f"{start(SESSION)}.md"
    if tracked:
        subprocess.run(["git", "add", "-f", file], check=True)
    monkeypatch.chdir("/")
    told = json.loads(ask(capsys, "forget", SESSION, "--yes", "--json"))
    assert file.exists() is tracked
    assert told["staying"] == ([f"{file} (tracked by git)"] if tracked else [])
    assert SESSION not in (project / ".agent" / "context" / "indexes" / "active-loop.json").read_text()
