"""One more turn of a session, headless: the user's settings, tools and hooks are in force as in any other."""

import json

from thruline.harnesses.claude_code.oneshot import DROP, read_reply
from thruline.harnesses.headless import Call, Turn

__all__ = ["CHOOSES_ID", "build_turn", "find_session", "read_reply"]

CHOOSES_ID = True


def build_turn(turn: Turn) -> Call:
    """The command line; the prompt goes in by stdin."""
    which = ("--resume", turn.session) if turn.session else ("--session-id", turn.fresh)
    return Call((turn.program, "-p", "--output-format", "json", *which, *turn.more), turn.prompt, {}, DROP)


def find_session(stdout: str) -> str:
    """The session that the turn was in, as its result says; a resumed one keeps its id."""
    try:
        value = json.loads(stdout)
    except ValueError:
        return ""
    session = value.get("session_id") if isinstance(value, dict) else ""
    return session if isinstance(session, str) else ""
