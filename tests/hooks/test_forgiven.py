"""Exit 0, always: whatever is missing, broken or full, the session does not notice."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.hooks.conftest import HARNESS, SESSION, Hook
from tests.hooks.doors import EVENTS, READY, silent
from thruline.operations.hook_entry import STUB

PAYLOAD = json.dumps({"session_id": SESSION, "cwd": "/tmp", "source": "startup"}).encode()


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        [HARNESS],
        [HARNESS, "prompt", "more"],
        [HARNESS, "Stop"],
        ["../x", "prompt"],
        ["", ""],
        ["unknown-client", "prompt"],
        ["registry", "prompt"],
        [HARNESS + ".reader", "prompt"],
    ],
)
def test_a_wrong_command_line_is_logged_and_forgiven(hook: Hook, arguments: list[str]):
    assert silent(hook.run(*arguments, payload=PAYLOAD))
    assert len(hook.read_troubles()) == 1


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"garbage",
        b"\x00" * 1000,
        b"[]",
        b"{}",
        b'{"session_id": 7}',
        b'{"session_id": "../../etc/passwd"}',
        b'{"session_id": ' + b"[" * 300_000,
        b'{"session_id": "' + b"x" * 70_000_000,
    ],
    ids=["empty", "garbage", "zeros", "list", "no id", "number", "path", "nested", "huge"],
)
def test_a_useless_payload_is_logged_and_forgiven(hook: Hook, payload: bytes):
    assert silent(hook.run(HARNESS, "session_start", payload=payload))
    assert len(hook.read_troubles()) == 1


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_forgiven(hook: Hook, closed: str):
    ready = hook.write_ready(hook.here.build_start(HARNESS), READY)
    before = ready.read_bytes()
    script = f'"$@" {closed}'
    command = ["sh", "-c", script, "sh", *hook.command, HARNESS, "session_start"]
    done = subprocess.run(command, input=hook.build(), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == b"" or READY in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert ready.read_bytes() == before  # nothing was written into what a closed stream's number now is


def test_a_reader_that_went_away_is_forgiven_and_the_event_is_still_spooled(hook: Hook):
    hook.write_ready(hook.here.build_start(HARNESS), READY)
    reader, writer = os.pipe()
    os.close(reader)
    command = [*hook.command, HARNESS, "session_start"]
    done = subprocess.run(command, input=hook.build(), stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")
    assert [event.get("told") for event in hook.read_spool()] == [None]
    assert hook.read_told() == []


def test_a_full_disk_is_forgiven(hook: Hook):
    os.makedirs(hook.paths.logs)
    os.symlink("/dev/full", hook.paths.hook_errors)
    assert silent(hook.run(HARNESS, "prompt", payload=b"garbage"))


@pytest.mark.parametrize("event", EVENTS)
def test_a_disk_that_takes_not_one_byte_more_is_forgiven_and_nothing_is_torn(hook: Hook, event: str):
    hook.write_ready(hook.here.build_start(HARNESS), READY)
    script = 'ulimit -f 0; trap "" XFSZ; "$@"'
    command = ["sh", "-c", script, "sh", *hook.command, HARNESS, event]
    payload = hook.build(tool_name="Edit", tool_input={"file_path": "a"})
    done = subprocess.run(command, input=payload, capture_output=True, timeout=20)
    assert (done.returncode, done.stderr) == (0, b"")
    assert READY.encode() in done.stdout if event == "session_start" else done.stdout == b""
    assert hook.read_spool() == []
    assert not os.path.exists(hook.here.spool) or os.listdir(hook.here.spool) == []


@pytest.mark.parametrize("event", EVENTS)
def test_a_state_that_cannot_be_written_is_forgiven(hook: Hook, event: str):
    for folder in (hook.paths.logs, hook.paths.spool, os.path.dirname(hook.here.injected)):
        Path(folder).write_text("a file where the folder should be")
    hook.write_ready(hook.here.build_start(HARNESS), READY)
    done = hook.run(HARNESS, event, payload=hook.build(tool_name="Edit", tool_input={"file_path": "a"}))
    assert (done.returncode, done.stderr) == (0, b"")
    assert READY.encode() in done.stdout if event == "session_start" else done.stdout == b""


def test_a_ready_text_that_cannot_be_read_is_forgiven(hook: Hook):
    os.makedirs(hook.here.build_start(HARNESS))
    assert silent(hook.run(HARNESS, "session_start", payload=hook.build()))
    assert len(hook.read_troubles()) == 1
    assert len(hook.read_spool()) == 1


@pytest.mark.feature("F002-06", via="unit")
def test_no_home_and_no_environment_is_forgiven(hook: Hook):
    hook.write_ready(hook.here.build_start(HARNESS), READY)
    assert READY.encode() in hook.run(HARNESS, "session_start", payload=hook.build(), env={}).stdout
    assert silent(hook.run(HARNESS, "prompt", payload=b"garbage", env={}))
    assert len(hook.read_troubles()) == 1


@pytest.mark.skipif(os.name == "nt", reason="modes mean nothing there")
def test_a_project_that_is_read_only_or_gone_or_no_folder_is_forgiven(hook: Hook, tmp_path: Path):
    hook.project.chmod(0o500)
    file = tmp_path / "file"
    file.write_text("")
    for cwd in (str(hook.project), "/no/such/folder", str(file), "relative", "", "/" + "x" * 5000, "a\0b"):
        assert silent(hook.run(HARNESS, "prompt", payload=hook.build(cwd=cwd)))
    assert len(hook.read_spool()) == 1


def test_a_working_folder_that_is_gone_is_forgiven(hook: Hook, tmp_path: Path):
    gone = tmp_path / "gone"
    script = 'mkdir -p "$0" && cd "$0" && rmdir "$0" && "$@"'
    command = ["sh", "-c", script, str(gone), *hook.command, HARNESS, "prompt"]
    for cwd in (str(gone), ""):
        assert silent(subprocess.run(command, input=hook.build(cwd=cwd), capture_output=True))


@pytest.mark.parametrize("package", ["missing", "broken", "interrupted"])
def test_a_package_that_is_gone_or_broken_is_forgiven(hook: Hook, tmp_path: Path, package: str):
    folder = tmp_path / "site"
    door = folder / "thruline" / "hooks" / "door.py"
    door.parent.mkdir(parents=True)
    if package != "missing":
        door.write_text("this is (no python" if package == "broken" else "raise KeyboardInterrupt")
    Path(hook.paths.hook_entry).write_text(
        STUB.format(
            version="9", folder=str(folder), state=str(hook.state), python="", hot="/no/such/file", head=1, stamp=0
        )
    )
    assert silent(hook.run(HARNESS, "session_start", payload=PAYLOAD))
