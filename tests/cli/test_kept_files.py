"""Where the client deleted some files of a session, or an entry of the ark is damaged, everything else goes on."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.cli.kept import AGENT, ask, find_projects, put_session, turn_on
from tests.sample import SAMPLE, SESSION
from thruline.ark.store import Ark
from thruline.layout import find_user_paths

OTHER = "11111111-31b2-4c6d-9a58-7d1f0e2b9c34"
DELEGATED = (
    {"type": "assistant", "message": {"role": "assistant", "content": [
        {"type": "tool_use", "id": "toolu_d1", "name": "Task",
         "input": {"subagent_type": "Explore", "description": "Look", "prompt": "Look into the export."}}]}},
    {"type": "user", "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "toolu_d1", "content": [{"type": "text", "text": "Looked."}]}]},
     "toolUseResult": {"status": "completed", "agentId": "a1b2c3d4", "content": [{"type": "text", "text": "Looked."}]}},
)  # fmt: skip


@pytest.fixture
def kept(home: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = put_session(home)
    turn_on(capsys)
    return path


def damage(name: str) -> Path:
    (entry,) = Path(find_user_paths().ark).rglob(f"{name}.json")
    entry.write_bytes(entry.read_bytes().replace(b'"ark":', b'"arc":', 1))
    return entry


def put_other(home: Path) -> Path:
    path = find_projects(home) / "-home-dev-orders-export" / f"{OTHER}.jsonl"
    path.write_text(SAMPLE.read_text().replace(SESSION, OTHER))
    return path


def test_a_subagent_that_the_client_deleted_is_read_from_the_ark(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = kept.parent / SESSION / "subagents"
    second = folder / "agent-b1b2c3d4.jsonl"
    second.write_text(json.dumps(AGENT | {"agentId": "b1b2c3d4"}).replace("Look into", "Write down") + "\n")
    ask(capsys, "archive", SESSION)
    places = ("a1:L1", "a2:L1", "L3")
    before = [ask(capsys, "sessions", "open", SESSION, place, "--json") for place in places]
    shown = ask(capsys, "sessions", "show", SESSION, "--json")
    for ref in (SESSION, str(kept)):
        (folder / "agent-a1b2c3d4.jsonl").unlink(missing_ok=True)
        assert [ask(capsys, "sessions", "open", ref, place, "--json") for place in places] == before
        assert ask(capsys, "sessions", "show", ref, "--json") == shown
        assert not json.loads(shown)["in_ark_only"]


def test_a_later_subagent_leaves_an_earlier_one_its_label(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = ask(capsys, "sessions", "open", SESSION, "a1:L1", "--json")
    ask(capsys, "archive", SESSION)
    folder = kept.parent / SESSION / "subagents"
    later = AGENT | {"agentId": "00000000", "timestamp": "2026-11-16T02:30:00.000Z"}
    (folder / "agent-00000000.jsonl").write_text(json.dumps(later, separators=(",", ":")) + "\n")
    for _ in ("with the client", "with the ark alone"):
        assert ask(capsys, "sessions", "open", SESSION, "a1:L1", "--json") == before
        assert "agent-00000000" in ask(capsys, "sessions", "open", SESSION, "a2:L1", "--json")
        (folder / "agent-a1b2c3d4.jsonl").unlink(missing_ok=True)


def test_a_spine_points_into_a_subagent_that_the_client_deleted(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = {"sessionId": SESSION, "cwd": "/home/dev/orders-export", "timestamp": "2026-11-16T02:20:00.000Z"}
    with kept.open("a") as file:
        for number, record in enumerate(DELEGATED):
            file.write(json.dumps(own | {"uuid": f"bbbbbbbb-0000-4000-8000-00000000000{number}"} | record) + "\n")
    before = ask(capsys, "sessions", "spine", SESSION)
    assert "Looked. (transcript:a1:L1)" in before
    ask(capsys, "archive", SESSION)
    shutil.rmtree(kept.parent / SESSION / "subagents")
    assert ask(capsys, "sessions", "spine", SESSION) == before


def test_a_session_that_only_lost_a_subagent_is_archived_and_nothing_is_lost(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(capsys, "archive", SESSION)
    agent = kept.parent / SESSION / "subagents" / "agent-a1b2c3d4.jsonl"
    agent.unlink()
    with kept.open("a") as file:
        file.write('{"type":"mode","mode":"normal"}\n')
    assert json.loads(ask(capsys, "archive", SESSION, "--json"))["archived"] == [SESSION]
    paths = [member.path for member in Ark(find_user_paths().ark).get("claude-code", SESSION).members]
    assert str(agent) in paths
    assert not [path for path in paths if "restored" in path]


def test_a_damaged_entry_is_told_in_the_list_and_the_others_are_shown(
    kept: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = put_other(home)
    ask(capsys, "archive", "--all")
    kept.unlink()
    other.unlink()
    damage(SESSION)
    for _ in range(2):
        rows = {row["session_id"]: row for row in json.loads(ask(capsys, "sessions", "list", "--all", "--json"))}
        assert rows[SESSION]["state"] == "unreadable: this entry of the ark is damaged"
        assert rows[OTHER]["turns"] > 0


def test_a_file_of_another_session_is_found_past_a_damaged_entry(
    kept: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = put_other(home)
    ask(capsys, "archive", "--all")
    agent = kept.parent / SESSION / "subagents" / "agent-a1b2c3d4.jsonl"
    agent.unlink()
    kept.unlink()
    other.unlink()
    entry = damage(OTHER)
    assert "Look into the export." in ask(capsys, "sessions", "messages", str(agent), "--json")
    # Which file the damaged one had nobody knows: it is told where no other has it.
    said = ask(capsys, "sessions", "show", os.fspath(kept.parent / "nobody.jsonl"), code=1)
    assert "damaged" in said
    assert str(entry) in said


def test_a_damaged_entry_does_not_stand_in_the_way_of_what_the_client_has(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(capsys, "archive", SESSION)
    damage(SESSION)
    (kept.parent / SESSION / "subagents" / "agent-a1b2c3d4.jsonl").unlink()
    assert SESSION in ask(capsys, "sessions", "show", SESSION, "--json")


def test_versions_of_a_rewritten_session_are_listed_and_named(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = kept.read_text()
    ask(capsys, "archive", SESSION)
    assert [each["ref"] for each in json.loads(ask(capsys, "archive", "--list", SESSION, "--json"))] == [f"{SESSION}@0"]
    kept.write_text("".join(whole.splitlines(keepends=True)[:5]))
    ask(capsys, "archive", SESSION)
    lines = ask(capsys, "archive", "--list", SESSION).splitlines()
    assert [line.split()[0] for line in lines] == [f"{SESSION}@0", f"{SESSION}@1"]
    short = json.loads(ask(capsys, "sessions", "messages", SESSION, "--json"))
    before = json.loads(ask(capsys, "sessions", "messages", f"{SESSION[:8]}@1", "--json"))
    assert len(before) > len(short)
    kept.unlink()
    assert json.loads(ask(capsys, "sessions", "messages", f"{SESSION}@1", "--json")) == before
    assert json.loads(ask(capsys, "sessions", "messages", f"{SESSION}@0", "--json")) == short


@pytest.mark.parametrize("arguments", [["--list"], ["--list", "--all"], ["--list", "--fresh", SESSION]])
def test_a_list_of_versions_is_of_one_session(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    ask(capsys, "archive", *arguments, code=2)


def test_a_session_that_the_ark_never_had_has_no_versions(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nothing of this session" in ask(capsys, "archive", "--list", SESSION, code=1)
    assert "nothing of this session" in ask(capsys, "sessions", "show", f"{SESSION}@1", code=1)


def test_the_history_of_a_fork_that_the_client_deleted_is_read_from_the_ark(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    samples = Path(__file__).parents[1] / "harnesses" / "codex"
    folder = home / ".codex" / "sessions" / "2026" / "11" / "16"
    folder.mkdir(parents=True)
    for path in [*samples.glob("samples/rollout-2026-11-*"), *samples.glob("relatives/rollout-*")]:
        shutil.copy(path, folder)
    turn_on(capsys)
    ids = [row["session_id"] for row in json.loads(ask(capsys, "sessions", "list", "--all", "--json"))]
    before = {each: ask(capsys, "sessions", "spine", each) for each in ids}
    (forked,) = [each for each in ids if "p1:L" in before[each]]
    ask(capsys, "archive", "--all")
    own = next(folder.glob(f"*{forked}.jsonl"))
    for path in folder.iterdir():
        if path != own:
            path.unlink()
    assert ask(capsys, "sessions", "spine", forked) == before[forked]
    assert ask(capsys, "sessions", "open", forked, "p1:L2", "--json")


@pytest.mark.parametrize("form", ["id", "prefix", "path", "latest"])
def test_a_brief_of_a_version_is_asked_for_by_any_reference(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    project = tmp_path / "orders-export"
    project.mkdir()
    monkeypatch.chdir(project)
    kept.write_text(kept.read_text().replace("/home/dev/orders-export", str(project)))
    ask(capsys, "archive", SESSION)
    expected = ask(capsys, "handoff", SESSION, "--fresh")
    kept.write_text("".join(kept.read_text().splitlines(keepends=True)[:5]))
    ask(capsys, "archive", SESSION)
    ref = {"id": SESSION, "prefix": SESSION[:8], "path": str(kept), "latest": "latest"}[form]
    assert ask(capsys, "handoff", f"{ref}@1", "--fresh") == expected


def test_a_file_that_the_client_emptied_is_read_as_the_ark_has_it(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(capsys, "archive", SESSION)
    before = ask(capsys, "sessions", "messages", SESSION, "--json")
    kept.write_bytes(b"")
    for ref in (f"{kept}@0", f"{SESSION}@0"):
        assert ask(capsys, "sessions", "messages", ref, "--json") == before


@pytest.mark.parametrize("left", [0, 5])
@pytest.mark.parametrize("archived_again", [False, True])
def test_a_brief_of_a_file_that_was_cut_is_proved_from_the_ark(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], left: int, archived_again: bool
) -> None:
    brief = tmp_path / "brief.md"
    brief.write_text(ask(capsys, "handoff", SESSION))
    ask(capsys, "archive", SESSION)
    kept.write_text("".join(kept.read_text().splitlines(keepends=True)[:left]))
    if archived_again:
        ask(capsys, "archive", SESSION)
    before = brief.read_bytes()
    done = json.loads(ask(capsys, "verify", str(brief), "--fix", "--json"))
    assert done["ok"]
    assert any("as the ark has it from then" in note for note in done["notes"])
    assert brief.read_bytes() == before
