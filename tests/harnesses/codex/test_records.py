"""Records that are told apart by little: who speaks, what a call did, under which id."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.harnesses.codex.rollouts import actions, client, event, human, of, read, write
from thruline.session.parts import Call, Result


def item(kind: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    return event("item_completed", item={"type": kind, **fields})


def response(kind: str, **payload: Any) -> tuple[str, dict[str, Any]]:
    return "response_item", {"type": kind, **payload}


def test_a_prompt_in_both_forms_is_one_prompt_and_twice_the_same_form_two(tmp_path: Path) -> None:
    content = [{"type": "text", "text": "go on"}]
    both = [event("user_message", message="go on"), item("UserMessage", id="1", content=content)]
    assert human(read(write(tmp_path / "a.jsonl", *both))) == [("turn", "go on")]
    assert human(read(write(tmp_path / "b.jsonl", *both, *both))) == [("turn", "go on")] * 2
    twice = [event("user_message", message="go on")] * 2
    assert human(read(write(tmp_path / "c.jsonl", *twice))) == [("turn", "go on")] * 2


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("# AGENTS.md instructions for /w\n\nUse tabs.", "reminder"),
        ("<environment_context>\n  <cwd>/w</cwd>\n</environment_context>", "reminder"),
        ('<hook_prompt hook_run_id="stop:1">go on</hook_prompt>', "hook"),
        ("<user_shell_command>\nls\n</user_shell_command>", "command"),
        ("<!-- thruline:loop 3 -->\nGo on with the list.", "loop"),
    ],
)
def test_text_that_only_looks_human_is_not(tmp_path: Path, text: str, kind: str) -> None:
    parts = read(write(tmp_path / "a.jsonl", event("user_message", message=text)))
    assert human(parts) == []
    assert [told for told, _ in client(parts)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "<div> is not closed",
        "/status says nothing",
        "# Plan\nfirst this",
        "## My requests\nare many",
        "<skills are fun",
    ],
)
def test_text_that_only_looks_like_the_clients_is_human(tmp_path: Path, text: str) -> None:
    assert human(read(write(tmp_path / "a.jsonl", event("user_message", message=text)))) == [("turn", text)]


def test_a_loop_prompt_of_ours_is_no_hooks_prompt(tmp_path: Path) -> None:
    prompt = '<hook_prompt hook_run_id="stop:1"><!-- thruline:loop 3 -->go on</hook_prompt>'
    message = response("message", role="user", content=[{"type": "input_text", "text": prompt}])
    assert client(read(write(tmp_path / "a.jsonl", message))) == [("loop", "<!-- thruline:loop 3 -->go on")]


def test_a_call_under_an_id_that_was_used_before_is_a_call_of_its_own(tmp_path: Path) -> None:
    call = response("function_call", name="exec_command", call_id="1", arguments='{"cmd": "make"}')
    good = response("function_call_output", call_id="1", output="Exit code: 0\nOutput:\n")
    bad = response("function_call_output", call_id="1", output="Exit code: 2\nOutput:\n")
    parts = read(write(tmp_path / "a.jsonl", call, good, call, bad))
    assert [part.exit_status for part in of(Result, parts)] == [0, 2]


def test_a_patch_through_the_shell_is_an_edit(tmp_path: Path) -> None:
    patch = "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\nEOF"
    call = response("function_call", name="shell", call_id="1", arguments=json.dumps({"command": ["sh", "-c", patch]}))
    done = response("function_call_output", call_id="1", output='{"output":"Success.","metadata":{"exit_code":0}}')
    parts = read(write(tmp_path / "a.jsonl", call, done))
    assert actions(parts) == [("delete", "a.txt", "ok", None)]
    assert of(Result, parts)[0].changes == (("/w/a.txt", "deleted"),)


def test_an_edit_and_its_undoing_can_be_told_apart_from_other_edits(tmp_path: Path) -> None:
    def edit(number: str, old: str, new: str) -> tuple[str, dict[str, Any]]:
        text = f"*** Begin Patch\n*** Update File: a\n@@\n-{old}\n+{new}\n*** End Patch"
        return response("custom_tool_call", name="apply_patch", call_id=number, input=text)

    first, second = of(Call, read(write(tmp_path / "a.jsonl", edit("1", "x", "y"), edit("2", "y", "x"))))
    assert (first.before, first.after) == (second.after, second.before)
    assert first.before != first.after


def test_a_command_of_another_folder_names_its_files_from_there(tmp_path: Path) -> None:
    ran = item(
        "CommandExecution",
        id="exec-1",
        command=["/bin/bash", "-lc", "cat a.txt"],
        cwd="file:///w/my%20files",
        parsed_cmd=[{"type": "read", "cmd": "cat a.txt", "name": "a.txt", "path": "a.txt"}],
        status="completed",
        exit_code=0,
        aggregated_output="",
    )
    (result,) = of(Result, read(write(tmp_path / "a.jsonl", ran)))
    assert result.changes == (("/w/my files/a.txt", "read"),)


def test_a_declined_command_is_refused(tmp_path: Path) -> None:
    ran = item("CommandExecution", id="1", command=["ls"], cwd="/w", status="declined")
    assert actions(read(write(tmp_path / "a.jsonl", ran))) == [("run", "ls", "refused", None)]


def test_a_tool_of_a_server_that_failed_tells_why(tmp_path: Path) -> None:
    one = item(
        "McpToolCall", id="1", server="s", tool="t", arguments={"query": "q"}, status="failed", error={"message": "no"}
    )
    two = event("mcp_tool_call_end", call_id="2", invocation={"server": "s", "tool": "t"}, result={"Err": "gone"})
    parts = read(write(tmp_path / "a.jsonl", one, two))
    assert [(part.outcome, part.text) for part in of(Result, parts)] == [("error", "no"), ("error", "gone")]
    assert [part.name for part in of(Call, parts)] == ["s.t", "s.t"]


def test_pictures_beside_words_leave_the_words(tmp_path: Path) -> None:
    content = [{"type": "local_image", "path": "/w/a.png"}, {"type": "text", "text": "like this"}]
    assert human(read(write(tmp_path / "a.jsonl", item("UserMessage", id="1", content=content)))) == [
        ("turn", "like this")
    ]
