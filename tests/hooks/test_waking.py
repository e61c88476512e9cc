"""Which event starts the worker: where there is work, and not at every tool."""

import subprocess
import sys

import pytest

from tests.hooks.conftest import HARNESS, Hook
from tests.hooks.ready import RESUME, START
from thruline.hooks.handlers import HANDLERS
from thruline.process import read_process

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
