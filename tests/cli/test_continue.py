"""`thruline continue` and `thruline signal`: who is blocked comes first, what is broken is told."""

import json
import os
from pathlib import Path

import pytest

from tests.packets.projects import make_project
from thruline.artifacts.handoff import HandoffHead, render_handoff
from thruline.cli.door import run
from thruline.layout import find_project

WRITE = ["signal", "write", "T-12", "--from", "builder", "--to", "reviewer"]
BRIEF = "# Brief: orders\n\n## Convergence\n- One owner closes the cursor. (`transcript:L40`)\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = make_project(tmp_path / "orders").root
    monkeypatch.chdir(root)
    return root


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> tuple[str, str]:
    capsys.readouterr()
    assert run(list(arguments)) == code
    captured = capsys.readouterr()
    return captured.out, captured.err


def put_handoff(here: Path, stamp: str, seen: bool = False) -> None:
    folder = Path(find_project(str(here)).handoffs, "seen" if seen else "")
    folder.mkdir(parents=True, exist_ok=True)
    head = HandoffHead("0b7e5c1a-6a34", "some-client", "2026-11-16T09:10:00Z", "main", "x")
    (folder / f"handoff-{stamp}.md").write_bytes(render_handoff(head, BRIEF))


def rename(path: str, stamp: str) -> Path:
    """The handoff as if it had been written at another time."""
    return Path(path).rename(Path(path).parent / f"agent-T-12-{stamp}.md")


@pytest.mark.feature("F002-08", via="cli")
def test_a_signal_is_written_and_found_in_order(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = call(capsys, *WRITE, "--status", "complete", "--file", "a.py", "--finding", "It works.", "--context", "T")
    path = Path(out.strip())
    assert path.parent == here / ".agent" / "context" / "handoffs"
    assert path.stat().st_mode & 0o777 == 0o600
    assert "## Findings\n- It works.\n" in path.read_text()
    out, _ = call(capsys, "signal", "check")
    assert out == f"{path.name}  complete\n"
    again, _ = call(capsys, *WRITE, "--status", "complete")
    assert again != str(path)


@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        (["--status", "done"], "one of complete, partial, blocked", 2),
        (["--status", "blocked"], "What blocks it?", 2),
    ],
)
def test_a_signal_that_says_nothing_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str, code: int
) -> None:
    assert said in call(capsys, *WRITE, *arguments, code=code)[1]
    assert not (here / ".agent" / "context" / "handoffs").exists()


def test_a_task_that_looks_like_a_path_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["signal", "write", "../T", "--from", "a", "--to", "b", "--status", "complete"]
    assert "cannot be the id of a task" in call(capsys, *line, code=1)[1]


