"""Which session runs this command: the one that was named, the one whose tool shell this is, or the one at work here.

Never simply the newest: a loop in the wrong session would hold somebody else's.
"""

import os
from dataclasses import dataclass

from thruline.errors import NotFound, UsageError
from thruline.harnesses.registry import Harness
from thruline.harnesses.transcripts import find_transcripts, read_head
from thruline.layout import find_root
from thruline.operations.sessions.locate import Located, check_told, find_told, locate
from thruline.operations.work.event import find_names, read_events
from thruline.operations.work.place import find_place
from thruline.operations.work.state import read_state
from thruline.process import is_same_running

_MOST = 8


@dataclass(frozen=True, slots=True)
class Current:
    """A session and its client; `root` is the project that it belongs to, "" where that is not known yet."""

    harness: str
    session: str
    root: str = ""

    @property
    def name(self) -> str:
        return f"{self.harness}:{self.session}"


def find_current(folder: str, session: str = "") -> Current:
    """The session that runs this command in `folder`; `session` is the id, or the beginning of one, that was given."""
    if session:
        return _build(locate(session, folder=folder))
    root = find_root(folder).path
    told = find_told()
    check_told(told)
    if told:
        return Current(told[0][0].name, told[0][1], _find_own_root(root, *told[0]))
    running, busy = find_running(root)
    if len(busy) == 1:
        return busy[0]
    shown = ", ".join(one.name for one in (busy or running)[:_MOST])
    if shown:
        many = f"{len(busy)} sessions are at work here." if busy else "No session here is at work."
        raise UsageError(f"Cannot tell which session is meant: {many}", where=shown, next="say which: --session ID")
    raise NotFound(
        "Cannot tell which session is meant: none runs in this project.",
        where=root,
        next="run it inside the session, or give --session ID; thruline sessions list has the ids",
    )


def find_running(root: str) -> tuple[list[Current], list[Current]]:
    """The sessions of this root whose client still runs, and those of them that are in the middle of a turn.

    An event that the worker has taken in already is known by its session alone: then nobody says that it is at work.
    """
    place = find_place(root)
    clients = {
        (one.harness, one.session): (one.pid, one.born)
        for one in read_state(place.state).sessions.values()
        if not one.ended
    }
    asked: dict[tuple[str, str], bool] = {}
    events, _ = read_events(place.hooks.spool, find_names(place.hooks.spool))
    for event in events:
        key = (event.harness, event.session)
        if event.event == "session_end":
            clients.pop(key, None)
            asked.pop(key, None)
            continue
        clients[key] = (event.pid, event.born)
        if event.event in ("prompt", "turn_end"):
            asked[key] = event.event == "prompt"
    running = [Current(*key, root) for key, (pid, born) in clients.items() if pid > 0 and is_same_running(pid, born)]
    return running, [one for one in running if asked.get((one.harness, one.session))]


def _build(located: Located) -> Current:
    return Current(located.harness.name, located.session_id, _read_root(located.harness, located.files[0]))


def _find_own_root(root: str, harness: Harness, session: str) -> str:
    """The project that a session's hooks look in: `root` where they told of it there, else the one it began in.

    The shell that asks may have left that project; and a session can be resumed in another one than it began in.
    """
    place = find_place(root)
    events, _ = read_events(place.hooks.spool, find_names(place.hooks.spool))
    heard = {(one.harness, one.session) for one in events}
    heard |= {(one.harness, one.session) for one in read_state(place.state).sessions.values()}
    if (harness.name, session) in heard:
        return root
    found = find_transcripts(dict(os.environ), os.path.expanduser("~"), harness.name)
    own = [each.path for _, each in found if each.kind == "session" and each.session_id == session]
    return _read_root(harness, own[0]) if own else ""


def _read_root(harness: Harness, path: str) -> str:
    cwd = read_head(harness, path).get("cwd", "")
    return find_root(cwd).path if os.path.isdir(cwd) else ""
