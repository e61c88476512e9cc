"""Loops and the hook at the end of a turn, as the tests of both use them."""

import json
import os
import tempfile
from typing import Any

from thruline.artifacts.loop import Loop
from thruline.harnesses.telling import find_tellable
from thruline.hooks.door import answer
from thruline.layout import ProjectPaths, UserPaths, find_state_dir
from thruline.operations.loops.verbs import Wish, start_loop
from thruline.operations.sessions.current import Current

HARNESS = find_tellable()[0].name
ONE = Current(HARNESS, "0a1b2c3d-1111-2222-3333-444455556666")
TWO = Current(HARNESS, "99999999-1111-2222-3333-444455556666")


def stop(paths: ProjectPaths, current: Current, said: str = "Not yet.") -> str:
    """What the hook says when a turn of the session ends; empty where it may stop."""
    text = knock(paths, current, "turn_end", said)
    return str(json.loads(text)["reason"]) if text else ""


def knock(paths: ProjectPaths, current: Current, event: str, said: str = "") -> bytes:
    """What the hook answers to an event of the session."""
    payload = {"session_id": current.session, "cwd": paths.root, "last_assistant_message": said, "source": "resume"}
    source, given = os.pipe()
    os.write(given, json.dumps(payload).encode())
    os.close(given)
    with tempfile.TemporaryFile() as out:
        try:
            answer(UserPaths(find_state_dir(), ""), [current.harness, event], source, out.fileno())
        finally:
            os.close(source)
        out.seek(0)
        return out.read()


def start(paths: ProjectPaths, prompt: str = "Go on.", current: Current = ONE, **fields: Any) -> Loop:
    return start_loop(paths, Wish(prompt, **fields), current).loop
