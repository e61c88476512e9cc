"""The client's payloads in our words, and our answers in its own."""

import json

import pytest

from thruline.harnesses.codex.wire import LIMIT, TELLS, measure_text, read_event, render_answer

SESSION = "01a1e1a1-1b8c-7160-ad7b-4ca88adbe8a6"
BASE = {
    "session_id": SESSION,
    "turn_id": "01a1e1a1-1bd1-7c32-b734-73f1963e7b8c",
    "transcript_path": f"/home/dev/.codex/sessions/2026/11/15/rollout-2026-11-15T23-53-14-{SESSION}.jsonl",
    "cwd": "/home/dev/proj",
    "model": "gpt-5.5",
}
PATCH = """\
*** Begin Patch
*** Add File: new.txt
+*** Add File: not this one
*** Update File: old.py
*** Move to: moved.py
@@
-x
+y
*** Delete File: gone.py
*** Update File:  spaced.py\x20
*** End Patch
"""


def test_what_every_event_has():
    event = read_event("session_start", {**BASE, "source": "startup"}, {"CLAUDE_PROJECT_DIR": "/of/another"})
    assert (event["session"], event["transcript"], event["cwd"]) == (SESSION, BASE["transcript_path"], "/home/dev/proj")
    assert (event["source"], event["model"], event["project"]) == ("startup", "gpt-5.5", "")


def test_files_that_a_patch_touched():
    patch = {"tool_name": "apply_patch", "tool_input": {"command": PATCH}}
    event = read_event("tool_done", {**BASE, **patch, "tool_response": "Exit code: 0\nWall time: 0 seconds\n"}, {})
    assert event["files"] == [
        ["new.txt", "created"],
        ["old.py", "deleted"],
        ["moved.py", "created"],
        ["gone.py", "deleted"],
        ["spaced.py", "edited"],
    ]
    assert event["outcome"] == "ok"
    failed = read_event("tool_done", {**BASE, **patch, "tool_response": "Exit code: 1\n"}, {})
    assert (failed["files"], failed["outcome"]) == ([], "error")


def test_a_command_names_no_file_and_does_not_say_how_it_ended():
    command = {"tool_name": "Bash", "tool_input": {"command": "cat a"}, "tool_response": "cat: a: No such file\n"}
    event = read_event("tool_done", {**BASE, **command}, {})
    assert (event["files"], event["outcome"]) == ([], "")


@pytest.mark.parametrize("given", [None, 7, "text", {"command": 7}, {}])
def test_a_patch_of_another_shape_is_no_trouble(given: object):
    assert read_event("tool_done", {**BASE, "tool_name": "apply_patch", "tool_input": given}, {})["files"] == []


def test_a_patch_of_a_thousand_files_is_cut_short():
    patch = "\n".join(f"*** Add File: {n}" for n in range(1000))
    payload = {**BASE, "tool_name": "apply_patch", "tool_input": {"command": patch}}
    assert len(read_event("tool_done", payload, {})["files"]) == 500  # type: ignore[arg-type]


def test_the_end_of_a_turn_has_the_last_message_and_whether_a_hook_kept_it_going():
    event = read_event("turn_end", {**BASE, "stop_hook_active": True, "last_assistant_message": "Done."}, {})
    assert (event["said"], event["continued"]) == ("Done.", True)


def test_a_prompt_of_an_agent_is_told_apart_from_the_persons():
    assert read_event("prompt", {**BASE, "prompt": "Do it."}, {})["agent"] == ""
    assert read_event("prompt", {**BASE, "agent_id": "01a1e1a1-2edf", "agent_type": "worker"}, {})["agent"]


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("session_start", "SessionStart"), ("prompt", "UserPromptSubmit"), ("tool_done", "PostToolUse")],
)
def test_text_is_added_to_the_context(name: str, theirs: str):
    assert json.loads(render_answer(name, "Two\nlines.")) == {
        "hookSpecificOutput": {"hookEventName": theirs, "additionalContext": "Two\nlines."}
    }


def test_only_the_end_of_a_turn_can_be_blocked_and_only_when_asked():
    assert json.loads(render_answer("turn_end", block="Go on.")) == {"decision": "block", "reason": "Go on."}
    for name in (*TELLS, "tool_failed", "session_end", "before_compact", "after_compact", "subagent_end"):
        assert render_answer(name, block="Go on.") == b""
    for name in ("turn_end", "before_compact", "tool_failed", "session_end"):
        assert render_answer(name, "Text.") == b""


def test_length_is_counted_in_bytes():
    assert LIMIT == 10_000
    assert [measure_text(text) for text in ("", "abc", "äö", "\ud83d")] == [0, 3, 4, 1]
