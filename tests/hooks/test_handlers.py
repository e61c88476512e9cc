"""What is told to whom while a session runs, and what is remembered of it, through the real door."""

import json
import os

import pytest

from tests.hooks.conftest import HARNESS, OTHER, SESSION, WIRED, Hook
from tests.hooks.ready import KEEP, LATE, RESUME, START
from thruline.hooks.event import find_wire
from thruline.hooks.handlers import HANDLERS


@pytest.mark.parametrize("harness", WIRED)
@pytest.mark.parametrize("event", ["prompt", "tool_done"])
def test_a_late_text_is_told_once_at_the_next_prompt_or_tool(hook: Hook, harness: str, event: str):
    path = hook.write_ready(hook.here.build_late(harness, SESSION), LATE, kind="late", **{"from": SESSION})
    assert hook.ask(event, "another-session", harness=harness) == ""
    assert hook.ask(event, harness=harness) == LATE
    assert hook.ask(event, harness=harness) == ""
    assert not path.exists()


@pytest.mark.parametrize("harness", WIRED)
def test_a_text_stays_where_the_client_would_not_hear_it(hook: Hook, harness: str):
    path = hook.write_ready(hook.here.build_late(harness, SESSION), LATE, kind="late")
    for event in [each for each in HANDLERS if each not in find_wire(harness).TELLS]:
        assert hook.ask(event, harness=harness) == ""
        assert path.exists(), event


def test_an_agent_of_the_session_is_not_told_in_its_place(hook: Hook):
    hook.write_ready(hook.here.build_late(HARNESS, SESSION), LATE, kind="late")
    assert hook.ask("tool_done", agent_id="a1fa2d26bb61ea5a7") == ""
    assert hook.ask("tool_done") == LATE


@pytest.mark.parametrize("harness", WIRED)
def test_a_message_to_the_person_does_not_reach_the_model(hook: Hook, harness: str):
    hook.write_ready(hook.here.build_late(harness, SESSION), "3 files are not committed.", kind="user")
    done = hook.run(harness, "prompt", payload=hook.build())
    assert json.loads(done.stdout) == {"systemMessage": "3 files are not committed."}
    assert [line["kind"] for line in hook.read_told()] == ["user"]


@pytest.mark.parametrize("harness", WIRED)
def test_what_a_summary_must_keep_is_told_where_the_client_takes_it_and_stays(hook: Hook, harness: str):
    path = hook.write_ready(hook.here.build_keep(harness, SESSION), KEEP, kind="keep")
    takes = "before_compact" in find_wire(harness).TELLS
    for _ in range(2):
        assert hook.ask("before_compact", harness=harness) == (KEEP if takes else "")
    assert path.exists()


@pytest.mark.parametrize("harness", WIRED)
def test_what_a_client_would_leave_in_the_conversation_beside_its_summary_is_not_printed(hook: Hook, harness: str):
    hook.write_ready(hook.here.build_keep(harness, SESSION), KEEP, kind="keep")
    for trigger in find_wire(harness).ECHOES:
        assert hook.ask("before_compact", harness=harness, trigger=trigger) == ""
        assert hook.read_spool()[-1]["event"] == "before_compact"  # and it is worked on all the same
    assert hook.read_told() == []


@pytest.mark.feature("F003-23", via="unit")
@pytest.mark.parametrize("harness", WIRED)
@pytest.mark.parametrize("event", ["turn_end", "session_end", "after_compact", "subagent_start", "subagent_end"])
def test_nothing_that_is_ready_is_said_where_it_would_keep_a_session_going(hook: Hook, harness: str, event: str):
    for path in (
        hook.here.build_start(harness),
        hook.here.build_resume(harness),
        hook.here.build_late(harness, SESSION),
        hook.here.build_keep(harness, SESSION),
    ):
        hook.write_ready(path, LATE)
    done = hook.run(harness, event, payload=hook.build(stop_hook_active=False, last_assistant_message="Done."))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert hook.read_told() == []


@pytest.mark.parametrize(
    "text",
    [b"Plain words", b"", b'{"a": 1', b"[1]", b'{"schema": 2, "text": "x"}', b'{"schema": 1, "text": "x"}'],
)
def test_a_broken_ready_text_is_not_shown_to_the_model(hook: Hook, text: bytes):
    hook.write_ready(hook.here.build_start(HARNESS), START).write_bytes(text)
    assert hook.ask("session_start") == ""
    assert len(hook.read_troubles()) == 1
    assert len(hook.read_spool()) == 1


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_link_in_place_of_a_ready_text_is_not_followed(hook: Hook, tmp_path):
    path = hook.write_ready(hook.here.build_start(HARNESS), START)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert hook.ask("session_start") == ""


def test_what_was_told_is_remembered_with_its_text_and_named_in_the_event(hook: Hook):
    hook.write_ready(hook.here.build_start(HARNESS), START, id="s1", kind="start")
    hook.write_ready(hook.here.build_resume(HARNESS), RESUME, id="r1")
    hook.ask("session_start")
    lines = hook.read_told()
    assert [list(line) for line in lines] == [
        ["at", "harness", "session", "event", "source", "id", "kind", "from", "characters", "text"]
    ] * 2
    [start, resume] = lines
    assert (start["id"], start["kind"], start["text"]) == ("s1", "start", START)
    assert (resume["id"], resume["from"], resume["characters"]) == ("r1", OTHER, len(RESUME))
    assert (resume["session"], resume["event"], resume["source"]) == (SESSION, "session_start", "startup")
    [event] = hook.read_spool()
    assert event["told"] == ["s1", "r1"]


@pytest.mark.feature("F003-19", via="unit")
@pytest.mark.parametrize("event", ["tool_done", "tool_failed"])
def test_a_tool_is_spooled_only_where_it_names_a_file_or_something_was_told(hook: Hook, event: str):
    assert hook.ask(event, tool_name="Bash", tool_input={"command": "make"}, tool_response="x") == ""
    assert hook.read_spool() == []
    hook.ask(event, tool_name="Edit", tool_input={"file_path": str(hook.project / "a.py")})
    edited = [[str(hook.project / "a.py"), "edited"]] if event == "tool_done" else []  # what failed touched nothing
    assert [line["files"] for line in hook.read_spool()] == [edited] * len(edited)
    hook.write_ready(hook.here.build_late(HARNESS, SESSION), LATE, id="l1", kind="late")
    hook.ask(event, tool_name="Bash")
    *_, told = hook.read_spool()
    assert told["told"] == ["l1"]
    assert told["outcome"] == {"tool_done": "ok", "tool_failed": "error"}[event]
