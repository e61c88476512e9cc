"""What test_hook_crash has killed; the tracer's server loads this file."""

import json
import os

from thruline.harnesses.telling import find_tellable
from thruline.hooks.door import answer
from thruline.layout import HookPaths, UserPaths, build_project_key

SESSION = "0a1b2c3d-1111-2222-3333-444455556666"
TEXT = "What the last one left."


def find_here(folder: str) -> HookPaths:
    """Where hooks and worker meet for the project in `folder`."""
    return HookPaths(os.path.join(folder, "state"), build_project_key("", os.path.join(folder, "project")))


def prepare(folder: str) -> None:
    """A project, a payload, and a text that is to be told once."""
    os.makedirs(os.path.join(folder, "project"))
    payload = {"session_id": SESSION, "cwd": os.path.join(folder, "project"), "source": "startup"}
    with open(os.path.join(folder, "payload"), "w", encoding="utf-8") as file:
        json.dump(payload, file)
    path = find_here(folder).build_resume(find_tellable()[0].name)
    os.makedirs(os.path.dirname(path))
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"schema": 1, "id": "1", "kind": "resume", "from": "another", "pid": 0, "text": TEXT}, file)


def start(folder: str) -> None:
    """A session starts; what the client would read is added to `out`."""
    answer_to(folder, os.path.join(folder, "out"))


def answer_to(folder: str, out: str) -> None:
    """A session starts, and `out` is where its client reads."""
    source = os.open(os.path.join(folder, "payload"), os.O_RDONLY)
    target = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    paths = UserPaths(os.path.join(folder, "state"), "")
    answer(paths, [find_tellable()[0].name, "session_start"], source, target)
