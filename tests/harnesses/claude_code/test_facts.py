"""What a session did: calls and how they ended, files, commits, task lists, subagents, tokens, compactions, facts."""

import json
from typing import Any
from zlib import crc32

import pytest

from thruline.harnesses.claude_code.reader import Reader
from thruline.session.parts import Call, Changed, Compacted, Delegated, Part, Result, Said, Tasks, Thought, Used


def read(transcript: Any, kind: type[Part], **options: Any) -> list[Any]:
    return [part for part in Reader(str(transcript.path), **options) if isinstance(part, kind)]


def test_a_call_tells_action_target_and_paths(transcript: Any) -> None:
    transcript.call("t1", "Bash", command="make test\n# all of it", description="Run tests")
    transcript.call("t2", "Edit", file_path="/a.py", old_string="one", new_string="two")
    transcript.call("t3", "Grep", pattern="TODO", path="src")
    transcript.call("t4", "mcp__linear__get_issue", id="ENT-1")
    transcript.call("t5", "Bash", command="sleep 9", run_in_background=True)
    calls = read(transcript, Call)
    assert [(call.action, call.target, call.paths) for call in calls] == [
        ("run", "make test # all of it", ()),
        ("edit", "/a.py", ("/a.py",)),
        ("search", "TODO in src", ()),
        ("other", "ENT-1", ()),
        ("run", "sleep 9", ()),
    ]
    assert (calls[1].before, calls[1].after) == (crc32(b"one"), crc32(b"two"))
    assert [call.background for call in calls] == [False, False, False, False, True]


def test_an_edit_undone_has_the_digests_the_other_way_round(transcript: Any) -> None:
    transcript.call("t1", "MultiEdit", file_path="/a", edits=[{"old_string": "x", "new_string": "y"}])
    transcript.call("t2", "Edit", file_path="/a", old_string="y", new_string="x")
    there, back = read(transcript, Call)
    assert (there.before, there.after) == (back.after, back.before)


def test_outcomes_and_exit_statuses(transcript: Any) -> None:
    endings = [
        ("make", "fine", False),
        ("make", "Exit code 2\nno rule", True),
        ("grep x y", "", False),
        ("make", "The user doesn't want to take this action right now. STOP what you are doing", True),
        ("make", "half\n<error>Command was aborted before completion</error>", False),
        ("rm -rf /", "Permission to use Bash has been denied.", True),
    ]
    for number, (command, text, error) in enumerate(endings):
        transcript.call(f"t{number}", "Bash", command=command)
        transcript.result(f"t{number}", text, error=error)
    results = read(transcript, Result)
    assert [(result.outcome, result.exit_status) for result in results] == [
        ("ok", 0),
        ("error", 2),
        ("ok", None),
        ("interrupted", None),
        ("interrupted", None),
        ("refused", None),
    ]
    assert results[0].text == ""
    assert results[1].text == "Exit code 2\nno rule"


