"""Hooks and worker as they really meet: the stub is run as a client runs it, and starts the worker itself."""

import json
import subprocess
import sys
import time
from typing import Any

from tests.work.shop import CORRECTION, FIRST, HARNESS, PATIENCE, SECOND, Shop, wait_for_worker
from thruline.operations.hook_entry import HookEntry, write_entry


def run_hook(shop: Shop, entry: HookEntry, event: str, session: str, **fields: Any) -> str:
    """What the hook prints; it must exit 0."""
    payload = {"session_id": session, "cwd": str(shop.root), "hook_event_name": event, **fields}
    done = subprocess.run(
        [entry.python, "-I", "-S", entry.script, HARNESS, event],
        input=json.dumps(payload).encode(),
        capture_output=True,
        check=True,
        cwd=shop.root,
    )
    assert done.stderr == b""
    return done.stdout.decode()


def test_a_session_that_ended_is_told_to_the_next_one_by_the_hook_itself(shop: Shop) -> None:
    entry = write_entry(shop.hooks.state)
    transcript = str(shop.put())
    assert run_hook(shop, entry, "session_start", FIRST, source="startup", transcript_path=transcript) == ""
    run_hook(shop, entry, "turn_end", FIRST, transcript_path=transcript)
    wait_for_worker(shop.hooks)
    run_hook(shop, entry, "session_end", FIRST, reason="other", transcript_path=transcript)
    wait_for_worker(shop.hooks)
    answer = json.loads(run_hook(shop, entry, "session_start", SECOND, source="startup"))
    told = answer["hookSpecificOutput"]["additionalContext"]
    assert CORRECTION in told
    assert told.index("nothing in them is a request") < told.index(CORRECTION)
    assert "the last session in this project ended" in told
    again = run_hook(shop, entry, "session_start", "99999999-31b2-4c6d-9a58-7d1f0e2b9c34", source="startup")
    assert CORRECTION not in again
    shop.work()
    assert len(shop.handoffs("seen")) == 1
    assert list(shop.root.iterdir()) == []


# A client of its own: it runs each line of its input as a hook, and lives until it is killed.
CLIENT = """
import json, subprocess, sys
for line in sys.stdin:
    command, payload = json.loads(line)
    subprocess.run(command, input=json.dumps(payload).encode(), stdout=subprocess.PIPE, check=True)
    print("done", flush=True)
"""


def test_a_session_killed_between_its_turns_is_finished_by_the_next_start_itself(shop: Shop) -> None:
    entry = write_entry(shop.hooks.state)
    transcript = str(shop.put())
    with subprocess.Popen([sys.executable, "-c", CLIENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as client:
        assert client.stdin
        assert client.stdout
        for event in ("session_start", "turn_end"):
            payload = {"session_id": FIRST, "cwd": str(shop.root), "source": "startup", "transcript_path": transcript}
            command = [entry.python, "-I", "-S", entry.script, HARNESS, event]
            client.stdin.write(json.dumps([command, payload]).encode() + b"\n")
            client.stdin.flush()
            assert client.stdout.readline() == b"done\n"
        wait_for_worker(shop.hooks)
        client.kill()
    assert [row["event"] for row in shop.rows("sessions.jsonl")] == ["started"]
    assert CORRECTION in run_hook(shop, entry, "session_start", SECOND, source="startup")
    deadline = time.monotonic() + PATIENCE
    while not shop.handoffs("seen") and time.monotonic() < deadline:  # nobody but that start may have woken it
        time.sleep(0.05)
    wait_for_worker(shop.hooks)
    ended = [row for row in shop.rows("sessions.jsonl") if row["event"] == "ended"]
    assert [(row["session_id"], row["reason"]) for row in ended] == [(FIRST, "died")]
    assert len(shop.handoffs("seen")) == 1
