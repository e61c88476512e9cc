"""What is told to whom, and when: the rules of docs/design/0016-hooks-at-work.md, through the real door."""

import json
import os
import subprocess
import sys

import pytest

from tests.hooks.conftest import HARNESS, OTHER, SESSION, WIRED, Hook
from thruline.hooks.event import find_wire
from thruline.hooks.handlers import HANDLERS
from thruline.process import read_process

START, RESUME, LATE, KEEP = (
    "A line about the last one.",
    "What the last one left.",
    "Lost in the summary.",
    "Keep this.",
)


@pytest.fixture
def gone() -> int:
    """The number of a process that is over."""
    over = subprocess.Popen(["true"])
    over.wait()
    return over.pid


# --- the start of a session


@pytest.mark.parametrize("harness", WIRED)
@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("startup", f"{START}\n\n{RESUME}"),
        ("clear", f"{START}\n\n{RESUME}"),
        ("resume", START),
        ("fork", START),
        ("compact", ""),
        ("", START),
    ],
)
def test_a_start_hears_the_last_one_and_only_a_fresh_one_what_it_left(hook: Hook, harness: str, source: str, told: str):
    hook.write_ready(hook.here.build_start(harness), START, kind="start")
    resume = hook.write_ready(hook.here.build_resume(harness), RESUME)
    assert hook.ask("session_start", harness=harness, source=source) == told
    assert resume.exists() == (RESUME not in told)
    assert hook.read_troubles() == []


@pytest.mark.feature("F002-36", via="unit")
def test_what_was_left_is_told_once_and_the_line_every_time(hook: Hook):
    hook.write_ready(hook.here.build_start(HARNESS), START, kind="start")
    hook.write_ready(hook.here.build_resume(HARNESS), RESUME)
    assert RESUME in hook.ask("session_start")
    assert hook.ask("session_start", "another-session") == START
    assert os.listdir(os.path.dirname(hook.here.build_resume(HARNESS))) == []


def test_what_was_left_is_told_once_whichever_client_comes_next(hook: Hook):
    for harness in WIRED:
        hook.write_ready(hook.here.build_resume(harness), RESUME)
    assert hook.ask("session_start", harness=WIRED[-1]) == RESUME
    for number, harness in enumerate(WIRED):
        assert hook.ask("session_start", f"another-session-{number}", harness=harness) == ""
    assert os.listdir(os.path.dirname(hook.here.build_resume(HARNESS))) == []
    assert hook.read_troubles() == []


def test_nobody_is_told_while_another_client_is_about_to(hook: Hook, gone: int):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        hook.write_ready(hook.here.build_resume(WIRED[-1]), RESUME)
        taken = hook.here.build_resume(HARNESS) + f".{OTHER}.{other.pid}.{read_process(other.pid)[2]}"
        hook.write_ready(taken, RESUME)
        assert hook.ask("session_start", harness=WIRED[-1]) == ""
        other.communicate(b"\n")
    assert hook.ask("session_start", harness=WIRED[-1]) == RESUME  # that one died before it could
    assert os.path.exists(taken)  # the worker's to settle


def test_what_could_not_be_printed_is_left_for_every_client_again(hook: Hook):
    paths = [hook.write_ready(hook.here.build_resume(harness), RESUME) for harness in WIRED]
    with open("/dev/full", "wb") as full:
        command = [*hook.command, HARNESS, "session_start"]
        subprocess.run(command, input=hook.build(), stdout=full, stderr=subprocess.PIPE, check=True)
    assert sorted(os.listdir(paths[0].parent)) == sorted(path.name for path in paths)


