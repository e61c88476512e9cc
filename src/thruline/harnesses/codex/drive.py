"""One more turn of a session, headless: the user's settings, tools and hooks are in force as in any other."""

import json
import os

from thruline.harnesses.codex.oneshot import ANSWER, DROP, read_reply
from thruline.harnesses.headless import Call, Turn

__all__ = ["CHOOSES_ID", "build_turn", "find_session", "read_reply"]

CHOOSES_ID = False


def build_turn(turn: Turn) -> Call:
    """The command line; the prompt goes in by stdin, the last message lies in the folder."""
    argv = [turn.program, "exec", "--json", "--output-last-message", os.path.join(turn.folder, ANSWER), *turn.more]
    return Call((*argv, *(("resume", turn.session) if turn.session else ()), "-"), turn.prompt, {}, DROP)


def find_session(stdout: str) -> str:
    """The session's id, which the first event tells."""
    for line in stdout.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue  # a warning between the events, or a line that is not whole yet
        if isinstance(event, dict) and event.get("type") == "thread.started":
            session = event.get("thread_id")
            return session if isinstance(session, str) else ""
    return ""
