"""Finding rollouts where the client keeps them, and the files that belong together."""

import json
import os
from pathlib import Path

import pytest

from thruline.harnesses.codex.find import find_companions, find_homes, find_transcripts, read_head, recognise
from thruline.harnesses.codex.threads import find_thread, home_of, thread_of

HERE = Path(__file__).parent
NEW = next(HERE.glob("samples/*01a1e232*.jsonl"))
OLD = next(HERE.glob("samples/*019cb000*.jsonl"))
CHILD = next(HERE.glob("relatives/*5327*.jsonl"))
FORK = next(HERE.glob("relatives/*7346*.jsonl"))


@pytest.fixture
def codex(tmp_path: Path) -> Path:
    """A home of the client with four rollouts, one of them archived."""
    day = tmp_path / "codex" / "sessions" / "2026" / "11" / "16"
    archive = tmp_path / "codex" / "archived_sessions"
    for folder in (day, archive):
        folder.mkdir(parents=True)
    for path in (NEW, CHILD, FORK):
        (day / path.name).write_bytes(path.read_bytes())
    (archive / OLD.name).write_bytes(OLD.read_bytes())
    (day / "notes.jsonl").write_text("{}\n")
    (tmp_path / "codex" / "history.jsonl").write_text("{}\n")
    return tmp_path / "codex"


def place(codex: Path, path: Path) -> str:
    return str(codex / "sessions" / "2026" / "11" / "16" / path.name)


def test_the_clients_own_variable_moves_its_home(codex: Path) -> None:
    assert find_homes({}, "/home/dev") == [os.path.join("/home/dev", ".codex")]
    assert find_homes({"CODEX_HOME": str(codex)}, "/home/dev") == [str(codex)]
    assert list(find_transcripts({}, str(codex))) == []


def test_every_rollout_is_found_archived_ones_too(codex: Path) -> None:
    found = {one.session_id: one for one in find_transcripts({"CODEX_HOME": str(codex)}, "/none")}
    assert sorted(found) == sorted(thread_of(str(path)) for path in (NEW, OLD, CHILD, FORK))
    assert found[thread_of(str(NEW))].size == NEW.stat().st_size


def test_a_rollout_is_known_by_its_first_record() -> None:
    for path in (NEW, OLD, CHILD, FORK):
        assert recognise(str(path), path.read_bytes()[: 64 << 10])
    for head in (
        b"",
        b"\x1f\x8b\x08",
        b"hello",
        b'{"type":"user","sessionId":"s","parentUuid":null}',
        b'{"type":"session"}',
    ):
        assert not recognise("a.jsonl", head)


def test_the_head_tells_the_folder_recorded_inside() -> None:
    head = read_head(str(NEW))
    assert head["cwd"] == "/home/dev/proj"
    assert head["branch"] == "main"
    assert head["version"] == "0.166.0"
    assert head["session_id"] == thread_of(str(NEW))
    assert head["first_prompt"] == "The total ignores the prices, please fix it"
    assert "parent" not in head
    assert read_head(str(CHILD))["parent"] == thread_of(str(NEW))


def test_the_head_of_the_old_format_tells_the_request_without_the_editors_context_and_the_title() -> None:
    head = read_head(str(OLD))
    assert head["first_prompt"] == "The till rounds the wrong way"
    assert head["title"] == "Rounding at the till"


def test_subagents_are_companions_of_the_session_that_started_them(codex: Path) -> None:
    found = find_companions(place(codex, NEW))
    assert [(one.kind, one.path) for one in found] == [("subagent", place(codex, CHILD))]
    assert find_companions(place(codex, CHILD)) == []


def test_the_base_of_a_fork_is_a_companion_with_its_end(codex: Path) -> None:
    (base,) = [one for one in find_companions(place(codex, FORK)) if one.kind == "base"]
    assert base.path == place(codex, NEW)
    assert base.until == len(NEW.read_text().splitlines())


def test_bases_of_bases_come_oldest_first_and_a_circle_ends(codex: Path) -> None:
    fork = json.loads(FORK.read_text().splitlines()[0])
    thread = "01a1e233-0000-7000-8000-000000000000"
    fork["payload"].update(id=thread, history_base={"thread_id": thread_of(str(FORK)), "end_ordinal_exclusive": 180})
    again = codex / "sessions" / "2026" / "11" / "16" / f"rollout-2026-11-16T02-32-30-{thread}.jsonl"
    again.write_text(json.dumps(fork) + "\n")
    found = [(one.path, one.until) for one in find_companions(str(again)) if one.kind == "base"]
    assert found == [(place(codex, NEW), len(NEW.read_text().splitlines())), (place(codex, FORK), 180)]
    fork["payload"]["history_base"]["thread_id"] = thread
    again.write_text(json.dumps(fork) + "\n")
    assert [one for one in find_companions(str(again)) if one.kind == "base"] == []
    fork["payload"]["history_base"]["thread_id"] = thread_of(str(FORK))
    again.write_text(json.dumps(fork) + "\n")
    fork["payload"]["history_base"]["thread_id"] = thread
    Path(place(codex, FORK)).write_text(json.dumps(fork) + "\n")
    assert [one.path for one in find_companions(str(again)) if one.kind == "base"] == [place(codex, FORK)]


def test_a_thread_is_found_by_the_day_in_its_id(codex: Path) -> None:
    away = codex / "sessions" / "2026" / "11" / "20"
    away.mkdir()
    near = away / "rollout-2026-11-20T00-00-00-01a1f600-0000-7000-8000-000000000000.jsonl"
    near.write_text("")
    assert find_thread(str(near), thread_of(str(NEW))) == place(codex, NEW)
    assert find_thread(str(near), thread_of(str(OLD))) == str(codex / "archived_sessions" / OLD.name)
    assert home_of(str(near)) == str(codex)
    for odd in ("", "../../../../etc/passwd", "x" * 36, "01a1e232-0000-7000-8000-00000000000/"):
        assert find_thread(str(near), odd) == ""
