"""The client's payloads in our words, and our answers in its own."""

import json

import pytest

from thruline.harnesses.claude_code.wire import LIMIT, TELLS, measure_text, read_event, render_answer

SESSION = "a0000000-0000-4000-8000-000000000001"
BASE = {
    "session_id": SESSION,
    "transcript_path": f"/home/dev/.claude/projects/-home-dev-inventory/{SESSION}.jsonl",
    "cwd": "/home/dev/inventory/sub",
}
ENV = {"CLAUDE_PROJECT_DIR": "/home/dev/inventory"}


def test_what_every_event_has():
    event = read_event("prompt", {**BASE, "prompt": "Do it."}, ENV)
    assert (event["session"], event["transcript"]) == (SESSION, BASE["transcript_path"])
    assert (event["cwd"], event["project"]) == ("/home/dev/inventory/sub", "/home/dev/inventory")
    assert (event["prompt"], event["agent"], event["fork_id"]) == ("Do it.", "", "")


@pytest.mark.parametrize(
    ("tool", "given", "response", "files"),
    [
        ("Write", {"file_path": "/a", "content": "x"}, {"type": "create", "filePath": "/a"}, [["/a", "created"]]),
        ("Write", {"file_path": "/a", "content": "x"}, {"type": "update"}, [["/a", "edited"]]),
        ("Edit", {"file_path": "/a", "old_string": "x"}, {"filePath": "/a"}, [["/a", "edited"]]),
        ("MultiEdit", {"file_path": "/a"}, "done", [["/a", "edited"]]),
        ("NotebookEdit", {"notebook_path": "/a.ipynb"}, None, [["/a.ipynb", "edited"]]),
        ("Read", {"file_path": "/a"}, {"type": "text", "file": {}}, [["/a", "read"]]),
        ("Bash", {"command": "cat /a"}, {"stdout": ""}, []),
        ("mcp__x__read", {"file_path": "/a"}, [], []),
        ("Edit", {"file_path": 7}, {}, []),
        ("Edit", "no object", {}, []),
        ("Edit", {"file_path": "x" * 5000}, {}, []),
    ],
)
def test_files_that_a_tool_touched(tool: str, given: object, response: object, files: list[list[str]]):
    event = read_event("tool_done", {**BASE, "tool_name": tool, "tool_input": given, "tool_response": response}, {})
    assert (event["tool"], event["files"], event["outcome"]) == (tool, files, "ok")


@pytest.mark.parametrize("tool", ["Read", "Edit", "Write", "MultiEdit"])
def test_a_tool_that_failed_says_how_and_touched_no_file(tool: str):
    failed = {**BASE, "tool_name": tool, "tool_input": {"file_path": "/a"}, "error": "String to replace not found."}
    event = read_event("tool_failed", {**failed, "is_interrupt": False}, {})
    assert (event["tool"], event["files"], event["outcome"]) == (tool, [], "error")
    event = read_event("tool_failed", {**failed, "is_interrupt": True}, {})
    assert (event["files"], event["outcome"]) == ([], "interrupted")


def test_the_end_of_a_turn_has_the_last_message_and_whether_a_hook_kept_it_going():
    event = read_event("turn_end", {**BASE, "stop_hook_active": True, "last_assistant_message": "Done."}, {})
    assert (event["said"], event["continued"]) == ("Done.", True)
    assert read_event("turn_end", {**BASE, "stop_hook_active": "yes"}, {})["continued"] is False
    long = "x" * 300_000 + "<promise>DONE</promise>"
    said = str(read_event("turn_end", {**BASE, "last_assistant_message": long}, {})["said"])
    assert len(said) == 200_000
    assert said.endswith("<promise>DONE</promise>")


def test_a_compaction_has_its_trigger_and_afterwards_its_summary():
    assert (
        read_event("before_compact", {**BASE, "trigger": "auto", "custom_instructions": None}, {})["trigger"] == "auto"
    )
    event = read_event("after_compact", {**BASE, "trigger": "manual", "compact_summary": "1. Do it."}, {})
    assert (event["trigger"], event["summary"]) == ("manual", "1. Do it.")


def test_an_agent_is_named_and_the_clients_own_summariser_is_not_heard():
    agent = {
        **BASE,
        "agent_id": "a58a451ff194c742a",
        "agent_type": "Explore",
        "agent_transcript_path": "/t/agent.jsonl",
    }
    event = read_event("subagent_end", agent, {})
    assert (event["agent"], event["agent_type"], event["agent_transcript"]) == (
        "a58a451ff194c742a",
        "Explore",
        "/t/agent.jsonl",
    )
    assert read_event("subagent_end", {**agent, "agent_type": ""}, {}) == {}


@pytest.mark.parametrize(
    ("file", "fork"),
    [
        (f"/home/dev/.claude/session-env/{SESSION}/sessionstart-hook-0.sh", ""),
        ("/home/dev/.claude/session-env/b0000000/sessionstart-hook-0.sh", "b0000000"),
        ("C:\\Users\\dev\\.claude\\session-env\\b0000000\\sessionstart-hook-0.sh", "b0000000"),
        ("/elsewhere/b0000000/x.sh", ""),
        ("", ""),
        ("x", ""),
    ],
)
def test_a_start_under_the_parents_id_tells_which_session_it_may_be(file: str, fork: str):
    payload = {**BASE, "source": "resume"}
    assert read_event("session_start", payload, {"CLAUDE_ENV_FILE": file})["fork_id"] == fork


def test_another_client_that_runs_these_hooks_is_not_heard():
    theirs = {**BASE, "transcript_path": f"/home/dev/.elsewhere/session-state/{SESSION}/events.jsonl"}
    assert read_event("turn_end", theirs, {}) == {}
    assert read_event("turn_end", {**BASE, "transcript_path": ""}, {}) != {}


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("session_start", "SessionStart"),
        ("prompt", "UserPromptSubmit"),
        ("tool_done", "PostToolUse"),
        ("tool_failed", "PostToolUseFailure"),
    ],
)
def test_text_is_added_to_the_context(name: str, theirs: str):
    said = render_answer(name, "Two\nlines.", user="For you.")
    assert json.loads(said) == {
        "systemMessage": "For you.",
        "hookSpecificOutput": {"hookEventName": theirs, "additionalContext": "Two\nlines."},
    }


def test_before_a_compaction_text_is_printed_as_it_is():
    assert render_answer("before_compact", "Keep \ud83d this: ü.") == "Keep ? this: ü.".encode()


def test_only_the_end_of_a_turn_can_be_blocked_and_only_when_asked():
    assert json.loads(render_answer("turn_end", block="Go on.")) == {"decision": "block", "reason": "Go on."}
    assert render_answer("turn_end", "Text.") == b""
    for name in (*TELLS, "session_end", "after_compact", "subagent_start", "subagent_end"):
        assert render_answer(name, block="Go on.") == b""
    assert render_answer("session_start") == b""


def test_length_is_counted_as_the_client_counts():
    assert LIMIT == 10_000
    assert [measure_text(text) for text in ("", "abc", "äöü", "a😀")] == [0, 3, 3, 3]
