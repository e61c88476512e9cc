"""What the crash test of loops runs, and the state it starts from."""

import json
import os

from thruline.disk.transaction import recover, seal
from thruline.harnesses.telling import find_tellable
from thruline.hooks.door import answer
from thruline.layout import ProjectPaths, Root, UserPaths, build_project_paths
from thruline.operations.loops.listing import list_loops
from thruline.operations.loops.verbs import Wish, cancel_loop, start_loop
from thruline.operations.sessions.current import Current
from thruline.operations.stamped import find_stamped_ids

SESSION = "0a1b2c3d-1111-2222-3333-444455556666"
FIRST, SECOND = "first", "second"
DONE = "<promise>DONE</promise>"


def find_paths(folder: str) -> ProjectPaths:
    return build_project_paths(Root(os.path.join(folder, "project"), "marker"), os.path.join(folder, "state"))


def find_current() -> Current:
    return Current(find_tellable()[0].name, SESSION)


def set_up(folder: str) -> None:
    """A project with a loop in the foreground of a session."""
    seal._known.clear()  # of the folder before this one
    paths = find_paths(folder)
    os.makedirs(paths.base)
    with open(paths.marker, "w", encoding="utf-8") as file:
        file.write("{}")
    start_loop(paths, Wish(FIRST, promises=("DONE",)), find_current())
    recover(paths)


def start(folder: str) -> None:
    """Another loop in the same session."""
    start_loop(find_paths(folder), Wish(SECOND, promises=("DONE",)), find_current())


def cancel(folder: str) -> None:
    """The loop is ended."""
    paths = find_paths(folder)
    cancel_loop(paths, find_stamped_ids(paths.loops)[0])


def go_on(folder: str) -> None:
    """A turn ends without the promise."""
    stop(folder, "Not yet.")


def end(folder: str) -> None:
    """A turn ends with it."""
    stop(folder, DONE)


def stop(folder: str, said: str) -> str:
    """What the hook says at the end of a turn; it is added to `out`."""
    payload = {"session_id": SESSION, "cwd": os.path.join(folder, "project"), "last_assistant_message": said}
    with open(os.path.join(folder, "payload"), "w", encoding="utf-8") as file:
        json.dump(payload, file)
    source = os.open(os.path.join(folder, "payload"), os.O_RDONLY)
    path = os.path.join(folder, "out")
    target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    answer(UserPaths(os.path.join(folder, "state"), ""), [find_current().harness, "turn_end"], source, target)
    os.close(source)
    os.close(target)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return str(json.loads(text)["reason"]) if text else ""


def look(folder: str) -> dict[str, tuple[str, int, bool]]:
    """Status, iteration and whether in front, of each loop by its prompt's first word."""
    listed = list_loops(find_paths(folder))
    assert listed.problems == ()
    return {head.id.rpartition("-")[2]: (head.status, head.iteration, head.front) for head in listed.heads}
