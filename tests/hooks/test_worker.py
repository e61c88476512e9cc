"""The worker is started detached, once, by the interpreter that the stub names, and its absence is no trouble."""

import ast
import fcntl
import os
import subprocess
import time
from pathlib import Path

import pytest

from tests.hooks.conftest import HARNESS, Hook
from thruline.disk.lock import Lock
from thruline.hooks import worker as module
from thruline.hooks.worker import is_working, start_worker


def test_it_is_given_the_root_and_the_state_and_a_session_of_its_own(hook: Hook):
    below = hook.project / "below"
    below.mkdir()
    (hook.project / ".git").mkdir()
    (hook.project / ".git" / "HEAD").write_text("ref: x")
    done = hook.run(HARNESS, "turn_end", payload=hook.build(cwd=str(below)), env={"THRULINE_HOME": "/elsewhere"})
    assert done.returncode == 0
    [told] = hook.find_starts(1)
    arguments, state, leads, held = ast.literal_eval(told)
    assert arguments == ["-I", "-m", "thruline.cli.entry", "work", str(hook.project)]
    assert state == str(hook.state)
    assert leads
    assert held == ["/dev/null"] * 3  # none of the client's streams: it would wait for them


def test_it_outlives_the_group_that_the_client_kills(hook: Hook):
    script = Path(hook.state.parent, "worker", "python")
    script.write_text(script.read_text().replace("folder =", "import time; time.sleep(0.3)\nfolder ="))
    line = " ".join(f"'{word}'" for word in [*hook.command, HARNESS, "session_end"])
    client = subprocess.Popen(["sh", "-c", line], stdin=subprocess.PIPE, start_new_session=True)
    client.communicate(hook.build())
    try:
        os.killpg(client.pid, 9)
    except ProcessLookupError:
        pass  # nobody is left in it, the worker least of all
    assert len(hook.find_starts(1)) == 1


def test_a_descriptor_that_the_client_left_open_does_not_reach_it(hook: Hook):
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    script = Path(hook.state.parent, "worker", "python")
    script.write_text(script.read_text().replace("folder =", "import time; time.sleep(2)\nfolder ="))
    hook.run(HARNESS, "turn_end", payload=hook.build(), close_fds=False)
    os.close(writer)
    begun = time.monotonic()
    assert os.read(reader, 1) == b""  # the end comes with the hook, and not with the worker
    assert hook.find_starts() == [], f"the worker was waited for, {time.monotonic() - begun:.1f} s"
    os.close(reader)
    assert len(hook.find_starts(1)) == 1


def test_none_is_started_while_one_is_at_work(hook: Hook):
    os.makedirs(os.path.dirname(hook.here.work_lock))
    with Lock(hook.here.work_lock):
        assert is_working(hook.here.work_lock)
        hook.ask("turn_end")
        hook.ask("session_end")
        assert hook.find_starts() == []
    assert not is_working(hook.here.work_lock)
    hook.ask("turn_end")
    assert len(hook.find_starts(1)) == 1


def test_another_projects_worker_keeps_nobody_waiting(hook: Hook, tmp_path: Path):
    neighbour = Hook(hook.state, tmp_path / "neighbour")
    os.makedirs(os.path.dirname(neighbour.here.work_lock))
    with Lock(neighbour.here.work_lock):
        hook.ask("turn_end")
        assert len(hook.find_starts(1)) == 1


def test_a_look_at_the_lock_leaves_it_free(hook: Hook):
    os.makedirs(os.path.dirname(hook.here.work_lock))
    with Lock(hook.here.work_lock):
        pass
    assert not is_working(hook.here.work_lock)
    fd = os.open(hook.here.work_lock, os.O_RDWR)
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(fd)


def test_an_interpreter_that_is_gone_is_forgiven_and_logged(hook: Hook):
    Path(hook.state.parent, "worker", "python").unlink()
    assert hook.ask("turn_end") == ""
    assert "FileNotFoundError" in hook.read_troubles()[0]
    assert len(hook.read_spool()) == 1


def test_an_old_system_without_sessions_for_children_starts_it_in_a_group(hook: Hook, monkeypatch: pytest.MonkeyPatch):
    started = []

    def spawn(path, argv, env, **options):
        if "setsid" in options:
            raise NotImplementedError
        started.append(options["setpgroup"])

    monkeypatch.setattr(module.os, "posix_spawn", spawn)
    monkeypatch.setattr(module.os, "closerange", lambda *_: None)
    start_worker("/python", hook.here, "/root")
    assert started == [0]
