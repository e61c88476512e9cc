"""What a subagent inside the main file did to the disk is in the ledger; of its talk the spine keeps one line."""

from typing import Any

import pytest

from thruline.harnesses.claude_code.reader import Reader
from thruline.session.ledger import Ledger
from thruline.session.parts import Call, Result, Said
from thruline.session.summary import Summary
from thruline.spine.build import build_spine
from thruline.spine.entry import render_entry

REFUSAL = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\nnot in that file"
)


@pytest.fixture
def delegated(transcript: Any) -> Any:
    """A session whose subagent reads, writes, edits, removes, commits, fails and is refused."""
    transcript.user("Let another agent tidy up")
    transcript.call("t1", "Task", prompt="Tidy up", description="tidy")
    at = transcript.user("Tidy up", isSidechain=True, parent=None)
    steps = [
        ("s1", "Read", {"file_path": "/p/seen.py"}, "text", False),
        ("s2", "Write", {"file_path": "/p/new.py", "content": "x"}, "File created successfully at: /p/new.py", False),
        ("s3", "Edit", {"file_path": "/p/old.py", "old_string": "a", "new_string": "b"}, "updated", False),
        ("s4", "Bash", {"command": "rm /p/gone.py && git commit -m Tidy"}, "[main 1a2b3c4] Tidy\n 1 file", False),
        ("s5", "Edit", {"file_path": "/p/failed.py", "old_string": "a", "new_string": "b"}, "not found", True),
        ("s6", "Write", {"file_path": "/p/refused.py", "content": "x"}, REFUSAL, True),
        ("s7", "TodoWrite", {"todos": [{"content": "its own list", "status": "pending"}]}, "ok", False),
    ]
    for call_id, name, given, content, failed in steps:
        call = {"type": "tool_use", "id": call_id, "name": name, "input": given}
        at = transcript.agent(call, isSidechain=True, parent=at)
        at = transcript.result(call_id, content, error=failed, isSidechain=True, parent=at)
    transcript.agent("All is tidy", isSidechain=True, parent=at)
    transcript.result("t1", [{"type": "text", "text": "All is tidy"}], result={})
    return transcript


def test_files_and_commits_of_an_inline_subagent_are_in_the_ledger(delegated: Any) -> None:
    ledger = Ledger()
    ledger.see_all(Reader(str(delegated.path)))
    assert {path: fact.how for path, fact in ledger.files.items()} == {
        "/p/new.py": ["created"],
        "/p/old.py": ["edited"],
        "/p/gone.py": ["deleted"],
    }
    assert ledger.files["/p/old.py"].last == 9
    assert [(commit.digest, commit.line) for commit in ledger.commits] == [("1a2b3c4", 11)]


def test_its_calls_stay_out_of_the_spine_and_its_tasks_out_of_the_session(delegated: Any) -> None:
    parts = list(Reader(str(delegated.path)))
    assert [part.name for part in parts if isinstance(part, Call)] == ["Task"]
    spine = "".join(render_entry(entry) for entry in build_spine(parts))
    assert "All is tidy" in spine
    assert not any(name in spine for name in ("old.py", "new.py", "gone.py", "its own list"))
    summary = Summary()
    summary.see_all(parts)
    assert (summary.calls, summary.errors, summary.tasks) == (1, 0, [])
    own = [part for part in parts if isinstance(part, Result) and part.call_id == "t1"]
    assert summary.last_uuid == own[0].uuid


def test_what_a_person_typed_to_refuse_it_is_a_persons_word(delegated: Any) -> None:
    said = [part for part in Reader(str(delegated.path)) if isinstance(part, Said) and part.by == "human"]
    assert [(part.kind, part.text, part.about) for part in said] == [
        ("turn", "Let another agent tidy up", ""),
        ("rejection", "not in that file", "Write /p/refused.py"),
    ]


def test_a_reading_that_goes_on_inside_a_subagent_tells_the_same(delegated: Any) -> None:
    whole = [repr(part) for part in Reader(str(delegated.path))]
    lines = delegated.path.read_bytes().splitlines(keepends=True)
    for cut in range(1, len(lines)):
        delegated.path.write_bytes(b"".join(lines[:cut]))
        first = Reader(str(delegated.path), live=True)
        told = [repr(part) for part in first]
        delegated.path.write_bytes(b"".join(lines))
        told += [repr(part) for part in Reader(str(delegated.path), checkpoint=first.checkpoint())]
        assert told == whole, cut
