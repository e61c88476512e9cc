"""Who has something to tell, and to whom it was told."""

import os

from thruline.artifacts.handoff import SEEN
from thruline.disk.atomic import make_folders, remove_quietly
from thruline.errors import ThrulineError
from thruline.inject.choose import Waiting
from thruline.operations.work.client import is_client_running
from thruline.operations.work.fold import render_moment
from thruline.operations.work.place import Place
from thruline.operations.work.state import SessionState, WorkState


def find_waiting(place: Place, state: WorkState) -> list[Waiting]:
    """The sessions that have something to tell and told it to nobody."""
    return [
        Waiting(
            session.harness,
            session.session,
            session.turns,
            render_moment(session.ended_at or session.last_at),
            is_over(session),
            *find_client(session),
            title=session.title,
            branch=session.branch,
            handoff=_find_handoff(place, session),
        )
        for session in state.sessions.values()
        if session.worth and session.turns > session.told_turns and not session.handed
    ]


def is_over(session: SessionState) -> bool:
    """Whether the session ended and nothing hints that it goes on."""
    return session.ended and not find_client(session)[0]


def find_client(session: SessionState) -> tuple[int, int]:
    """The process, and its birth, that holds back what is told of the session as long as it runs; 0 for none."""
    if not session.ended:
        return session.pid, session.born
    if session.doubt_pid and is_client_running(session.doubt_pid, session.doubt_born):
        return session.doubt_pid, session.doubt_born
    return 0, 0


def _find_handoff(place: Place, session: SessionState) -> str:
    """The session's brief, where it could be written and still is; its name was chosen before."""
    path = os.path.join(place.project.handoffs, session.handoff)
    try:
        return path if session.handoff and os.path.isfile(place.check(path)) else ""
    except ThrulineError:
        return ""  # a link stands in the way: what it leads to is not ours to name


def move_seen(place: Place, state: WorkState) -> None:
    """Puts away the handoffs, and removes the notes, of sessions that a later one was told of."""
    for session in state.sessions.values():
        if not session.ended or session.told_turns < session.turns:
            continue
        notes = place.build_kept(session.harness, session.session, "notes.json")
        if os.path.exists(notes):
            remove_quietly(notes)
        old = os.path.join(place.project.handoffs, session.handoff)
        if session.handoff and os.path.isfile(old):
            new = os.path.join(place.project.handoffs, SEEN, session.handoff)
            make_folders(os.path.dirname(place.check(new)), 0o700)
            os.replace(place.check(old), new)
