"""Hooks and worker as they really meet: the stub is run as a client runs it, and starts the worker itself."""

import json
import subprocess
from typing import Any

from tests.work.shop import CORRECTION, FIRST, HARNESS, SECOND, Shop, wait_for_worker
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