def test_a_session_is_not_told_of_itself(hook: Hook):
    hook.write_ready(hook.here.build_start(HARNESS), START, **{"from": SESSION})
    resume = hook.write_ready(hook.here.build_resume(HARNESS), RESUME, **{"from": SESSION})
    assert hook.ask("session_start") == ""
    assert resume.exists()


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="Linux tells when a process began")
def test_two_windows_do_not_mix_but_the_dead_are_heard(hook: Hook, gone: int):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as window:
        born = read_process(window.pid)[2]
        resume = hook.write_ready(hook.here.build_resume(HARNESS), RESUME, pid=window.pid, born=born)
        hook.write_ready(hook.here.build_start(HARNESS), START, pid=window.pid, born=born)
        assert hook.ask("session_start") == ""
        assert resume.exists()
        # The number of the dead was given to this one since.
        hook.write_ready(hook.here.build_resume(HARNESS), RESUME, pid=window.pid, born=born - 1)
        assert hook.ask("session_start") == RESUME
        window.communicate(b"\n")
    hook.write_ready(hook.here.build_resume(HARNESS), RESUME, pid=window.pid, born=born)
    assert hook.ask("session_start", "another-session") == f"{START}\n\n{RESUME}"


def test_one_that_was_killed_is_heard(hook: Hook, gone: int):
    hook.write_ready(hook.here.build_resume(HARNESS), RESUME, pid=gone)
    assert hook.ask("session_start") == RESUME


def test_a_session_cleared_in_the_same_client_is_heard(hook: Hook):
    hook.write_ready(hook.here.build_resume(HARNESS), RESUME, pid=os.getpid())  # we are the client that runs the hook
    assert hook.ask("session_start", source="clear") == RESUME


@pytest.mark.parametrize("about", ["from", "among others"])
def test_a_session_that_goes_on_takes_back_what_lay_ready_about_it(hook: Hook, about: str):
    mine = {"id": f"resume {HARNESS}:{OTHER}:2 {HARNESS}:{SESSION}:1", "from": SESSION if about == "from" else OTHER}
    for harness in WIRED:
        hook.write_ready(hook.here.build_resume(harness), RESUME, **mine)
        hook.write_ready(hook.here.build_start(harness), START, **{"from": SESSION})
    hook.ask("session_start", SESSION, source="resume")
    for harness in WIRED:  # whichever client a neighbour runs in
        assert hook.ask("session_start", "another-session", harness=harness) == ""
    assert len(hook.find_starts(1)) >= 1  # the worker leaves them anew
    kept = os.listdir(os.path.dirname(hook.here.build_resume("")))
    assert sorted(kept) == sorted(f"{harness}.json.reopened" for harness in WIRED)
    assert hook.read_troubles() == []


def test_what_is_about_others_or_cannot_be_read_lies_where_it_lay(hook: Hook):
    start = hook.write_ready(hook.here.build_start(HARNESS), START)
    resume = hook.write_ready(hook.here.build_resume(HARNESS), RESUME)
    broken = hook.write_ready(hook.here.build_resume("other"), RESUME)
    broken.write_text("{")
    assert hook.ask("session_start", source="resume") == START
    assert hook.find_starts() == []
    assert all(path.exists() for path in (start, resume, broken))
    assert hook.read_troubles() == []


def test_a_line_that_no_longer_fits_is_dropped_before_what_was_left(hook: Hook):
    hook.write_ready(hook.here.build_start(HARNESS), "s" * 300, kind="start")
    hook.write_ready(hook.here.build_resume(HARNESS), "r" * 9_900)
    assert hook.ask("session_start") == "r" * 9_900


@pytest.mark.parametrize("harness", WIRED)
@pytest.mark.parametrize("text", ["r" * 10_001, "😀" * 5_001], ids=["letters", "pictures"])
def test_a_text_over_the_clients_limit_is_neither_cut_nor_told_nor_taken(hook: Hook, harness: str, text: str):
    path = hook.write_ready(hook.here.build_resume(harness), text)
    assert hook.ask("session_start", harness=harness) == ""
    assert path.exists()
    assert len(hook.read_troubles()) == 1
    assert len(hook.read_spool()) == 1


# --- while it runs


