"""What a command writes goes over no transcript and over nothing that the command reads, whatever it is called."""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.harnesses.claude_code.conftest import Transcript
from thruline.cli.door import run
from tools.docs.commands import find_commands

SESSION = "5e551011-0000-4000-8000-000000000001"


@pytest.fixture
def talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A session with a subagent's file beside it, another session, and a plan with a chunk and a summary."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    own = Transcript(tmp_path / "t" / f"{SESSION}.jsonl")
    for number in range(12):
        own.user(f"No, not way {number}. " + f"Use the other one, number {number}. " * 40)
        own.agent("Understood. " * 60)
    side = Transcript(own.path.with_suffix("") / "subagents" / "agent-a1.jsonl")
    side.user("Look.", isSidechain=True, agentId="a1")
    other = Transcript(tmp_path / "t" / "7e551011-0000-4000-8000-000000000002.jsonl", "7e551011")
    other.user("Something else.")
    options = ("--out", "h", "--direct", "10", "--budget", "2000")
    assert run(["handoff", "prepare", str(own.path), *options]) == 0
    assert run(["config", "set", "ark.enabled", "true"]) == 0
    assert run(["archive", str(own.path)]) == 0
    (work / "summaries").mkdir()
    summary = {"chunk_index": 0, "summary": "The user said no.", "key_pointers": []}
    (work / "summaries" / "0.json").write_text(json.dumps(summary))
    return own.path


def put(folder: Path, *names: str) -> Callable[[Path], str]:
    """A folder to write into in which files of these names are the one that must stay."""

    def make(kept: Path) -> str:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name in names:
            os.link(kept, folder / name)
        return str(folder)

    return make


def plain(kept: Path) -> str:
    return str(kept)


# Every command that has --out: the line, whether it reads a plan, and how a file comes to be where it writes.
TABLE: dict[str, list[tuple[list[str], bool, Callable[[Path], str]]]] = {
    "thruline handoff": [(["handoff", "{session}"], False, plain)],
    "thruline handoff brief": [
        (["handoff", "brief", "{session}"], False, plain),
        (["handoff", "brief", "{session}", "--engine", "command:claude-code"], False, plain),
    ],
    "thruline handoff reduce": [
        (["handoff", "reduce", "--plan", "h/plan.json", "--summaries", "summaries"], True, plain)
    ],
    "thruline handoff prepare": [
        (["handoff", "prepare", "{session}", "--force"], False, put(Path("into"), "plan.json")),
        (["handoff", "prepare", "{session}", "--force"], False, put(Path("into"), "spine.txt")),
        (["handoff", "prepare", "{session}", "--force", "--direct", "10"], False, put(Path("into"), "chunk-000.txt")),
        (["handoff", "prepare", "{session}"], False, put(Path("into"), "spine.txt")),
    ],
    "thruline archive": [(["archive", "{session}"], False, put(Path("into"), "anything.jsonl"))],
}
# It only names a folder in the prompt that it prints.
WRITES_NOTHING = {"thruline handoff prompt"}
CASES = [case for cases in TABLE.values() for case in cases]


def test_every_command_that_has_out_is_in_the_table() -> None:
    found, problems = find_commands()
    assert not problems
    having = {name for name, made in found if any("--out" in option.opts for option in made.params)}
    assert having - WRITES_NOTHING <= set(TABLE)


def find_kept(talk: Path, which: str) -> Path:
    folder = talk.parent
    return {
        "own": talk,
        "subagent": talk.with_suffix("") / "subagents" / "agent-a1.jsonl",
        "other": folder / "7e551011-0000-4000-8000-000000000002.jsonl",
        "plan": Path("h/plan.json"),
        "chunk": Path("h/chunk-001.txt"),
        "spine": Path("h/spine.txt"),
        "summary": Path("summaries/0.json"),
    }[which]


def find_spellings(kept: Path) -> Iterator[Path]:
    yield kept
    yield Path(os.path.relpath(kept)).parent / ".." / Path(os.path.abspath(kept)).parent.name / kept.name
    Path("link").symlink_to(os.path.abspath(kept))
    yield Path("link")
    os.link(kept, "second-name")
    yield Path("second-name")


@pytest.mark.parametrize("which", ["own", "subagent", "other", "plan", "chunk", "spine", "summary"])
@pytest.mark.parametrize(("line", "reads_plan", "make"), CASES)
def test_what_is_read_stays_as_it_is_whatever_it_is_called(
    talk: Path,
    line: list[str],
    reads_plan: bool,
    make: Callable[[Path], str],
    which: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if which in ("plan", "chunk", "spine", "summary") and not reads_plan:
        return
    kept = find_kept(talk, which)
    before = kept.read_bytes()
    for spelled in find_spellings(kept):
        out = make(spelled)
        capsys.readouterr()
        assert run([*(word.format(session=talk) for word in line), "--out", out]) == 1
        assert kept.read_bytes() == before
        told = capsys.readouterr().err
        assert "where " in told
        assert "--out" in told


def test_what_a_handoff_wrote_before_is_written_again(talk: Path) -> None:
    for _ in range(2):
        assert run(["handoff", str(talk), "--out", "brief.md"]) == 0
        assert run(["handoff", "prepare", str(talk), "--out", "again"]) == 0
        assert run(["handoff", "reduce", "--plan", "h/plan.json", "--summaries", "summaries", "--out", "r.txt"]) == 0
        assert run(["handoff", "reduce", "--plan", "h/plan.json", "--summaries", "summaries"]) == 0


def test_a_link_to_a_transcript_under_the_usual_name_is_not_written_through(talk: Path) -> None:
    before = talk.read_bytes()
    Path("h/reduced.txt").symlink_to(talk)
    assert run(["handoff", "reduce", "--plan", "h/plan.json", "--summaries", "summaries"]) == 1
    assert talk.read_bytes() == before


def test_a_transcript_is_not_repaired_as_if_it_were_a_brief(talk: Path) -> None:
    with talk.open("a") as file:
        file.write('{"type":"user","message":{"role":"user","content":"see `transcript:L900`"}}\n')
    before = talk.read_bytes()
    assert run(["verify", str(talk), "--fix", "--session", str(talk)]) == 1
    assert talk.read_bytes() == before
