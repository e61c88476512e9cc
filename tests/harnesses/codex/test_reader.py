"""Recorded sessions of both formats, and how a reading goes: forks, copies, both decoders."""

import json
from pathlib import Path

import pytest

from tests.harnesses.codex.rollouts import FORK, HERE, NEW, OLD, actions, client, human, of, read
from thruline.harnesses import line_reader
from thruline.harnesses.codex.reader import Reader
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
    Tasks,
    Thought,
    Used,
)

CHILD = next(HERE.glob("relatives/*5327*.jsonl"))


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
