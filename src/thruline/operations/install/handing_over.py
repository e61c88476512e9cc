"""From the line in a team's shared settings to the user's own stub."""

import os
import sys

from thruline.errors import ThrulineError
from thruline.harnesses.installing import PROJECT, USER
from thruline.layout import UserPaths, find_root
from thruline.operations.install.record import read_record


def hand_over(user: UserPaths, harness: str, event: str) -> None:
    """Becomes the stub; returns where there is none, or where another line of ours answers already.

    A user who installed for all projects, or for this one, has both lines in force, and one event must not be heard
    twice. What they installed for another project is no answer here.
    """
    if not os.path.isfile(user.hook_entry) or not os.path.exists(user.hook_python) or sys.platform == "win32":
        return
    try:
        here = find_root(os.curdir).path.rstrip(os.sep) + os.sep
        for path, each in read_record(user).settings.items():
            if each.harness == harness and (each.scope == USER or (each.scope == PROJECT and path.startswith(here))):
                return
    except ThrulineError:
        return
    try:
        os.execv(user.hook_python, [user.hook_python, "-I", "-S", user.hook_entry, harness, event])  # noqa: S606
    except OSError:
        return