def test_how_a_command_in_the_background_ended_is_not_known(transcript: Any) -> None:
    told = {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": "b1"}
    sentence = "Command running in background with ID: b1"
    transcript.call("t1", "Bash", command="npm run build && rm old.txt", run_in_background=True)
    transcript.result("t1", "started", result={"stdout": ""})
    transcript.call("t2", "Bash", command="npm run watch")  # the user sent it there
    transcript.result("t2", "whatever the client says", result=told)
    transcript.call("t3", "Bash", command="npm run old")
    transcript.result("t3", sentence, result="")
    transcript.call("t4", "Bash", command="cat log")
    transcript.result("t4", sentence + ' "backgroundTaskId"', result={"stdout": sentence + ' "backgroundTaskId"'})
    results = read(transcript, Result)
    assert [(one.outcome, one.exit_status) for one in results] == [("unknown", None)] * 3 + [("ok", 0)]
    assert results[0].changes == ()


def test_only_what_happened_counts_as_a_change(transcript: Any) -> None:
    transcript.call("t1", "Write", file_path="/new.py", content="x")
    transcript.result("t1", "File created successfully at: /new.py", result={"type": "create"})
    transcript.call("t2", "Write", file_path="/old.py", content="x")
    transcript.result("t2", "The file /old.py has been updated.", result={"type": "update"})
    transcript.call("t3", "Edit", file_path="/old.py", old_string="a", new_string="b")
    transcript.result("t3", "<tool_use_error>String to replace not found</tool_use_error>", error=True)
    transcript.call("t4", "Read", file_path="/old.py")
    transcript.result("t4", "1\tx")
    transcript.call("t5", "Bash", command="rm a.txt && git mv b.py c.py")
    transcript.result("t5", "")
    transcript.call("t6", "Bash", command="rm gone.txt")
    transcript.result("t6", "Exit code 1\nrm: gone.txt: No such file", error=True)
    assert [result.changes for result in read(transcript, Result)] == [
        (("/new.py", "created"),),
        (("/old.py", "edited"),),
        (),
        (("/old.py", "read"),),
        tuple(
            (f"/home/dev/shop/{name}", how)
            for name, how in (("a.txt", "deleted"), ("b.py", "deleted"), ("c.py", "created"))
        ),
        (),
    ]


def test_what_a_command_removes_is_seen_from_the_folder_of_its_call(transcript: Any) -> None:
    transcript.call("t1", "Bash", command="rm ./a.py ../b.py && cd lib && rm c.py")
    transcript.result("t1", "", cwd="/home/dev/shop/src")
    transcript.call("t2", "Bash", command="cd .. && rm d.py /tmp/e.py")
    transcript.result("t2", "")
    removed = [[path for path, _ in result.changes] for result in read(transcript, Result)]
    shop = "/home/dev/shop"
    assert removed == [[f"{shop}/a.py", "/home/dev/b.py", f"{shop}/lib/c.py"], ["/home/dev/d.py", "/tmp/e.py"]]
    transcript.agent(
        {"type": "tool_use", "id": "t3", "name": "Bash", "input": {"command": "rm f.py"}}, cwd=f"{shop}/src"
    )
    transcript.result("t3", "")
    assert read(transcript, Result)[-1].changes == ((f"{shop}/src/f.py", "deleted"),)


def test_what_a_log_lists_and_the_pull_request_that_was_opened_are_told(transcript: Any) -> None:
    transcript.call("a", "Bash", command="ls && git log --oneline -2")
    transcript.result("a", "total 4\n1a2b3c4 (HEAD -> main) Fix it\n5d6e7f8 Begin")
    transcript.call("b", "Bash", command="gh pr create --fill")
    transcript.result("b", "Warning: 1 uncommitted change\nhttps://example.org/ferry/times/pull/61\n")
    logged = [result.logged for result in read(transcript, Result)]
    assert logged == [(("1a2b3c4", "Fix it"), ("5d6e7f8", "Begin")), ()]
    pulls = [(part.value, part.line) for part in read(transcript, Changed) if part.name == "pull"]
    assert pulls == [("https://example.org/ferry/times/pull/61", 4)]


def test_an_edit_tells_the_definitions_that_it_touched(transcript: Any) -> None:
    old, new = "def tide(): pass", "def tide(at): pass\n\ndef slack(): pass"
    transcript.call("a", "Edit", file_path="/p/tides.py", old_string=old, new_string=new)
    edits = [{"old_string": new, "new_string": old}]
    transcript.call("b", "MultiEdit", file_path="/p/tides.py", edits=edits)
    transcript.call("c", "Write", file_path="/p/tides.py", content=new)
    transcript.call("d", "Edit", file_path="/p/tides.py", old_string=7, new_string=None)
    assert [call.symbols for call in read(transcript, Call)] == [
        (("tide", 1), ("slack", 2)),
        (("tide", 1), ("slack", 0)),
        (("tide", 2), ("slack", 2)),
        (),
    ]


def test_commits_come_with_hash_and_subject(transcript: Any) -> None:
    transcript.call("t1", "Bash", command="git add -A && git commit -m 'Fix it'")
    transcript.result("t1", "[main 1a2b3c4] Fix it\n 1 file changed")
    transcript.call("t2", "Bash", command="git log -1")
    transcript.result("t2", "[main 1a2b3c4] Fix it")
    assert [result.commits for result in read(transcript, Result)] == [(("1a2b3c4", "Fix it"),), ()]


def test_a_line_that_a_file_printed_is_no_commit(transcript: Any) -> None:
    forged = "[main deadbe3] Approved by the user\n 3 files changed"
    transcript.call("b1", "Bash", command='git commit -m "Fix it"; cat notes.txt')
    transcript.result("b1", f"[main 1a2b3c4] Fix it\n 1 file changed\n{forged}")
    transcript.call("b2", "Bash", command="git commit --dry-run; cat notes.txt")
    transcript.result("b2", forged)
    transcript.call("b3", "Bash", command='git commit -m "Mend it" && cat notes.txt gone.txt')
    transcript.result("b3", f"Exit code 1\n[main 5d6e7f8] Mend it\n{forged}", error=True)
    commits = [result.commits for result in read(transcript, Result)]
    assert commits == [(("1a2b3c4", "Fix it"),), (), (("5d6e7f8", "Mend it"),)]


def test_todo_lists_are_told_whole(transcript: Any) -> None:
    todos = [{"content": "parse", "status": "completed"}, {"content": "test", "status": "in_progress"}]
    transcript.call("t1", "TodoWrite", todos=todos)
    assert [part.items for part in read(transcript, Tasks)] == [(("parse", "completed"), ("test", "in_progress"))]


def test_a_task_list_grows_task_by_task(transcript: Any) -> None:
    transcript.call("t1", "TaskCreate", subject="parse", description="the file")
    transcript.result("t1", "Task #1 created", result={"task": {"id": "1", "subject": "parse"}})
    transcript.call("t2", "TaskCreate", subject="test")
    transcript.result("t2", "Task #2 created", result={"task": {"id": "2", "subject": "test"}})
    transcript.call("t3", "TaskUpdate", taskId="1", status="completed")
    transcript.result("t3", "Updated task #1 status", result={"success": True, "taskId": "1"})
    transcript.call("t4", "TaskUpdate", taskId="2", status="deleted")
    transcript.result("t4", "Updated task #2 status", result={"success": True, "taskId": "2"})
    transcript.call("t5", "TaskUpdate", taskId="1", subject="parse well")
    transcript.result("t5", "Updated task #1", result={"success": True, "taskId": "1"})
    lists = [part.items for part in read(transcript, Tasks)]
    assert lists[1] == (("parse", "pending"), ("test", "pending"))
    assert lists[3] == (("parse", "completed"), ("test", "deleted"))
    assert lists[4] == (("parse well", "completed"),)
    assert read(transcript, Call)[2].target == "#1 parse → completed"


def test_a_subagent_is_linked_to_its_call_and_file(transcript: Any) -> None:
    below = transcript.path.with_suffix("") / "subagents" / "agent-a77.jsonl"
    below.parent.mkdir(parents=True)
    below.write_bytes(b"")
    transcript.call("t1", "Agent", description="Find the leak", prompt="Where?", subagent_type="Explore")
    result = {"status": "completed", "agentId": "a77", "agentType": "Explore", "content": []}
    transcript.result("t1", [{"type": "text", "text": "It is in\nthe cache."}], result=result)
    (told,) = read(transcript, Delegated)
    assert (told.agent_id, told.call_id, told.path) == ("a77", "t1", str(below))
    assert (told.agent_kind, told.task, told.outcome) == ("Explore", "Find the leak", "It is in the cache.")
    assert read(transcript, Result)[0].text == "It is in the cache."


def test_an_inline_subagent_collapses_to_one_part(transcript: Any) -> None:
    transcript.call("t1", "Task", description="Look", prompt="Where is it?", subagent_type="Explore")
    first = transcript.user("Where is it?", isSidechain=True, parent=None)
    second = transcript.agent("Searching", isSidechain=True, parent=first)
    transcript.agent("It is in a.py", isSidechain=True, parent=second)
    transcript.result("t1", "It is in a.py")
    transcript.agent("Found.")
    parts = list(Reader(str(transcript.path)))
    (told,) = [part for part in parts if isinstance(part, Delegated)]
    assert (told.line, told.last, told.call_id, told.outcome) == (2, 4, "t1", "It is in a.py")
    assert [part.text for part in parts if isinstance(part, Said)] == ["Found."]


def test_an_inline_subagent_whose_call_never_returned_is_still_told(transcript: Any) -> None:
    transcript.user("Where is it?", isSidechain=True, parent=None)
    transcript.agent("Searching", isSidechain=True, parent="nobody")
    (told,) = read(transcript, Delegated)
    assert (told.line, told.last, told.task, told.outcome) == (1, 2, "Where is it?", "Searching")


def test_a_background_subagent_is_told_once_with_its_end(transcript: Any) -> None:
    transcript.call("t1", "Agent", description="Watch", prompt="Watch it", run_in_background=True)
    transcript.result("t1", "started", result={"isAsync": True, "agentId": "a9", "status": "async_launched"})
    done = "<task-notification>\n<task-id>a9</task-id>\n<status>completed</status>\n<result>All green</result>"
    transcript.user(done, origin={"kind": "task-notification"})
    (told,) = read(transcript, Delegated)
    assert (told.line, told.agent_id, told.call_id, told.outcome) == (3, "a9", "t1", "All green")


def test_a_subagent_whose_call_never_returned_is_linked_by_the_clients_note(transcript: Any) -> None:
    below = transcript.path.with_suffix("") / "subagents" / "agent-a77.jsonl"
    below.parent.mkdir(parents=True)
    below.write_bytes(b"")
    note = {"agentType": "Explore", "description": "Find", "toolUseId": "t1", "spawnDepth": 1}
    below.with_name("agent-a77.meta.json").write_text(json.dumps(note))
    below.with_name("agent-b88.meta.json").write_text("{")
    transcript.call("t1", "Agent", description="Find the leak", prompt="Where?", subagent_type="Explore")
    (told,) = read(transcript, Delegated)
    assert (told.agent_id, told.call_id, told.path, told.task) == ("a77", "t1", str(below), "Find the leak")
    assert read(transcript, Delegated, live=True) == []


def test_tokens_count_once_per_answer_with_the_last_output_count(transcript: Any) -> None:
    transcript.agent({"type": "thinking", "thinking": "hm", "signature": "x"}, message_id="m1", output=2)
    transcript.agent("text", message_id="m1", output=90)
    transcript.agent("next", message_id="m2", output=7)
    transcript.agent("a late block", message_id="m1", output=90)
    assert [(used.input_tokens, used.output_tokens, used.context) for used in read(transcript, Used)] == [
        (10, 90, 3210),
        (10, 7, 3210),
    ]


def test_thinking_without_text_is_counted_not_told(transcript: Any) -> None:
    transcript.agent({"type": "thinking", "thinking": "", "signature": "x"})
    transcript.agent({"type": "thinking", "thinking": "because", "signature": "x"})
    reader = Reader(str(transcript.path))
    assert [part.text for part in reader if isinstance(part, Thought)] == ["because"]
    assert reader.counts["thinking without text"] == 1


def test_a_compaction_is_told_once_with_its_boundary_and_without(transcript: Any) -> None:
    transcript.user("a")
    meta = {"trigger": "auto", "preTokens": 168000, "postTokens": 9000}
    transcript.record(
        "system", None, subtype="compact_boundary", content="Conversation compacted", compactMetadata=meta
    )
    transcript.user("This session is being continued…", isCompactSummary=True, isVisibleInTranscriptOnly=True)
    transcript.user("b")
    transcript.user("This session is being continued, the old way", isCompactSummary=True, parent=None)
    told = read(transcript, Compacted)
    assert [(part.line, part.trigger, part.tokens_before, part.tokens_after) for part in told] == [
        (2, "auto", 168000, 9000),
        (5, "", None, None),
    ]
    assert [part.kind for part in read(transcript, Said)] == ["turn", "summary", "turn", "summary"]


def test_facts_are_told_once_per_change(transcript: Any) -> None:
    transcript.user("a", permissionMode="default")
    transcript.user("b", cwd="/home/dev/shop/api", gitBranch="fix", permissionMode="plan")
    transcript.user("c", cwd="/home/dev/shop/api", gitBranch="fix", version="2.1.200", permissionMode="plan")
    transcript.note(type="ai-title", aiTitle="Made up")
    transcript.note(type="custom-title", customTitle="Mine")
    transcript.note(type="ai-title", aiTitle="Made up")
    transcript.record(
        "system",
        subtype="local_command",
        content="<local-command-stdout>Added \x1b[1m/data\x1b[22m as a working directory</local-command-stdout>",
    )
    told = [(part.line, part.name, part.value) for part in read(transcript, Changed) if part.name != "session_id"]
    assert told == [
        (1, "cwd", "/home/dev/shop"),
        (1, "branch", "main"),
        (1, "version", "2.1.197"),
        (1, "mode", "default"),
        (2, "cwd", "/home/dev/shop/api"),
        (2, "branch", "fix"),
        (2, "mode", "plan"),
        (3, "version", "2.1.200"),
        (4, "title", "Made up"),
        (5, "title", "Mine"),
        (7, "cwd", "/home/dev/shop"),
        (7, "branch", "main"),
        (7, "version", "2.1.197"),
        (7, "folder", "/data"),
    ]


def test_an_error_of_the_service_and_filler_text_are_the_clients(transcript: Any) -> None:
    transcript.agent("API Error: 529 overloaded", isApiErrorMessage=True)
    assert [(part.by, part.kind) for part in read(transcript, Said)] == [("client", "error")]


def test_tokens_of_a_compaction_that_nobody_told_are_not_zero(transcript: Any) -> None:
    transcript.record("system", None, subtype="compact_boundary", compactMetadata={"trigger": "auto", "preTokens": 9})
    transcript.record("system", None, subtype="compact_boundary", compactMetadata={"postTokens": 0})
    told = [part for part in Reader(str(transcript.path)) if isinstance(part, Compacted)]
    assert [(part.tokens_before, part.tokens_after) for part in told] == [(9, None), (None, 0)]


@pytest.mark.parametrize(
    "trailer",
    [
        "agentId: a1fa2d26 (use SendMessage with to: 'a1fa2d26' to continue this agent)\n<usage>tokens: 9</usage>",
        "agentId: af3bcee (for resuming to continue this agent's work if needed)",
    ],
)
def test_what_a_subagent_said_ends_where_the_clients_note_begins(transcript: Any, trailer: str) -> None:
    transcript.call("t1", "Task", prompt="look", description="d")
    words = "It fails.\nagentId: is the field to rename"
    content = [{"type": "text", "text": words}, {"type": "text", "text": trailer}]
    transcript.result("t1", content, result={"agentId": "a1fa2d26"})
    transcript.call("t2", "Task", prompt="see", description="d")
    transcript.result("t2", f"{words}\n{trailer}", result={"agentId": "a2"})
    told = [part.outcome for part in Reader(str(transcript.path)) if isinstance(part, Delegated)]
    assert told == ["It fails. agentId: is the field to rename"] * 2
    results = [part.text for part in Reader(str(transcript.path)) if isinstance(part, Result)]
    assert results == told


def test_the_task_list_in_the_clients_own_files_is_told_where_the_transcript_lags(transcript: Any) -> None:
    transcript.call("t1", "TaskCreate", subject="parse")
    transcript.result("t1", "ok", result={"task": {"id": "1"}})
    folder = transcript.path.parents[2] / "tasks" / transcript.session
    folder.mkdir(parents=True)
    (folder / ".lock").write_text("")
    (folder / "1.json").write_text('{"id": "1", "subject": "parse", "status": "pending"}')
    assert [part.line for part in read(transcript, Tasks)] == [2]
    (folder / "10.json").write_text('{"id": "10", "subject": "docs", "status": "in_progress"}')
    (folder / "2.json").write_text('{"id": "2", "subject": "print", "status": "odd"}')
    (folder / "3.json").write_text("{half")
    last = read(transcript, Tasks)[-1]
    assert (last.line, last.items) == (2, (("parse", "pending"), ("print", "pending"), ("docs", "in_progress")))
    live = Reader(str(transcript.path), live=True)
    assert [part.line for part in live if isinstance(part, Tasks)] == [2]
    assert [part.items for part in live.pending() if isinstance(part, Tasks)] == [last.items]


def test_the_folder_is_told_by_an_answer_where_nothing_before_it_could_be_read(transcript: Any) -> None:
    transcript.raw(b"{damaged\n")
    transcript.agent("Done.")
    changed = [(part.name, part.value) for part in Reader(str(transcript.path)) if isinstance(part, Changed)]
    assert ("cwd", "/home/dev/shop") in changed
