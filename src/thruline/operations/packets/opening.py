"""A client opened in this terminal, in place of us: it gets the terminal, its signals and its exit status."""

import os
import sys

from thruline.errors import NotFound, Refused
from thruline.harnesses.launching import Launch, check_installed


def open_client(launch: Launch) -> int:
    """Becomes the client; where a process cannot become another one, its exit status."""
    check_installed(launch)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Refused("A client can only be opened in a terminal.", where="--launch", next=launch.line)
    if not os.path.isdir(launch.folder):
        raise NotFound("The session's folder is not on this machine.", where=launch.folder, next="cd to the project")
    os.chdir(launch.folder)
    env = {name: value for name, value in os.environ.items() if name not in launch.drop}
    sys.stdout.flush()
    if sys.platform == "win32":
        return os.spawnve(os.P_WAIT, launch.argv[0], launch.argv, env)  # noqa: S606 - no shell is what we want
    os.execve(launch.argv[0], launch.argv, env)  # noqa: S606
    raise AssertionError  # never comes back