@pytest.mark.parametrize("harness", WIRED)
@pytest.mark.parametrize("event", ["prompt", "tool_done"])
def test_a_late_text_is_told_once_at_the_next_prompt_or_tool(hook: Hook, harness: str, event: str):
    path = hook.write_ready(hook.here.build_late(harness, SESSION), LATE, kind="late", **{"from": SESSION})
    assert hook.ask(event, "another-session", harness=harness) == ""
    assert hook.ask(event, harness=harness) == LATE
    assert hook.ask(event, harness=harness) == ""
    assert not path.exists()


@pytest.mark.parametrize("harness", WIRED)
def test_a_text_stays_where_the_client_would_not_hear_it(hook: Hook, harness: str):
    path = hook.write_ready(hook.here.build_late(harness, SESSION), LATE, kind="late")
    for event in [each for each in HANDLERS if each not in find_wire(harness).TELLS]:
        assert hook.ask(event, harness=harness) == ""
        assert path.exists(), event


def test_an_agent_of_the_session_is_not_told_in_its_place(hook: Hook):
    hook.write_ready(hook.here.build_late(HARNESS, SESSION), LATE, kind="late")
    assert hook.ask("tool_done", agent_id="a1fa2d26bb61ea5a7") == ""
    assert hook.ask("tool_done") == LATE


@pytest.mark.parametrize("harness", WIRED)
def test_a_message_to_the_person_does_not_reach_the_model(hook: Hook, harness: str):
    hook.write_ready(hook.here.build_late(harness, SESSION), "3 files are not committed.", kind="user")
    done = hook.run(harness, "prompt", payload=hook.build())
    assert json.loads(done.stdout) == {"systemMessage": "3 files are not committed."}
    assert [line["kind"] for line in hook.read_told()] == ["user"]


@pytest.mark.parametrize("harness", WIRED)
def test_what_a_summary_must_keep_is_told_where_the_client_takes_it_and_stays(hook: Hook, harness: str):
    path = hook.write_ready(hook.here.build_keep(harness, SESSION), KEEP, kind="keep")
    takes = "before_compact" in find_wire(harness).TELLS
    for _ in range(2):
        assert hook.ask("before_compact", harness=harness) == (KEEP if takes else "")
    assert path.exists()


@pytest.mark.parametrize("harness", WIRED)
def test_what_a_client_would_leave_in_the_conversation_beside_its_summary_is_not_printed(hook: Hook, harness: str):
    hook.write_ready(hook.here.build_keep(harness, SESSION), KEEP, kind="keep")
    for trigger in find_wire(harness).ECHOES:
        assert hook.ask("before_compact", harness=harness, trigger=trigger) == ""
        assert hook.read_spool()[-1]["event"] == "before_compact"  # and it is worked on all the same
    assert hook.read_told() == []


@pytest.mark.feature("F003-23", via="unit")
@pytest.mark.parametrize("harness", WIRED)
@pytest.mark.parametrize("event", ["turn_end", "session_end", "after_compact", "subagent_start", "subagent_end"])
def test_nothing_that_is_ready_is_said_where_it_would_keep_a_session_going(hook: Hook, harness: str, event: str):
    for path in (
        hook.here.build_start(harness),
        hook.here.build_resume(harness),
        hook.here.build_late(harness, SESSION),
        hook.here.build_keep(harness, SESSION),
    ):
        hook.write_ready(path, LATE)
    done = hook.run(harness, event, payload=hook.build(stop_hook_active=False, last_assistant_message="Done."))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert hook.read_told() == []


# --- what is not an envelope


@pytest.mark.parametrize(
    "text",
    [b"Plain words", b"", b'{"a": 1', b"[1]", b'{"schema": 2, "text": "x"}', b'{"schema": 1, "text": "x"}'],
)
def test_a_broken_ready_text_is_not_shown_to_the_model(hook: Hook, text: bytes):
    hook.write_ready(hook.here.build_start(HARNESS), START).write_bytes(text)
    assert hook.ask("session_start") == ""
    assert len(hook.read_troubles()) == 1
    assert len(hook.read_spool()) == 1


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_link_in_place_of_a_ready_text_is_not_followed(hook: Hook, tmp_path):
    path = hook.write_ready(hook.here.build_start(HARNESS), START)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert hook.ask("session_start") == ""


