"""`thruline forget` after hooks and worker: nothing of ours names the session or holds its words."""

import json
import os
from pathlib import Path

from tests.work.shop import CORRECTION, FIRST, HARNESS, SECOND, Shop
from thruline.operations.forget.forgetting import forget, plan_forget


def find_mentions(folder: Path, *words: str) -> list[str]:
    """Files of ours below `folder` that hold one of the words, in their name or inside."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file() and (FIRST in path.name or any(word.encode() in path.read_bytes() for word in words)):
            found.append(str(path))
    return found


def test_nothing_of_a_session_is_left_by_hooks_or_worker(marked: Shop, home: Path) -> None:
    marked.run_session(FIRST, pid=os.getpid())
    marked.spool("tool_done", FIRST, files=[[str(marked.root / "a.py"), "edited"]])
    marked.spool("before_compact", FIRST, trigger="auto", pid=os.getpid())
    marked.spool("session_start", SECOND, source="resume", pid=os.getpid())
    marked.work()
    marked.tell(marked.hooks.build_resume(HARNESS), SECOND)
    marked.spool("prompt", FIRST)
    for kind in ("bad", "unfit"):  # what the worker set aside
        aside = Path(marked.hooks.work, kind, "00000000000000000001-1.json")
        aside.parent.mkdir()
        aside.write_text(json.dumps({"session": FIRST, "said": CORRECTION}))
    back = marked.hooks.build_start(HARNESS)
    os.rename(back, marked.hooks.build_reopened(back))
    assert Path(marked.project.logs, "pre-compact-state.json").exists()
    state = Path(marked.hooks.state)
    assert len(find_mentions(state, FIRST, CORRECTION)) > 4
    assert len(find_mentions(marked.root, FIRST, CORRECTION)) > 2
    forget(plan_forget(FIRST))
    assert find_mentions(state, FIRST, CORRECTION) == []
    assert find_mentions(marked.root, FIRST, CORRECTION) == []
    assert [row["session_id"] for row in marked.rows("sessions.jsonl")] == [SECOND]
    marked.work()  # and the worker goes on
    assert marked.resume() is None


def test_what_another_session_was_told_of_it_does_not_bring_it_back(marked: Shop, home: Path) -> None:
    marked.run_session(FIRST, pid=os.getpid())
    marked.work()
    marked.spool("prompt", SECOND, told=[f"resume {HARNESS}:{FIRST}:1", "another text"])
    forget(plan_forget(FIRST))
    assert find_mentions(Path(marked.hooks.state), FIRST) == []
    (left,) = Path(marked.hooks.spool).glob("*.json")
    assert json.loads(left.read_bytes())["told"] == ["another text"]
    marked.work()
    assert find_mentions(Path(marked.hooks.state), FIRST) == []
    assert find_mentions(Path(marked.hooks.state), SECOND) != []
