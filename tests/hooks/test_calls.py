"""What a hook asks of the kernel: no network, no other program, no file outside the user's state."""

import json
import os
from pathlib import Path

import pytest

from tests.hooks.conftest import SESSION, Hook
from tests.tracer import trace
from thruline.hooks.door import HANDLERS

NETWORK = ("socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "recvfrom")
READY = b'{"additionalContext": "x"}'


@pytest.mark.parametrize("event", HANDLERS)
def test_an_event_starts_nothing_and_speaks_to_nobody(hook: Hook, tmp_path: Path, event: str):
    project = tmp_path / "project"
    project.mkdir()
    hook.write_ready("some-client", SESSION, READY)
    hook.run("some-client", event)  # the first run may write bytecode beside the package
    payload = json.dumps({"session_id": SESSION, "cwd": str(project)}).encode()
    seen = trace([*hook.command, "some-client", event], cwd=project, stdin=payload)
    assert (seen.exit, seen.output) == (0, READY if event == "session_start" else b"")
    assert seen.named(*NETWORK) == []
    assert [os.path.realpath(program) for program in seen.programs()] == [os.path.realpath(hook.paths.hook_python)]
    assert seen.named("fork", "vfork") == []
    assert seen.changes(below=str(tmp_path)) == []


def test_trouble_is_written_below_the_state_and_nowhere_else(hook: Hook, tmp_path: Path):
    hook.run("some-client", "prompt", payload=b"garbage")
    seen = trace([*hook.command, "some-client", "prompt"], cwd=tmp_path, stdin=b"garbage")
    assert (seen.exit, seen.output) == (0, b"")
    assert seen.named(*NETWORK) == []
    assert len(seen.programs()) == 1
    assert seen.changes(below=hook.paths.logs)
    assert [call for call in seen.changes(below=str(tmp_path)) if not call.is_below(str(hook.state))] == []
