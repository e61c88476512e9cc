"""Processes are told apart by number and birth, and one that is over does not run, whoever still has to be told."""

import os
import subprocess
import sys

import pytest

from thruline import process
from thruline.process import is_same_running, read_process

needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="Linux tells it, others do not")


@needs_proc
def test_a_process_is_read_whatever_its_name():
    code = "open('/proc/self/comm', 'w').write('a) b (c 1 2'); print(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as odd:
        assert odd.stdout is not None
        odd.stdout.readline()
        name, parent, born = read_process(odd.pid)
        assert (name, parent) == ("a) b (c 1 2", os.getpid())
        assert born >= read_process(os.getpid())[2]
        odd.kill()


@needs_proc
def test_a_process_that_is_over_is_none_even_before_it_was_waited_for():
    over = subprocess.Popen(["true"])
    os.waitid(os.P_PID, over.pid, os.WEXITED | os.WNOWAIT)
    assert read_process(over.pid) == ("", 0, 0)
    over.wait()
    assert read_process(over.pid) == ("", 0, 0)


@needs_proc
def test_a_number_that_was_given_again_is_another_process():
    born = read_process(os.getpid())[2]
    assert is_same_running(os.getpid(), born)
    assert is_same_running(os.getpid(), 0)
    assert not is_same_running(os.getpid(), born - 1)


def test_a_process_that_was_waited_for_does_not_run():
    over = subprocess.Popen(["true"])
    over.wait()
    assert not is_same_running(over.pid, 0)
    assert not is_same_running(2**40, 0)


@needs_proc
def test_one_that_is_over_does_not_run_even_before_it_was_waited_for():
    over = subprocess.Popen(["true"])
    os.waitid(os.P_PID, over.pid, os.WEXITED | os.WNOWAIT)
    assert not is_same_running(over.pid, 0)
    over.wait()


def test_without_proc_the_number_decides(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(process.os.path, "exists", lambda _path: False)
    assert is_same_running(os.getpid(), 12345)
