"""What a session is told when it starts, by docs/design/0016-hooks-at-work.md, through the real door."""

import os
import subprocess
import sys

import pytest

from tests.hooks.conftest import HARNESS, OTHER, SESSION, WIRED, Hook
from tests.hooks.ready import RESUME, START
from thruline.process import read_process


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


def test_nobody_is_told_while_another_client_is_about_to(hook: Hook):
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
def test_two_windows_do_not_mix_but_the_dead_are_heard(hook: Hook):
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
