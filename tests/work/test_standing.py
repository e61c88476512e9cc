"""How a session left its project: branch, changes, task, drift; and who is told of it."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.work.shop import FIRST, HARNESS, OTHER, SECOND, Shop
from thruline.session.summary import Summary

ME = os.getpid()


def read_last(shop: Shop) -> dict[str, object]:
    found: dict[str, object] = json.loads(Path(shop.project.logs, "last-session.json").read_text())
    return found


def turn(shop: Shop, session: str = FIRST) -> None:
    shop.put(session)
    shop.spool("turn_end", session, pid=ME)
    shop.work()


@pytest.fixture
def versioned(marked: Shop) -> Shop:
    """A project with a marker and one commit of everything."""
    (marked.root / "a.py").write_text("a\n")
    marked.git("init", "-q", "-b", "main")
    marked.git("add", "a.py")
    marked.git("commit", "-qm", "Begin.")
    return marked


@pytest.mark.feature("F002-01", via="unit")
def test_after_a_turn_the_state_of_the_tree_is_there_without_our_own_files(versioned: Shop) -> None:
    turn(versioned)
    last = read_last(versioned)
    assert (last["branch"], last["uncommitted_changes"]) == ("main", 0)
    assert {"ended_at", "forge_phase", "forge_task"} <= set(last)
    (versioned.root / "a.py").write_text("b\n")
    (versioned.root / "new.py").write_text("b\n")
    turn(versioned)
    assert read_last(versioned)["uncommitted_changes"] == 2


def test_a_neighbour_of_our_folder_counts(versioned: Shop) -> None:
    (versioned.root / ".agent" / "skills").mkdir()
    (versioned.root / ".agent" / "skills" / "x.md").write_text("x")
    turn(versioned)
    assert read_last(versioned)["uncommitted_changes"] == 1


@pytest.mark.feature("F002-06", via="unit")
@pytest.mark.parametrize("without", ["git", "repository"])
def test_without_git_everything_else_is_there(
    marked: Shop, monkeypatch: pytest.MonkeyPatch, without: str, tmp_path: Path
) -> None:
    if without == "git":
        monkeypatch.setenv("PATH", str(tmp_path))
        assert shutil.which("git") is None
    turn(marked)
    last = read_last(marked)
    assert last["branch"] == ("main" if without == "git" else "")  # what the session said, where nobody can tell better
    assert last["uncommitted_changes"] == 0
    assert last["git"]
    assert marked.resume() is not None
    assert marked.state.parked == []


@pytest.mark.feature("F002-02", via="unit")
def test_the_person_is_warned_of_a_dirty_tree_once_a_session(versioned: Shop) -> None:
    (versioned.root / "a.py").write_text("b\n")
    turn(versioned)
    late = versioned.late(FIRST)
    assert late is not None
    assert late["kind"] == "user"
    assert "1 uncommitted change" in late["text"]
    versioned.tell(versioned.hooks.build_late(HARNESS, FIRST), FIRST, "prompt")
    turn(versioned)
    assert versioned.late(FIRST) is None
    start = versioned.start()
    assert start is not None
    assert "1 uncommitted change" in start["text"]  # and again at the next start


def test_a_warning_that_nobody_heard_goes_with_its_session(versioned: Shop) -> None:
    (versioned.root / "a.py").write_text("b\n")
    turn(versioned)
    versioned.spool("session_end", reason="other")
    versioned.work()
    assert versioned.late(FIRST) is None


@pytest.mark.feature("F002-24", via="unit")
@pytest.mark.feature("F002-25", via="unit")
@pytest.mark.parametrize("with_notes", [True, False])
def test_learn_pending_is_told_once_and_then_gone(shop: Shop, with_notes: bool) -> None:
    flag = Path(shop.hooks.work, "learn-pending")
    flag.parent.mkdir(parents=True)
    flag.touch()
    if with_notes:
        turn(shop)
    else:
        shop.spool("prompt", pid=ME)
        shop.work()
    envelope = shop.resume()
    assert envelope is not None
    assert "something to learn" in envelope["text"]
    told = shop.tell(shop.hooks.build_resume(HARNESS), SECOND)  # claimed: nobody else hears it
    shop.spool("session_start", SECOND, source="startup", pid=ME, told=[told])
    shop.work()
    assert not flag.exists()
    assert shop.resume() is None
    assert shop.resume(OTHER) is None
    flag.touch()
    shop.spool("prompt", SECOND, pid=ME)
    shop.work()
    assert "something to learn" in str(shop.resume())  # another time, once more


def test_a_flag_that_a_repository_ships_says_nothing_to_anybody(marked: Shop) -> None:
    for name in ("learn-pending", ".learn-pending"):
        flag = Path(marked.project.logs, name)
        flag.parent.mkdir(parents=True, exist_ok=True)
        flag.touch()
    marked.spool("prompt", pid=ME)
    marked.work()
    assert marked.resume() is None


def test_a_session_that_writes_mostly_elsewhere_has_drifted(marked: Shop, tmp_path: Path) -> None:
    other = Path(os.path.realpath(tmp_path)) / "payments"
    (other / ".git").mkdir(parents=True)
    (other / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    marked.put()
    files = [[str(other / f"{n}.py"), "edited"] for n in range(3)]
    marked.spool("tool_done", files=[[str(marked.root / "a.py"), "edited"], *files], pid=ME)
    marked.spool("turn_end", pid=ME)
    marked.work()
    rows = marked.rows("sessions.jsonl")
    assert [(row["event"], row["to"]) for row in rows] == [("drifted", str(other))]
    assert [row.get("outside", False) for row in marked.rows("relevant-files.jsonl")] == [False, True, True, True]
    assert read_last(marked)["drift"] == str(other)
    start = marked.start()
    assert start is not None
    assert str(other) in start["text"]


def test_notes_outside_any_project_are_no_drift(marked: Shop, tmp_path: Path) -> None:
    marked.spool("tool_done", files=[[str(tmp_path / f"note-{n}.txt"), "created"] for n in range(9)], pid=ME)
    marked.work()
    assert marked.rows("sessions.jsonl") == []
    assert len(marked.rows("relevant-files.jsonl")) == 9


def test_the_task_is_the_one_in_progress_else_the_title_else_how_it_began() -> None:
    from thruline.operations.work.standing import find_task

    summary = Summary()
    summary.first_prompt = "Make it  faster"
    assert find_task(summary) == "Make it faster"
    summary.title = "Export"
    assert find_task(summary) == "Export"
    summary.tasks = [("done", "completed"), ("now", "in_progress"), ("later", "pending")]
    assert find_task(summary) == "now"


def test_an_older_session_does_not_overwrite_what_the_newest_left(marked: Shop) -> None:
    turn(marked, SECOND)
    marked.put(FIRST)
    marked.clock -= 500
    marked.spool("turn_end", FIRST, pid=ME)
    marked.work()
    assert read_last(marked)["session_id"] == SECOND
