"""What a hook asks of the kernel: no network, no other program, no file outside the user's state."""

import os
import sys
from pathlib import Path

import pytest

from tests.hooks.conftest import HARNESS, WIRED, Hook
from tests.tracer import trace
from thruline.hooks.handlers import HANDLERS
from thruline.operations.hook_entry import find_interpreter, write_entry

NETWORK = ("socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto", "sendmsg", "recvfrom")


@pytest.fixture
def alone(hook: Hook) -> Hook:
    """A hook whose worker is an interpreter that finds no thruline: what is traced is the hook itself."""
    write_entry(str(hook.state))
    stub = Path(hook.paths.hook_entry)
    stub.write_text(stub.read_text().replace(repr(sys.executable), repr(find_interpreter())))
    return hook


@pytest.mark.parametrize("harness", WIRED)
@pytest.mark.parametrize("event", HANDLERS)
def test_an_event_starts_only_the_worker_and_speaks_to_nobody(alone: Hook, tmp_path: Path, harness: str, event: str):
    alone.write_ready(alone.here.build_start(harness), "Told.")
    alone.run(harness, event)  # the first run may write bytecode beside the package
    payload = alone.build(tool_name="Edit", tool_input={"file_path": "a"})
    seen = trace([*alone.command, harness, event], cwd=alone.project, stdin=payload)
    assert seen.exit == 0
    assert (b"Told." in seen.output) == (event == "session_start")
    assert seen.named(*NETWORK) == []
    python = os.path.realpath(alone.paths.hook_python)
    starts = event in ("session_end", "turn_end", "before_compact", "after_compact")
    assert [os.path.realpath(program) for program in seen.programs()] == [python] * (2 if starts else 1)
    changes = seen.changes(below=str(tmp_path))
    assert [call for call in changes if not call.is_below(str(alone.state))] == []
    assert [call.name for call in changes if "sync" in call.name] == []


def test_trouble_is_written_below_the_state_and_nowhere_else(hook: Hook, tmp_path: Path):
    hook.run(HARNESS, "prompt", payload=b"garbage")
    seen = trace([*hook.command, HARNESS, "prompt"], cwd=tmp_path, stdin=b"garbage")
    assert (seen.exit, seen.output) == (0, b"")
    assert seen.named(*NETWORK) == []
    assert len(seen.programs()) == 1
    assert seen.changes(below=hook.paths.logs)
    assert [call for call in seen.changes(below=str(tmp_path)) if not call.is_below(str(hook.state))] == []
