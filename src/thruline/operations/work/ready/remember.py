"""For a session around its compaction: what the summary must keep, and after it what was lost all the same."""

import os

from thruline.artifacts.lines import parse_row
from thruline.disk.atomic import remove_quietly, write_bytes
from thruline.disk.own import read_own
from thruline.errors import ThrulineError
from thruline.harnesses.telling import find_tellable
from thruline.inject.choose import Waiting
from thruline.operations.work.place import Place
from thruline.operations.work.ready.envelope import render_envelope
from thruline.operations.work.state import SessionState, WorkState, build_key, write_state

_LARGEST = 1 << 20
_LOST = "lost"


def update_keep(place: Place, state: WorkState) -> None:
    """What the next summary of each session must keep; of one that ended too, since it may be resumed."""
    tellable = {each.name for each in find_tellable()}
    for session in state.sessions.values():
        path = place.hooks.build_keep(session.harness, session.session)
        if not session.keep or session.harness not in tellable:
            if os.path.exists(path):
                remove_quietly(path)
            continue
        told = f"keep {build_key(session.harness, session.session)}:{session.turns}"
        envelope = render_envelope(told, "keep", session.keep, _about(session))
        if _read(path) != envelope:
            write_bytes(path, envelope, mode=0o600)


def tell_lost(place: Place, state: WorkState) -> None:
    """What a summary lost, for the session's next event. It comes before a word to the person, which can wait."""
    for session in [one for one in state.sessions.values() if one.lost]:
        path = place.hooks.build_late(session.harness, session.session)
        waiting = parse_row(_read(path))
        if waiting and waiting.get("kind") != "user":
            continue  # notes of another session; the next turn tells
        if waiting:
            session.warned = False
        text, session.lost = session.lost, ""
        write_state(place.state, state)  # first: rather untold than told twice
        told = f"{_LOST} {build_key(session.harness, session.session)}:{session.compactions}"
        write_bytes(path, render_envelope(told, "late", text, _about(session)), mode=0o600)


def is_lost_text(path: str) -> bool:
    """Whether a text that lies ready is such a one: it waits for its own session, however long that sleeps."""
    return str(parse_row(_read(path)).get("id", "")).startswith(_LOST + " ")


def _about(session: SessionState) -> Waiting:
    return Waiting(session.harness, session.session, session.turns, "", False)


def _read(path: str) -> bytes:
    try:
        return read_own(path, _LARGEST)
    except ThrulineError:
        return b""
