"""What subagents changed and committed, by transcripts of their own, is told as theirs, and proved again."""

from pathlib import Path

import pytest

from tests.harnesses.claude_code.conftest import Transcript
from tests.operations.delegating import SESSION, TREE, write_session
from thruline.engines.rules.files import find_touched_aside
from thruline.harnesses import transcripts
from thruline.harnesses.claude_code.reader import COMMAND
from thruline.harnesses.claude_code.reader.calls import TOOLS
from thruline.operations.handoff.brief import make_brief
from thruline.operations.sessions.locate import locate
from thruline.operations.sessions.side_files import SideReading, read_aside
from thruline.operations.verify import verify_file
from thruline.session.aside import Aside
from thruline.session.parts import Changed, Part, Result


def read_sides(path: Path) -> list[list[Part]]:
    return list(SideReading(locate(str(path), folder=str(path.parent))).blocks())


def make_text(path: Path, budget: int = 3_000) -> str:
    return make_brief(locate(str(path), folder=str(path.parent)), None, budget=budget, fresh=True).text


@pytest.mark.parametrize("budget", [1_000, 3_000])
def test_what_subagents_wrote_and_committed_is_told_as_theirs(tmp_path: Path, budget: int) -> None:
    text = make_text(write_session(tmp_path), budget)
    assert "changed no file" not in text
    assert "- subagents created `docs/{quays.md, tides.md}` (`transcript:L3-L5`)" in text
    assert "- subagents committed `0a2b3c4`, `1a2b3c4` (`transcript:L3-L5`)" in text
    assert "made no commit" not in text


def test_a_subagent_whose_transcript_is_gone_leaves_room_for_what_it_did(tmp_path: Path) -> None:
    assert "_The session itself changed no file._" in make_text(write_session(tmp_path, work=False))


def test_verify_reads_the_subagents_transcripts_again(tmp_path: Path) -> None:
    path, brief = write_session(tmp_path), tmp_path / "brief.md"
    text = make_text(path)
    brief.write_text(text)
    assert verify_file(str(brief), folder=str(tmp_path)).ok
    for right, wrong in (("quays.md, tides.md", "ports.md, tides.md"), ("`0a2b3c4`", "`0a2b3c5`")):
        brief.write_text(text.replace(right, wrong))
        report = verify_file(str(brief), folder=str(tmp_path)).report
        assert [trouble.kind for trouble in report.troubles] == ["untrue"], wrong


@pytest.mark.parametrize("lost", [("tides",), ("quays",), ("tides", "quays")])
def test_what_a_lost_transcript_proved_is_unchecked_not_untrue(tmp_path: Path, lost: tuple[str, ...]) -> None:
    path, brief = write_session(tmp_path), tmp_path / "brief.md"
    brief.write_text(make_text(path))
    for name in lost:
        (tmp_path / SESSION / "subagents" / f"agent-{name}.jsonl").unlink()
    assert not [one for one in verify_file(str(brief), folder=str(tmp_path)).report.troubles if one.kind == "untrue"]


def test_what_a_damaged_transcript_proved_is_unchecked_not_untrue(tmp_path: Path) -> None:
    path, brief = write_session(tmp_path), tmp_path / "brief.md"
    brief.write_text(make_text(path))
    damaged = tmp_path / SESSION / "subagents" / "agent-tides.jsonl"
    damaged.write_text(damaged.read_text().replace('"Write"', '"Write" oops'))
    assert not [one for one in verify_file(str(brief), folder=str(tmp_path)).report.troubles if one.kind == "untrue"]
    aside, problems = read_aside(locate(str(path), folder=str(tmp_path)))
    assert not aside.whole
    assert {one.path for one in problems} == {str(damaged)}


def test_a_transcript_that_cannot_be_opened_is_a_problem(tmp_path: Path) -> None:
    located = locate(str(write_session(tmp_path)), folder=str(tmp_path))
    lost = tmp_path / SESSION / "subagents" / "agent-tides.jsonl"
    lost.unlink()
    aside, problems = read_aside(located)
    assert [(one.path, one.kind) for one in problems] == [(str(lost), "subagent")]
    assert not aside.whole
    assert [file.path.rpartition("/")[2] for file in aside.ledger.files.values()] == ["quays.md"]


def test_one_subagent_lost_beside_one_that_changed_nothing_leaves_room_for_what_it_did(tmp_path: Path) -> None:
    path = write_session(tmp_path, work=False)
    look_only(tmp_path, "quays")
    assert "_The session itself changed no file._" in make_text(path)
    look_only(tmp_path, "tides")
    assert "_The session changed no file._" in make_text(path)


