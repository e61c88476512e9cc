"""The command that must pass before a promise is believed, where a loop is driven; and the one that a kill left."""

import os
from collections.abc import Callable

from thruline.artifacts.frontmatter import Document
from thruline.artifacts.loop_command import forget_command, note_command, take_left_command
from thruline.artifacts.loop_step import read_until, render_failure
from thruline.child import end_group, run_line


def ask_until(document: Document, promise: str, folder: str, leave: str, is_over: Callable[[], bool]) -> str:
    """Why `promise` is not believed; empty where the command passed, or none need be run."""
    command, seconds = read_until(document, promise)
    if not command:
        return ""
    env = {**os.environ, "THRULINE_OFF": "1"}
    try:
        how, output = run_line(
            command,
            folder=folder,
            env=env,
            timeout=seconds,
            is_over=is_over,
            begun=lambda pid: note_command(leave, pid),
        )
    finally:
        forget_command(leave)
    return render_failure(command, how, output) if how else ""


def end_left_command(leave: str) -> None:
    """Ends the command that a killed hook or driver left; who lives ends its own when the loop is held or over."""
    if pid := take_left_command(leave):
        end_group(pid)
