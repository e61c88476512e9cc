"""Our ten events, a text for the door to tell, and how its silence looks."""

import subprocess

READY = "Yesterday you were told no."
EVENTS = [
    "session_start",
    "session_end",
    "prompt",
    "turn_end",
    "tool_done",
    "tool_failed",
    "before_compact",
    "after_compact",
    "subagent_start",
    "subagent_end",
]


def silent(done: "subprocess.CompletedProcess[bytes]") -> bool:
    return (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