@pytest.mark.feature("F002-12", via="cli")
def test_a_blocked_agent_that_is_newer_than_the_last_session_comes_first(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put_handoff(here, "20261116-091000")
    out, _ = call(capsys, *WRITE, "--status", "blocked", "--blocking", "which port?")
    newer = rename(out.strip(), "20261116-092000")
    out, err = call(capsys, "continue")
    assert err == ""
    assert out.startswith("BLOCKED: the agent `builder` cannot go on with `T-12`.\n- asks: which port?\n")
    assert out.index("BLOCKED") < out.index("One owner closes the cursor.")
    newer = rename(str(newer), "20261116-090000")
    assert "BLOCKED" not in call(capsys, "continue")[0]
    # The newest session counts, told or not.
    rename(str(newer), "20261116-092000")
    put_handoff(here, "20261116-093000", seen=True)
    out, _ = call(capsys, "continue")
    assert "BLOCKED" not in out
    assert "seen/handoff-20261116-093000.md" in out


def test_a_task_that_was_blocked_and_came_through_is_no_longer_blocked(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, _ = call(capsys, *WRITE, "--status", "blocked", "--blocking", "which port?")
    rename(out.strip(), "20261116-092000")
    out, _ = call(capsys, *WRITE, "--status", "complete")
    rename(out.strip(), "20261116-093000")
    out, _ = call(capsys, "continue")
    assert "BLOCKED" not in out
    assert "(complete)" in out


def test_a_broken_handoff_is_told_and_hides_neither_an_older_one_nor_a_blocked_agent(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put_handoff(here, "20261116-091000")
    out, _ = call(capsys, *WRITE, "--status", "blocked", "--blocking", "which port?")
    rename(out.strip(), "20261116-092000")
    (Path(find_project(str(here)).handoffs) / "handoff-20261116-235959.md").write_text("no handoff\n")
    out, err = call(capsys, "continue")
    assert out.startswith("BLOCKED: ")
    assert "One owner closes the cursor." in out
    assert "handoff-20261116-235959.md: it is no handoff of ours" in err


def test_agents_that_are_not_blocked_are_named_and_nothing_is_asked(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call(capsys, *WRITE, "--status", "partial", "--question", "which port?")
    out, _ = call(capsys, "continue")
    assert "BLOCKED" not in out
    assert "(partial)" in out


@pytest.mark.feature("F002-41", via="cli")
def test_a_malformed_signal_is_a_warning_with_its_line_and_no_crash(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put_handoff(here, "20261116-091000")
    folder = here / ".agent" / "context" / "handoffs"
    out, _ = call(capsys, *WRITE, "--status", "blocked", "--blocking", "which port?")
    path = rename(out.strip(), "20261116-092000")
    path.write_text(path.read_text().replace('"blocked"', '"stuck"'))
    (folder / "agent-T-13-20261116-092000.md").write_bytes(b"\xff\xfe\n```json\n{{{\n```")
    out, err = call(capsys, "continue")
    assert "One owner closes the cursor." in out
    assert "BLOCKED" not in out
    lines = err.splitlines()
    number = path.read_text().splitlines().index('  "status": "stuck",') + 1
    assert f"warning: .agent/context/handoffs/{path.name}:{number}: " in "\n".join(lines)
    assert any("agent-T-13" in line and "no JSON" in line for line in lines)
    assert call(capsys, "signal", "check", code=1)[0].count("line ") >= 2
    value = json.loads(call(capsys, "continue", "--json")[0])
    assert value["blocked"] == []
    assert len(value["warnings"]) == len(lines)


def put_odd(path: Path, kind: str, outside: Path) -> None:
    """Something that is no plain file of a sensible size, where a handoff or a packet could be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        outside.write_text('SECRET\n```json\n{"status": "SECRET"}\n```\n')
        path.symlink_to(outside)
    elif kind == "endless":
        path.symlink_to("/dev/zero")
    else:
        with path.open("wb") as file:
            file.truncate(1 << 40)


ODD = {
    "pipe": "not a regular file",
    "link": "is a link",
    "endless": "is a link",
    "huge": "larger than such a file can be",
}


@pytest.mark.parametrize("kind", ODD)
def test_what_is_no_plain_file_is_told_and_neither_waited_for_nor_followed(
    here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    put_handoff(here, "20261116-091000")
    folder = here / ".agent" / "context" / "handoffs"
    put_odd(folder / "agent-T-13-20261116-092000.md", kind, tmp_path / "outside")
    out, err = call(capsys, "continue")
    assert "One owner closes the cursor." in out
    assert ODD[kind] in err
    checked, _ = call(capsys, "signal", "check", code=1)
    assert ODD[kind] in checked
    put_odd(folder / "handoff-20261116-093000.md", kind, tmp_path / "outside")
    last, err = call(capsys, "continue")
    assert "handoff-20261116-093000.md: " in err
    assert ODD[kind] in err
    assert "SECRET" not in out + checked + last + err


@pytest.mark.parametrize("kind", ODD)
def test_an_odd_file_among_the_packets_is_told_and_cannot_be_picked_up(
    here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    put_odd(here / ".agent" / "context" / "packets" / "20261116-010101-odd.md", kind, tmp_path / "outside")
    assert "20261116-010101-odd: " in call(capsys, "packet", "list")[1]
    for line in (
        ["pickup", "odd"],
        ["packet", "show", "odd"],
        ["packet", "activate", "odd"],
        ["packet", "drop", "odd"],
    ):
        out, err = call(capsys, *line, code=1)
        assert ODD[kind] in err
        assert "SECRET" not in out + err
    assert os.path.lexists(here / ".agent" / "context" / "packets" / "20261116-010101-odd.md")


def test_a_file_that_the_user_names_is_checked_wherever_it_lies(
    here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(call(capsys, *WRITE, "--status", "complete")[0].strip())
    (tmp_path / "agent-T-12-20261116-092000.md").symlink_to(path)
    out, _ = call(capsys, "signal", "check", str(tmp_path / "agent-T-12-20261116-092000.md"))
    assert out.endswith("  complete\n")


def test_where_nothing_waits_it_says_so(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "continue")[0].startswith("Nothing waits here")
    assert "No agent handoffs here." in call(capsys, "signal", "check")[0]
    assert "No agent handoff of" in call(capsys, "signal", "check", "T-9", code=1)[1]


def test_a_forge_project_keeps_its_handoffs_where_they_were(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / ".forge").mkdir()
    out, _ = call(capsys, *WRITE, "--status", "complete")
    assert Path(out.strip()).parent == here / ".forge" / "handoffs"
