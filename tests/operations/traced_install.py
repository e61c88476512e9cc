"""What the crash test of an installation runs, and the state it starts from."""

import os
from unittest.mock import patch

from thruline.disk.transaction import seal
from thruline.layout import UserPaths
from thruline.operations.install.applying import apply_install, apply_uninstall
from thruline.operations.install.planning import plan_install
from thruline.operations.install.removing import plan_uninstall
from thruline.roster import read_roster

HARNESSES = ("claude-code", "codex")
SETTINGS = b'{\n    "model": "opus", // theirs\n    "hooks": {"Stop": []}\n}\n'


def build_user(folder: str) -> UserPaths:
    return UserPaths(os.path.join(folder, "state"), os.path.join(folder, "config"))


def set_up(folder: str) -> None:
    """A home with settings of one client, and the other one's folder."""
    seal._known.clear()  # each run has a state folder, and a key for its journal, of its own
    for name in (".claude", ".codex"):
        os.makedirs(os.path.join(folder, "home", name))
    with open(os.path.join(folder, "home", ".claude", "settings.json"), "wb") as file:
        file.write(SETTINGS)


def set_up_installed(folder: str) -> None:
    set_up(folder)
    install(folder)


def install(folder: str) -> bool:
    user, home = build_user(folder), os.path.join(folder, "home")
    few = [entry for entry in read_roster() if entry.name == "handoff"]  # each file more is ten places to die at
    plan = plan_install(user, {}, home, home, harnesses=HARNESSES, scope="user", roster=few)
    with patch.dict(os.environ, THRULINE_HOME=user.state):  # the key that seals journals lies there
        apply_install(user, plan)
    return plan.changed


def uninstall(folder: str) -> bool:
    user, home = build_user(folder), os.path.join(folder, "home")
    plan = plan_uninstall(user, {}, home, home, harnesses=HARNESSES, scopes=())
    with patch.dict(os.environ, THRULINE_HOME=user.state):
        apply_uninstall(user, plan)
    return plan.changed