def look_only(folder: Path, name: str) -> None:
    aside = Transcript(folder / SESSION / "subagents" / f"agent-{name}.jsonl")
    at = aside.user("Look what is new", parent=None, isSidechain=True, cwd=TREE)
    call = {"type": "tool_use", "id": "g1", "name": "Bash", "input": {"command": "git fetch origin && git log -1"}}
    aside.result("g1", "Already up to date.", parent=aside.agent(call, parent=at, isSidechain=True), isSidechain=True)


def test_a_subagent_that_only_looked_is_not_read(tmp_path: Path) -> None:
    path = write_session(tmp_path, work=False)
    aside = Transcript(tmp_path / SESSION / "subagents" / "agent-tides.jsonl")
    at = aside.user("Look at the tides", parent=None, isSidechain=True)
    call = {"type": "tool_use", "id": "r1", "name": "Read", "input": {"file_path": "/home/dev/shop/tides.py"}}
    aside.result("r1", "text", parent=aside.agent(call, parent=at, isSidechain=True), isSidechain=True)
    assert read_sides(path) == []


@pytest.mark.parametrize("tool", [name for name, (action, _, _) in TOOLS.items() if action in ("edit", "write")])
def test_a_subagent_that_used_a_writing_tool_is_read(tmp_path: Path, tool: str) -> None:
    path = write_session(tmp_path, work=False)
    aside = Transcript(tmp_path / SESSION / "subagents" / "agent-tides.jsonl")
    at = aside.user("Write it down", parent=None, isSidechain=True)
    aside.agent({"type": "tool_use", "id": "w1", "name": tool, "input": {}}, parent=at, isSidechain=True)
    assert read_sides(path) != []


@pytest.mark.parametrize(
    "command",
    [
        *[f"git {verb} x" for verb in ("commit", "cherry-pick", "revert", "merge", "rebase", "am")],
        "git -c user.name=J commit -m 'Describe'",
        "make; rm x",
        "git -C /srv/ferry push",
        "cd d\nrm x",
        'echo "a \\" b" && git mv a.md b.md',
    ],
)
def test_a_subagent_whose_command_may_change_something_is_read(tmp_path: Path, command: str) -> None:
    path = write_session(tmp_path, work=False)
    aside = Transcript(tmp_path / SESSION / "subagents" / "agent-tides.jsonl")
    at = aside.user("Do it", parent=None, isSidechain=True)
    for number, each in enumerate(("git log --oneline", command)):
        call = {"type": "tool_use", "id": f"b{number}", "name": "Bash", "input": {"command": each}}
        at = aside.agent(call, parent=at, isSidechain=True)
    assert read_sides(path) != []


@pytest.mark.parametrize("command", ["git status", "ls -la", "git log --oneline # nothing", "cat <<EOF\nready\nEOF"])
def test_a_subagent_whose_commands_only_look_is_not_read(tmp_path: Path, command: str) -> None:
    path = write_session(tmp_path, work=False)
    aside = Transcript(tmp_path / SESSION / "subagents" / "agent-tides.jsonl")
    at = aside.user("Look: git commit, rm x", parent=None, isSidechain=True)
    call = {"type": "tool_use", "id": "b1", "name": "Bash", "input": {"command": command}}
    aside.agent(call, parent=at, isSidechain=True)
    assert read_sides(path) == []


def test_every_tool_that_runs_a_command_has_it_behind_the_mark() -> None:
    keys = {key for action, key, _ in TOOLS.values() if action == "run" and not key.endswith("_id")}
    assert {f'"{key}":'.encode() for key in keys} == {COMMAND}


def test_a_command_is_looked_at_across_the_blocks_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "_BLOCK", 16)
    test_a_subagent_whose_command_may_change_something_is_read(tmp_path, "make; rm x")


def test_a_file_is_named_as_in_the_innermost_worktree_that_a_subagent_began_in() -> None:
    aside = Aside()
    for number, folder in enumerate(("/w/worktrees/a", "/w/worktrees/a/worktrees/b", "C:\\w\\worktrees\\c")):
        path = f"{folder}\\docs\\c.md" if "\\" in folder else f"{folder}/docs/{number}.md"
        aside.see_all(
            [
                Changed(1, "cwd", folder, source=f"a{number}"),
                Result(2, "x", "ok", 9, source=f"a{number}", changes=((path, "created"),)),
            ]
        )
    found = find_touched_aside(aside, [], "/w")
    assert sorted(one.name for one in found) == ["docs/0.md", "docs/1.md", "docs\\c.md"]
