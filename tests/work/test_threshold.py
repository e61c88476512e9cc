"""A session that became too full: its handoff and its resume lie ready, once, whatever git and disk say."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.work.shop import CORRECTION, FIRST, HARNESS, Shop
from thruline.artifacts.handoff import is_handoff_name
from thruline.brief.section import NAMES
from thruline.clock import parse_time, read_clock, stopped_at
from thruline.operations.loops.verbs import Wish, start_loop
from thruline.operations.sessions.current import Current
from thruline.operations.work.fold import THRESHOLD

ME = os.getpid()
HEADINGS = len(NAMES)


def read_handoff(shop: Shop) -> str:
    (name,) = shop.handoffs()
    assert is_handoff_name(name)
    return Path(shop.project.handoffs, name).read_text()


@pytest.mark.feature("F002-31", via="unit")
@pytest.mark.parametrize("state", ["no git", "git", "broken git"])
def test_at_the_threshold_a_whole_handoff_and_a_pending_resume_lie_ready(marked: Shop, state: str) -> None:
    if state != "no git":
        marked.git("init", "-q")
    if state == "broken git":
        Path(marked.root, ".git", "HEAD").write_text("nonsense")
    marked.put()
    marked.spool("session_start", source="startup", pid=ME)
    marked.spool("threshold", percent=74, pid=ME)
    marked.work()
    text = read_handoff(marked)
    assert text.count("\n## ") >= HEADINGS
    assert CORRECTION in text
    resume = marked.resume()
    assert resume is not None
    assert (resume["from"], resume["pid"]) == (FIRST, ME)  # told to nobody else while its client runs
    assert marked.state.parked == []


def test_a_session_without_a_turn_of_a_person_is_handed_off_too(marked: Shop) -> None:
    path = marked.put()
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows = [row for row in rows if row.get("type") != "queue-operation"]
    for row in rows:
        if row.get("type") == "user" and isinstance(row["message"]["content"], str):
            row["planContent"] = row["message"]["content"]  # as a session that began with an accepted plan
            row.pop("origin", None)
            row.pop("promptSource", None)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    marked.spool("session_start", source="startup", pid=ME)
    marked.spool("threshold", percent=74, pid=ME)
    marked.work()
    (session,) = marked.state.sessions.values()
    assert session.turns == 0
    assert read_handoff(marked).count("\n## ") >= HEADINGS
    resume = marked.resume()
    assert resume is not None
    assert resume["from"] == FIRST


def test_a_second_time_and_the_end_renew_the_same_handoff(shop: Shop) -> None:
    shop.put(size=12_000)
    shop.spool("threshold", percent=74, pid=ME)
    shop.work()
    before = shop.handoffs()
    shop.put()
    shop.spool("threshold", percent=71, pid=ME)
    shop.work()
    shop.spool("session_end", reason="other")
    shop.work()
    assert shop.handoffs() == before
    assert CORRECTION in read_handoff(shop)


def test_a_disk_that_takes_no_handoff_is_told_by_doctor_and_nothing_else(marked: Shop) -> None:
    Path(marked.project.handoffs).parent.mkdir(parents=True, exist_ok=True)
    Path(marked.project.handoffs).write_text("a file where a folder should be")
    marked.put()
    marked.spool("threshold", percent=74, pid=ME)
    marked.work()
    assert [each.job for each in marked.state.parked] == [THRESHOLD]
    assert marked.resume() is not None


@pytest.fixture
def counted(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Ends a turn of a session whose transcript tells so many tokens of so large a window; how many handoffs wait."""
    from thruline.session.summary import Summary

    def turn(context: int, window: int = 100_000) -> int:
        real = Summary.see_all

        def see_all(summary: Summary, found: Any) -> None:
            real(summary, found)
            summary.context, summary.window = context, window

        monkeypatch.setattr(Summary, "see_all", see_all)
        shop.put()
        shop.spool("turn_end", pid=ME)
        shop.work()
        monkeypatch.setattr(Summary, "see_all", real)
        return len(shop.handoffs())

    return turn


def test_without_a_status_line_the_transcripts_tokens_tell(counted: Any, shop: Shop) -> None:
    assert counted(69_999) == 0
    assert counted(70_000) == 1
    flag = Path(shop.hooks.build_flag(HARNESS, FIRST))
    assert flag.read_text() == "fired 70\n"


def test_a_window_that_is_not_told_fires_nothing(counted: Any) -> None:
    assert counted(990_000, window=0) == 0


def test_what_the_status_line_fired_is_not_fired_again_by_the_transcript(counted: Any, shop: Shop) -> None:
    flag = Path(shop.hooks.build_flag(HARNESS, FIRST))
    flag.parent.mkdir(parents=True)
    flag.write_text("fired 74\n")
    assert counted(90_000) == 0


def test_after_a_compaction_it_may_fire_once_more(counted: Any, shop: Shop) -> None:
    flag = Path(shop.hooks.build_flag(HARNESS, FIRST))
    counted(80_000)
    shop.spool("after_compact", summary="All was well.", pid=ME)
    assert counted(80_000) == 1
    assert flag.read_text().startswith("waiting 80")
    counted(20_000)
    assert flag.read_text().startswith("armed")
    counted(75_000)
    assert flag.read_text() == "fired 75\n"


def test_the_status_line_finds_branch_changes_and_task_of_a_running_session(marked: Shop) -> None:
    marked.git("init", "-q", "-b", "main")
    Path(marked.root, "a.py").write_text("x")
    marked.put()
    marked.spool("turn_end", pid=ME)
    marked.work()
    path = Path(marked.hooks.build_status(HARNESS, FIRST))
    shown = json.loads(path.read_text())
    assert (shown["branch"], shown["dirty"]) == ("main", 1)
    assert shown["task"].startswith("The nightly export")
    assert json.loads(Path(marked.hooks.status).read_text()) == {"schema": 1, "branch": "main", "dirty": 1}
    marked.spool("session_end", reason="other")
    marked.work()
    assert not path.exists()


def test_the_status_line_finds_how_far_a_loop_came_since_when_for_what_and_its_last_line(marked: Shop) -> None:
    marked.put()
    began = read_clock()
    with stopped_at(began):
        made = start_loop(marked.project, Wish("Port it.", "", 9, ("ALL PORTED", "NONE")), Current(HARNESS, FIRST)).loop
    path, status = Path(made.document.path), Path(marked.hooks.build_status(HARNESS, FIRST))

    def show() -> str:
        marked.spool("turn_end", pid=ME)
        marked.work()
        return str(json.loads(status.read_text()).get("loop", ""))

    assert show() == f"loop 0/9 since {began.astimezone():%H:%M}, ALL PORTED or NONE"
    text = path.read_text().replace("iteration: 0", "iteration: 2").replace("last_line: null", "last_line: Two left.")
    path.write_text(text.replace(f"{began:%Y-%m-%d}T", "2025-01-02T", 1))
    then = parse_time(f"2025-01-02T{began:%H:%M:%S}Z").astimezone()
    assert show() == f"loop 2/9 since {then:%Y-%m-%d}, ALL PORTED or NONE: Two left."
    path.write_text(path.read_text().replace("status: active", "status: paused"))
    assert show() == ""
