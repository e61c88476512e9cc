"""What the crash test runs, and the state it starts from."""

import os

from thruline.layout import Root, UserPaths, build_project_paths
from thruline.operations.context_init import init_context

GATHERED = {
    "packets/20261116-a.md": b"packet\n",
    "logs/deep/er.log": b"log\n",
}


def build_user(folder: str) -> UserPaths:
    return UserPaths(os.path.join(folder, "state"), os.path.join(folder, "config"))


def set_up(folder: str) -> None:
    """A project without a marker, whose files lie in the user's state."""
    root = os.path.join(folder, "project")
    os.mkdir(root)
    base = build_project_paths(Root(root, "folder"), build_user(folder).state).base
    for name, data in GATHERED.items():
        os.makedirs(os.path.dirname(os.path.join(base, name)), exist_ok=True)
        with open(os.path.join(base, name), "wb") as file:
            file.write(data)


def init(folder: str) -> str:
    return init_context(build_user(folder), os.path.join(folder, "project"), exact=True).project_id
