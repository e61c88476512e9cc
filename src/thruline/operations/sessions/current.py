"""Which session runs this command: the one that was named, the one whose tool shell this is, or the one at work here.

Never simply the newest: a loop in the wrong session would hold somebody else's.
"""

import os
from dataclasses import dataclass

from thruline.harnesses.registry import Harness
from thruline.harnesses.transcripts import find_transcripts, read_folder
from thruline.layout import find_root
from thruline.operations.sessions.locate import Located, check_told, find_told, locate
from thruline.operations.sessions.running import find_busy
from thruline.operations.work.event import find_names, read_events
from thruline.operations.work.place import find_place
from thruline.operations.work.state import read_state


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
    return Current(*find_busy(root), root)


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
    cwd = read_folder(harness, path)
    return find_root(cwd).path if os.path.isdir(cwd) else ""
