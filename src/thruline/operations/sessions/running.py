"""Which sessions run in a project now, and which of them is at work: what `current` means where nothing names it."""

from thruline.errors import NotFound, UsageError
from thruline.operations.work.event import find_names, read_events
from thruline.operations.work.place import find_place
from thruline.operations.work.state import read_state
from thruline.process import is_same_running

_MOST = 8

Name = tuple[str, str]  # client, session


def find_busy(root: str) -> Name:
    """The only session of this root that is in the middle of a turn; an error names those it could be."""
    running, busy = find_running(root)
    if len(busy) == 1:
        return busy[0]
    shown = ", ".join(":".join(one) for one in (busy or running)[:_MOST])
    if shown:
        many = f"{len(busy)} sessions are at work here." if busy else "No session here is at work."
        raise UsageError(f"Cannot tell which session is meant: {many}", where=shown, next="say which: --session ID")
    raise NotFound(
        "Cannot tell which session is meant: none runs in this project.",
        where=root,
        next="run it inside the session, or give --session ID; thruline sessions list has the ids",
    )


def find_running(root: str) -> tuple[list[Name], list[Name]]:
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
    running = [key for key, (pid, born) in clients.items() if pid > 0 and is_same_running(pid, born)]
    return running, [one for one in running if asked.get(one)]
