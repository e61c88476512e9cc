"""What the reader makes of a session of each format, recorded with 0.166 and written in the shapes of 0.128."""

import json
from pathlib import Path
from typing import Any

import pytest

from thruline.harnesses import line_reader
from thruline.harnesses.codex.reader import Reader
from thruline.harnesses.elsewhere import Elsewhere
from thruline.session.parts import (
    Asked,
    Call,
    Changed,
    Compacted,
    Delegated,
    Part,
    Planned,
    Result,
    Rewound,
    Said,
    Tasks,
    Thought,
    Used,
)

HERE = Path(__file__).parent
NEW = next(HERE.glob("samples/*01a1e232*.jsonl"))
OLD = next(HERE.glob("samples/*019cb000*.jsonl"))
CHILD = next(HERE.glob("relatives/*5327*.jsonl"))
FORK = next(HERE.glob("relatives/*7346*.jsonl"))


def read(path: Path, **options: Any) -> list[Part]:
    return list(Reader(str(path), **options))


def of(kind: type[Part], parts: list[Part]) -> list[Any]:
    return [part for part in parts if type(part) is kind]


THREAD = "01a1e232-0000-7000-8000-000000000000"


def write(path: Path, *records: tuple[str, dict[str, Any]], thread: str = THREAD) -> Path:
    """A rollout of these (type, payload) behind a first record."""
    first = ("session_meta", {"id": thread, "cwd": "/w", "cli_version": "0.128.0"})
    lines = [{"timestamp": "t", "type": kind, "payload": payload} for kind, payload in (first, *records)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def event(kind: str, **payload: Any) -> tuple[str, dict[str, Any]]:
    return "event_msg", {"type": kind, **payload}


def item(kind: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    return event("item_completed", item={"type": kind, **fields})


def response(kind: str, **payload: Any) -> tuple[str, dict[str, Any]]:
    return "response_item", {"type": kind, **payload}


def human(parts: list[Part]) -> list[tuple[str, str]]:
    return [(part.kind, part.text) for part in of(Said, parts) if part.by == "human"]


def client(parts: list[Part]) -> list[tuple[str, str]]:
    return [(part.kind, part.text.split("\n")[0]) for part in of(Said, parts) if part.by == "client"]


def actions(parts: list[Part]) -> list[tuple[str, str, str, int | None]]:
    ends = {part.call_id: part for part in of(Result, parts)}
    return [
        (call.action, call.target, ends[call.call_id].outcome, ends[call.call_id].exit_status)
        for call in of(Call, parts)
    ]


def test_a_session_of_the_new_format_gives_the_words_of_the_person_alone() -> None:
    assert human(read(NEW)) == [
        ("turn", "The total ignores the prices, please fix it"),
        ("turn", "Not by item.price: the prices are in cents"),
        ("turn", "Let another agent count the files"),
        ("turn", "Now do it by script"),
        ("turn", "Is anything left?"),
    ]


def test_client_texts_of_the_new_format_are_named() -> None:
    told = client(read(NEW))
    assert told[0] == ("hook", "The last session stopped at the prices.")
    assert ("hook", "Run the tests before you stop.") in told
    assert told.count(("hook", "Run the tests before you stop.")) == 1
    assert ("interrupt", "interrupted") in told
    assert ("notification", "<subagent_notification>") in told
    assert ("summary", "Prices are summed; made.txt exists.") in told


def test_actions_of_the_new_format_come_from_items_and_each_is_told_once() -> None:
    assert actions(read(NEW)) == [
        ("run", "cat shelf.py", "ok", 0),
        ("tasks", "", "error", None),
        ("edit", "shelf.py, notes.md, tests/test_shelf.py", "ok", None),
        ("edit", "shelf.py", "error", None),
        ("edit", "shelf.py, store.py", "ok", None),
        ("run", "git add -A && git commit -m 'Sum prices'", "ok", 0),
        ("run", "sleep 3; echo late", "ok", 0),
        ("run", "sleep 4", "ok", 0),
        ("run", "rm store.py", "ok", 0),
        ("read", "dot.png", "ok", None),
        ("run", "sleep 30", "interrupted", None),
        ("delegate", "count the files", "ok", None),
        ("tasks", "", "error", None),
        ("run", "cat shelf.py README.md", "error", 1),
        ("write", "/home/dev/proj/made.txt", "ok", None),
        ("other", "throw new Error('bad script')", "error", None),
        ("run", "echo big", "ok", 0),
    ]


def test_files_and_commits_are_told_with_the_end_of_what_made_them() -> None:
    results = of(Result, read(NEW))
    at = "/home/dev/proj/"
    assert [change for result in results for change in result.changes] == [
        (f"{at}shelf.py", "read"),
        (f"{at}notes.md", "deleted"),
        (f"{at}tests/test_shelf.py", "created"),
        (f"{at}shelf.py", "edited"),
        (f"{at}shelf.py", "deleted"),
        (f"{at}store.py", "created"),
        (f"{at}dot.png", "read"),
        (f"{at}store.py", "deleted"),
        (f"{at}made.txt", "created"),
    ]
    assert [subject for result in results for _, subject in result.commits] == ["Sum prices"]


def test_a_script_that_worked_is_told_by_what_it_ran() -> None:
    reader = Reader(str(NEW))
    scripts = [part for part in of(Call, list(reader)) if part.name == "exec"]
    assert [part.target for part in scripts] == ["throw new Error('bad script')"]
    assert reader.counts["script told by what it ran"] == 1


def test_a_subagent_is_told_with_the_call_that_started_it_and_its_last_words(tmp_path: Path) -> None:
    (told,) = of(Delegated, read(NEW))
    assert (told.task, told.outcome, told.agent_kind) == ("count the files", "There are 4 files.", "worker")
    assert told.call_id in {call.call_id for call in of(Call, read(NEW)) if call.action == "delegate"}
    for path in (NEW, CHILD):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (told,) = of(Delegated, read(tmp_path / NEW.name))
    assert told.path == str(tmp_path / CHILD.name)


def test_what_a_subagent_was_told_is_no_persons_word() -> None:
    parts = read(CHILD)
    assert human(parts) == []
    assert ("subagent", "count the files") in client(parts)


def test_tokens_are_told_once_per_answer() -> None:
    used = of(Used, read(OLD))
    assert [(part.input_tokens, part.context, part.window) for part in used][:3] == [
        (4000, 4000, 258400),
        (300, 4300, 258400),
        (4600, 4600, 258400),
    ]
    assert len(used) == 8
    reader = Reader(str(NEW))
    answers = len(of(Used, list(reader)))
    assert answers == reader.counts["token_usage_record"]


def test_a_session_of_the_old_format_gives_the_words_of_the_person_alone() -> None:
    assert human(read(OLD)) == [
        ("turn", "The till rounds the wrong way"),
        ("turn", "No, cents are always rounded up by law"),
        ("turn", "Ask me how to round, then go on"),
        ("answer", "From the first of April"),
        ("turn", "Make the receipt blue"),
        ("turn", "Make it green instead"),
    ]


def test_client_texts_of_the_old_format_are_named() -> None:
    assert client(read(OLD)) == [
        ("interrupt", "interrupted"),
        ("other", "[picture]"),
        ("summary", "The till rounds up from April on."),
        ("hook", "Run the tests before you stop."),
        ("error", "stream disconnected"),
        ("plan", "Implement the plan."),
    ]


def test_actions_of_the_old_format_come_from_events_or_outputs_and_each_is_told_once() -> None:
    assert actions(read(OLD)) == [
        ("run", "cat till.py", "ok", 0),
        ("tasks", "", "ok", None),
        ("edit", "till.py, tests/test_till.py", "ok", None),
        ("run", "pytest -q", "error", 1),
        ("run", "rg -n round_up", "ok", 1),
        ("run", "make serve", "ok", 0),
        ("run", "git reset --hard", "refused", None),
        ("run", "sleep 60", "interrupted", None),
        ("ask", "Which way should it round? / From which day on?", "ok", None),
        ("other", "first of April", "ok", None),
        ("fetch", "rounding cents by law", "ok", None),
    ]


def test_a_plan_is_told_when_proposed_and_when_accepted() -> None:
    assert [(part.verdict, part.text) for part in of(Planned, read(OLD))] == [
        ("proposed", "1. Make it green"),
        ("approved", "1. Make it green"),
    ]


def test_questions_carry_their_answers() -> None:
    assert [(part.question, part.options, part.answer) for part in of(Asked, read(OLD))] == [
        ("Which way should it round?", ("Up", "Down"), "Up"),
        ("From which day on?", ("Today",), "None of the above, From the first of April"),
    ]


def test_the_task_list_is_told_once_it_holds() -> None:
    (tasks,) = of(Tasks, read(OLD))
    assert tasks.items == (("Find the rounding", "completed"), ("Fix it", "in_progress"))


def test_a_rollback_leaves_the_last_turns_behind() -> None:
    (rewound,) = of(Rewound, read(OLD))
    lines = OLD.read_text().splitlines()
    assert "Make the receipt blue" in lines[rewound.first - 1]
    assert "thread_rolled_back" in lines[rewound.last]


def test_a_compaction_is_told_once_though_three_records_speak_of_it() -> None:
    assert len(of(Compacted, read(OLD))) == 1
    assert len(of(Compacted, read(NEW))) == NEW.read_text().count('"type":"compacted"')


def test_thoughts_are_told_once() -> None:
    assert [part.text for part in of(Thought, read(OLD))] == ["**Reading the till**"]
    assert [part.text for part in of(Thought, read(NEW))] == ["The total ignores prices."]


def test_facts_are_told_when_they_change() -> None:
    told = [(part.name, part.value) for part in of(Changed, read(OLD))]
    assert told[:6] == [
        ("session_id", "019cb000-1111-7222-8333-444455556666"),
        ("cwd", "/home/dev/till"),
        ("version", "0.128.0"),
        ("branch", "till"),
        ("model", "gpt-5.4"),
        ("mode", "on-request"),
    ]
    assert ("title", "Rounding at the till") in told
    assert ("mode", "plan, on-request") in told


def test_kinds_nobody_knows_are_counted() -> None:
    reader = Reader(str(OLD))
    list(reader)
    assert reader.counts["event_msg/a_new_kind"] == 1
    assert reader.counts["unknown"] == 1
    assert reader.problems == []


def test_a_fork_names_its_parent_and_tells_that_the_base_is_missing(tmp_path: Path) -> None:
    reader = Reader(str(FORK))
    parts = list(reader)
    assert ("parent", "01a1e232-2026-72e2-a81f-ec7e1735e7d8") in [(p.name, p.value) for p in of(Changed, parts)]
    assert human(parts) == [("turn", "Try it with decimals instead")]
    assert [(problem.line, problem.kind) for problem in reader.problems] == [(1, "base")]
    for path in (NEW, FORK):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    reader = Reader(str(tmp_path / FORK.name))
    list(reader)
    assert reader.problems == []


def test_a_base_is_read_up_to_the_fork() -> None:
    lines = NEW.read_text().splitlines()
    for until in (1, 12, 60):
        parts = read(NEW, label="p1", until=until)
        assert max(part.line for part in parts) <= until
        assert {part.source for part in parts} == {"p1"}
        assert json.loads(lines[until - 1])["ordinal"] == until - 1
    assert human(read(NEW, label="p1", until=100)) == human(read(NEW))[:3]


def test_records_seen_in_another_file_are_not_told_again() -> None:
    for path in (NEW, OLD):
        first = Reader(str(path))
        list(first)
        again = Reader(str(path), label="b1", seen=first.lines)
        assert [part for part in again if type(part) is not Delegated] == []
        assert again.counts["copy"] == len(path.read_text().splitlines())


def test_a_thread_that_went_on_in_two_places_is_told_with_what_both_say(tmp_path: Path) -> None:
    for path in (NEW, OLD):
        lines = path.read_bytes().splitlines(keepends=True)
        other = tmp_path / path.name
        words = human(read(path))[-1][-1].encode()
        other.write_bytes(b"".join(line.replace(words, b"Something else") for line in lines))
        seen = Elsewhere()
        first = Reader(str(path))
        list(first)
        first.give(seen)
        assert [part for part in Reader(str(path), label="b1", seen=seen) if type(part) is not Delegated] == []
        again = Reader(str(other), label="b1", seen=seen)
        said = [part.text for part in again if isinstance(part, Said) and part.by == "human"]
        assert said == ["Something else"]


def test_lines_that_need_no_decoding_would_have_told_nothing(tmp_path: Path) -> None:
    # With spaces behind the colons no line has the shape that is passed over.
    for path in (NEW, OLD):
        spaced = tmp_path / path.name
        spaced.write_text("".join(json.dumps(json.loads(line)) + "\n" for line in path.read_text().splitlines()))
        short, long = Reader(str(path)), Reader(str(spaced))
        assert [_sizeless(part) for part in short] == [_sizeless(part) for part in long]
        assert short.counts == long.counts
        assert short.lines == long.lines
        assert short.checkpoint()["state"] == long.checkpoint()["state"]


def _sizeless(part: Part) -> str:
    if isinstance(part, Result):
        part.size = 0
    return repr(part)


def test_the_fast_decoder_gives_what_the_slow_one_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (NEW, OLD, CHILD, FORK):
        slow = [repr(part) for part in Reader(str(path))]
        monkeypatch.setattr(line_reader, "FAST_FROM_BYTES", 0)
        assert [repr(part) for part in Reader(str(path))] == slow
        monkeypatch.undo()


def test_what_waits_can_be_seen_without_ending_it(tmp_path: Path) -> None:
    lines = NEW.read_bytes().splitlines(keepends=True)
    spawned = next(at for at, line in enumerate(lines) if b"CollabAgentToolCall" in line)
    copy = tmp_path / NEW.name
    copy.write_bytes(b"".join(lines[: spawned + 1]))
    reader = Reader(str(copy), live=True)
    assert of(Delegated, list(reader)) == []
    before = json.dumps(reader.checkpoint())
    assert len(of(Delegated, reader.pending())) == 1
    assert json.dumps(reader.checkpoint()) == before


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


def test_an_old_fork_repeats_its_parents_first_record_and_is_still_itself(tmp_path: Path) -> None:
    parent = ("session_meta", {"id": "01a1e232-ffff-7000-8000-000000000000", "cwd": "/elsewhere"})
    told = [(part.name, part.value) for part in of(Changed, read(write(tmp_path / "a.jsonl", parent)))]
    assert ("parent", "01a1e232-ffff-7000-8000-000000000000") in told
    assert ("cwd", "/elsewhere") not in told


def test_copied_turns_of_an_old_fork_have_the_keys_of_their_originals(tmp_path: Path) -> None:
    turn = [
        event("task_started", turn_id="01a1e232-1234-7000-8000-000000000000"),
        event("user_message", message="hello"),
    ]
    one = Reader(str(write(tmp_path / "a.jsonl", *turn)))
    copied = ("session_meta", {"id": THREAD})
    two = Reader(str(write(tmp_path / "b.jsonl", copied, *turn, thread="01a1e2ff-0000-7000-8000-000000000000")))
    list(one), list(two)
    assert list(one.lines.values()) == [1, 2, 3]
    assert [two.lines.get(key, 0) for key in one.lines] == [0, 3, 4]


def test_pictures_beside_words_leave_the_words(tmp_path: Path) -> None:
    content = [{"type": "local_image", "path": "/w/a.png"}, {"type": "text", "text": "like this"}]
    assert human(read(write(tmp_path / "a.jsonl", item("UserMessage", id="1", content=content)))) == [
        ("turn", "like this")
    ]
