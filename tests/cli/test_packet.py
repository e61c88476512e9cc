"""`thruline packet`, `handoff <purpose>` and `pickup` from the command line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packets.projects import make_project
from tests.sample import SAMPLE, SESSION, put_sample
from thruline.cli import quick
from thruline.cli.door import run

CORRECTION = "No, don't add a pause."


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a marker as the working folder."""
    root = make_project(tmp_path / "orders").root
    monkeypatch.chdir(root)
    return root


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    capsys.readouterr()
    assert run(list(arguments)) == code
    captured = capsys.readouterr()
    return captured.out if code == 0 else captured.err


def hand_off(capsys: pytest.CaptureFixture[str], purpose: str = "finish the export") -> str:
    return str(json.loads(call(capsys, "handoff", str(SAMPLE), "--purpose", purpose, "--json"))["id"])


@pytest.mark.feature("F003-09", via="cli")
def test_words_that_name_no_session_are_a_purpose_and_write_a_packet_of_the_current_one(
    here: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put_sample(home)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
    said = call(capsys, "handoff", "finish", "the", "export")
    (made,) = (here / ".agent" / "context" / "packets").iterdir()
    assert f"Wrote the packet {made.stem}, a draft." in said
    assert f"thruline pickup {made.stem}" in said
    assert CORRECTION in made.read_text()


def test_with_two_sessions_in_the_environment_both_are_named_and_one_must_be_said(
    here: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put_sample(home)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", SESSION)
    monkeypatch.setenv("CODEX_SESSION_ID", "0a1b2c3d-1111-2222-3333-444455556666")
    for words in (["handoff", "finish", "the", "export"], ["handoff"], ["relay", "current", "--to", "codex"]):
        said = call(capsys, *words, code=2)
        assert SESSION in said
        assert "codex:0a1b2c3d-1111-2222-3333-444455556666" in said
        assert "--session ID" in said
    assert "Wrote the packet" in call(capsys, "handoff", "finish", "the", "export", "--session", SESSION)


@pytest.mark.feature("F003-11", via="cli")
def test_packets_are_listed_opened_and_moved_on(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = hand_off(capsys)
    assert call(capsys, "packet", "list").split()[:2] == [made, "draft"]
    path = call(capsys, "packet", "open", made).strip()
    assert path == str(here / ".agent" / "context" / "packets" / f"{made}.md")
    assert call(capsys, "packet", "activate", "finish-the-export") == f"{made}: was draft, is active\n"
    assert call(capsys, "packet", "list", "--status", "draft").startswith("No packets here.")
    rows = json.loads(call(capsys, "packet", "list", "--json", "--status", "active"))
    assert [(row["id"], row["status"], row["purpose"]) for row in rows] == [(made, "active", "finish the export")]
    assert call(capsys, "packet", "show", made) == Path(path).read_text()
    call(capsys, "packet", "done", made)
    said = call(capsys, "packet", "block", made, code=1)
    assert said.splitlines()[0] == 'A packet that is "done" cannot become "blocked".'
    assert [line.split()[0] for line in said.splitlines()[1:]] == ["where", "try"]
    call(capsys, "packet", "drop", made)
    assert call(capsys, "packet", "list").startswith("No packets here.")


@pytest.mark.feature("F003-10", via="cli")
def test_a_pickup_prints_the_prompt_and_changes_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = hand_off(capsys)
    file = here / ".agent" / "context" / "packets" / f"{made}.md"
    before = file.read_bytes()
    for arguments in (["pickup"], ["pickup", made], ["pickup", "export", "--json"]):
        assert CORRECTION in call(capsys, *arguments)
    assert file.read_bytes() == before


def test_without_a_packet_a_pickup_says_how_to_make_one(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 'thruline handoff "what the next session is for"' in call(capsys, "pickup", code=1)


def test_an_edit_comes_from_a_pipe_or_an_option(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = hand_off(capsys)
    call(capsys, "packet", "edit", made, "--section", "plan", "--text", "- one")
    code = "import sys; from thruline.cli.door import run; sys.exit(run(sys.argv[1:]))"
    line = [sys.executable, "-c", code, "packet", "edit", made, "--section", "Next Prompt"]
    subprocess.run(line, input=b"Goal: two\n", check=True, cwd=here, capture_output=True)
    sections = json.loads(call(capsys, "packet", "show", made, "--json"))["sections"]
    assert (sections["Plan"], sections["Next Prompt (Draft)"]) == ("- one", "Goal: two")


@pytest.mark.parametrize("ref", ["../../etc/passwd", "a/b", "caf\u00e9"])
@pytest.mark.parametrize("verb", ["show", "open", "activate", "done", "block", "drop"])
def test_no_verb_takes_a_path(here: Path, capsys: pytest.CaptureFixture[str], verb: str, ref: str) -> None:
    assert "is no packet id" in call(capsys, "packet", verb, ref, code=1)


def test_the_list_on_the_quick_lane_is_the_list_of_click(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hand_off(capsys)
    (here / ".agent" / "context" / "packets" / "20261116-000000-torn.md").write_text("---\nid: x\n")
    for more in ([], ["--json"], ["--status", "done"], ["--status=lost"]):
        capsys.readouterr()
        code = quick.run_quick(["packet", "list", *more])
        fast = capsys.readouterr()
        assert run(["packet", "list", *more]) == code
        assert capsys.readouterr() == fast


def test_a_pipe_that_is_named_like_a_packet_is_told_and_not_waited_for(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = hand_off(capsys)
    os.mkfifo(here / ".agent" / "context" / "packets" / "20261116-010101-a-pipe.md")
    assert made in call(capsys, "packet", "list")


def test_a_prompt_names_paths_with_blanks_as_they_can_be_opened(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "p one"
    root.mkdir()
    monkeypatch.chdir(root)
    call(capsys, "context", "init")
    (root / "my file.py").write_text("x = 1\n")
    (root / "session.jsonl").write_text(
        SAMPLE.read_text().replace("/home/dev/orders-export", str(root)).replace("exporter.py", "my file.py")
    )
    made = json.loads(call(capsys, "handoff", str(root / "session.jsonl"), "--purpose", "go on", "--json"))
    prompt = call(capsys, "pickup", made["id"])
    assert f"which is in `{root}/.agent/context/packets/{made['id']}.md`" in prompt
    assert "Open first: `my file.py`" in prompt
    (root / "my file.py").write_text("x = 2\n")
    assert "- changed: `my file.py`" in call(capsys, "pickup", made["id"])
