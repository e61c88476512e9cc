"""The command that must pass before a promise is believed: the one slow answer of a hook, in its user's own loop."""

import os

from thruline.artifacts.loop_command import forget_command, note_command, take_left_command
from thruline.artifacts.loop_step import render_failure
from thruline.child import end_group, run_line
from thruline.errors import ThrulineError
from thruline.hooks.door import wait_longer
from thruline.hooks.loop_turn import fits, is_same, read_running

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from thruline.artifacts.frontmatter import Document
    from thruline.artifacts.loop_plain import PlainLoop
    from thruline.layout import ProjectPaths

_SIZES = (4_000, 2_000, 1_000, 500, 250, 100)  # characters of its output that may go back, the most that fits


def run_until(
    event: "dict[str, object]",
    project: "ProjectPaths",
    leave: str,
    wire: "ModuleType",
    document: "Document | PlainLoop",
    asked: "tuple[str, int]",
) -> str:
    """Why the promise is not believed; empty where the command passed. `asked` is the command and its seconds.

    A loop that is held or ended meanwhile ends its command too: nobody waits for an answer that counts no more.
    """
    command, seconds = asked
    own = os.path.join(os.path.dirname(leave), str(document.get("id")))
    if left := take_left_command(own):
        end_group(left)  # of a hook that was killed: two at once would decide nothing

    def is_over() -> bool:
        try:
            return not is_same(read_running(project, str(event["session"]), leave), document)
        except (OSError, ThrulineError):
            return True  # its file is gone, or nobody can read it any more

    wait_longer(seconds)  # the watchdog would end it
    env = {**os.environ, "THRULINE_OFF": "1"}
    try:
        how, output = run_line(
            command,
            folder=project.root,
            env=env,
            timeout=seconds,
            is_over=is_over,
            begun=lambda pid: note_command(own, pid),
        )
    finally:
        forget_command(own)
    if not how:
        return ""
    failures = (render_failure(command, how, output, most) for most in _SIZES)
    return next((one for one in failures if fits(wire, document, one)), render_failure(command, how, "", 0))