# --- what is remembered


def test_what_was_told_is_remembered_with_its_text_and_named_in_the_event(hook: Hook):
    hook.write_ready(hook.here.build_start(HARNESS), START, id="s1", kind="start")
    hook.write_ready(hook.here.build_resume(HARNESS), RESUME, id="r1")
    hook.ask("session_start")
    lines = hook.read_told()
    assert [list(line) for line in lines] == [
        ["at", "harness", "session", "event", "source", "id", "kind", "from", "characters", "text"]
    ] * 2
    [start, resume] = lines
    assert (start["id"], start["kind"], start["text"]) == ("s1", "start", START)
    assert (resume["id"], resume["from"], resume["characters"]) == ("r1", OTHER, len(RESUME))
    assert (resume["session"], resume["event"], resume["source"]) == (SESSION, "session_start", "startup")
    [event] = hook.read_spool()
    assert event["told"] == ["s1", "r1"]


@pytest.mark.feature("F003-19", via="unit")
@pytest.mark.parametrize("event", ["tool_done", "tool_failed"])
def test_a_tool_is_spooled_only_where_it_names_a_file_or_something_was_told(hook: Hook, event: str):
    assert hook.ask(event, tool_name="Bash", tool_input={"command": "make"}, tool_response="x") == ""
    assert hook.read_spool() == []
    hook.ask(event, tool_name="Edit", tool_input={"file_path": str(hook.project / "a.py")})
    [line] = hook.read_spool()
    assert line["files"] == [[str(hook.project / "a.py"), "edited"]]
    assert line["outcome"] == {"tool_done": "ok", "tool_failed": "error"}[event]
    hook.write_ready(hook.here.build_late(HARNESS, SESSION), LATE, id="l1", kind="late")
    hook.ask(event, tool_name="Bash")
    assert hook.read_spool()[1]["told"] == ["l1"]


# --- the worker

ALWAYS = {"session_end", "turn_end", "before_compact", "after_compact"}


@pytest.mark.parametrize("event", HANDLERS)
def test_the_worker_is_started_where_there_is_work_and_not_at_every_tool(hook: Hook, event: str):
    hook.ask(event, tool_name="Edit", tool_input={"file_path": "a"})
    assert len(hook.find_starts(1 if event in ALWAYS else 0)) == (event in ALWAYS)


def test_a_start_wakes_the_worker_where_a_session_ended_without_a_word(hook: Hook):
    hook.ask("prompt")
    hook.ask("session_start", "another-session")
    assert len(hook.find_starts(1)) == 1


@pytest.mark.parametrize("source", ["startup", "clear", "resume"])
def test_a_start_wakes_the_worker_where_one_died_between_its_turns(hook: Hook, gone: int, source: str):
    hook.write_ready(hook.here.build_start(HARNESS), START, kind="start", pid=gone)
    assert hook.ask("session_start", source=source) == START
    assert len(hook.find_starts(1)) == 1
    assert "unsettled" not in hook.read_spool()[0]


def test_a_start_wakes_the_worker_where_one_runs_that_may_hide_one_that_died(hook: Hook):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as window:
        born = read_process(window.pid)[2]
        hook.write_ready(hook.here.build_start(HARNESS), START, kind="start", pid=window.pid, born=born)
        assert hook.ask("session_start") == ""
        window.communicate(b"\n")
    assert len(hook.find_starts(1)) == 1


def test_a_start_wakes_the_worker_where_it_was_told_what_another_left(hook: Hook):
    hook.write_ready(hook.here.build_resume(HARNESS), RESUME)
    hook.ask("session_start")
    assert len(hook.find_starts(1)) == 1


def test_a_start_after_one_that_ended_properly_wakes_nobody(hook: Hook):
    hook.write_ready(hook.here.build_start(HARNESS), START, kind="start")
    assert hook.ask("session_start") == START
    assert hook.find_starts() == []
