"""Copies, branches and forks inside one file: what was left behind is marked, and nothing else is."""

import sys
from typing import Any

import pytest

from thruline.harnesses.claude_code.reader import Reader, key_of
from thruline.session.parts import Rewound, Said


def rewinds(transcript: Any) -> list[tuple[int, int, int]]:
    reader = Reader(str(transcript.path))
    return [(part.line, part.first, part.last) for part in reader if isinstance(part, Rewound)]


def test_going_back_marks_what_was_left_behind(transcript: Any) -> None:
    transcript.user("start")
    base = transcript.agent("ready")
    transcript.user("try a lock")
    transcript.agent("locked")
    transcript.user("and then")
    transcript.agent("more")
    transcript.user("try a queue instead", parent=base)
    assert rewinds(transcript) == [(7, 3, 6)]


def test_a_prompt_edited_before_any_answer_leaves_the_first_behind(transcript: Any) -> None:
    base = transcript.agent("ready")
    transcript.user("try a lok")
    transcript.user("try a lock", parent=base)
    assert rewinds(transcript) == [(3, 2, 2)]


def test_parallel_results_hooks_and_attachments_are_no_rewind(transcript: Any) -> None:
    transcript.user("go")
    first = transcript.call("t1", "Read", file_path="/a")
    second = transcript.call("t2", "Read", file_path="/b")
    transcript.result("t2", "b", parent=second)
    transcript.result("t1", "a", parent=first)
    answer = transcript.agent("both read")
    transcript.record("system", subtype="stop_hook_summary")
    transcript.record("attachment", attachment={"type": "hook_success", "content": ""})
    transcript.user("next", parent=answer)
    assert rewinds(transcript) == []


def test_a_compaction_closes_what_came_before(transcript: Any) -> None:
    early = transcript.user("a")
    transcript.user("b")
    transcript.record("system", None, subtype="compact_boundary", compactMetadata={"trigger": "auto"})
    transcript.user("summary", isCompactSummary=True)
    transcript.user("c")
    transcript.user("d", parent=early)
    assert rewinds(transcript) == []


def test_a_parent_in_another_file_is_no_rewind(transcript: Any) -> None:
    transcript.user("a")
    transcript.user("b", parent="99999999-9999-4999-8999-999999999999")
    assert rewinds(transcript) == []


def test_copies_are_skipped_and_counted(transcript: Any) -> None:
    uuid = transcript.user("once")
    transcript.user("once", uuid=uuid)
    reader = Reader(str(transcript.path))
    assert [part.line for part in reader if isinstance(part, Said)] == [1]
    assert reader.counts["copy"] == 1
    again = Reader(str(transcript.path), seen={key_of(uuid)})
    assert [part for part in again if isinstance(part, Said)] == []
    assert again.counts["copy"] == 2


def test_ids_of_any_shape_make_keys_that_checkpoints_can_hold() -> None:
    ids = ["", "u1", "-1", "ffffffff-ffff-4fff-bfff-ffffffffffff", "é", "msg_01"]
    keys = [key_of(one) for one in ids]
    assert len(set(keys)) == len(ids)
    assert all(0 <= key < 1 << 64 for key in keys)


def test_a_record_under_a_progress_record_finds_its_place(transcript: Any) -> None:
    transcript.user("start")
    base = transcript.agent("ready")
    flood = transcript.record("progress", data={"type": "hook_progress", "uuid": "no"}, toolUseID="x")
    transcript.user("one", parent=flood)
    transcript.user("other", parent=flood)
    assert base
    assert rewinds(transcript) == [(5, 4, 4)]
    reader = Reader(str(transcript.path))
    list(reader)
    assert reader.counts["progress"] == 1


def test_going_back_to_the_first_prompt_leaves_all_since_it_behind(transcript: Any) -> None:
    transcript.user("first", parent=None)
    transcript.agent("a")
    transcript.user("second")
    transcript.agent("b")
    transcript.user("first, in other words", parent=None)
    assert rewinds(transcript) == [(5, 1, 4)]


def test_a_root_that_may_be_something_else_is_no_rewind(transcript: Any) -> None:
    start = transcript.record("system", None, subtype="informational")
    transcript.user("under a record of the client", parent=start)
    transcript.agent("a")
    transcript.user("a root where the first prompt was none", parent=None)
    assert rewinds(transcript) == []
    transcript.record("system", None, subtype="compact_boundary", compactMetadata={})
    transcript.user("one", parent=None)
    transcript.user("two", parent=None)
    assert rewinds(transcript) == []


def count_steps(path: Any) -> int:
    """How many lines of code a reading, its pending parts and its checkpoint take."""
    steps = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal steps
        steps += 1
        return trace

    reader = Reader(str(path), live=True)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for _ in reader:
            pass
        reader.pending()
        reader.checkpoint()
    finally:
        sys.settrace(before)
    return steps


@pytest.mark.parametrize("shape", ["rewinds", "sides", "open sides"])
def test_the_work_grows_with_the_file_not_with_its_square(transcript: Any, shape: str) -> None:
    def grow(number: int) -> int:
        transcript.path.write_bytes(b"")
        base = transcript.user("base")
        transcript.user("next")
        for at in range(number):
            if shape == "rewinds":
                base = transcript.user(f"keep {at}", parent=base)
                transcript.user(f"go {at}")
                transcript.user(f"leave {at}", parent=base)
            else:
                transcript.call(f"t{at}", "Task", prompt=f"look {at}", description="d")
                first = transcript.user(f"look {at}", isSidechain=True, parent=None, agentId=f"a{at}")
                transcript.agent("seen", isSidechain=True, parent=first, agentId=f"a{at}")
                if shape == "sides" or at % 50 == 0:
                    transcript.result(f"t{at}", "done", result={})
        return count_steps(transcript.path)

    small, large = grow(60), grow(240)
    assert large < 5 * small
