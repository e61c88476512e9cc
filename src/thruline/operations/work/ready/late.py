"""Notes that came too late for a start: handed to the session that started without, taken back if it never hears."""

import os
from collections.abc import Iterable

from thruline.disk.atomic import remove_quietly, write_bytes
from thruline.harnesses.registry import Harness
from thruline.harnesses.telling import find_tellable
from thruline.inject.choose import Waiting, build_id, choose
from thruline.operations.work.client import is_client_running
from thruline.operations.work.place import Place
from thruline.operations.work.ready.envelope import build_claimed, build_envelope, claim
from thruline.operations.work.ready.remember import is_lost_text
from thruline.operations.work.ready.waiting import find_waiting, is_over
from thruline.operations.work.state import SessionState, WorkState, build_key, write_state

_PENDING = "!"  # behind `handed` until the text lies there


def hand_late(place: Place, state: WorkState) -> None:
    """Notes of a session that died unheard, for one that started meanwhile and may hear them with its next prompt."""
    for hungry in [one for one in state.sessions.values() if one.hungry]:
        choice = choose(
            one
            for one in find_waiting(place, state)
            if one.ended and one.session != hungry.session and _find_end(state, one) <= hungry.started_at
        )
        if choice is None or not is_client_running(hungry.pid, hungry.born):
            continue
        for one in (choice.full, *choice.others):
            state.find(one.harness, one.session).handed = build_key(hungry.harness, hungry.session) + _PENDING
        hungry.hungry = False
        write_state(place.state, state)
        finish_late(place, state)


def finish_late(place: Place, state: WorkState) -> None:
    """Puts the notes that were handed to a session where its next event finds them, and nobody else does."""
    handed: dict[str, list[SessionState]] = {}
    for session in state.sessions.values():
        if session.handed.endswith(_PENDING):
            handed.setdefault(session.handed.removesuffix(_PENDING), []).append(session)
            session.handed = ""
    for key, sessions in handed.items():
        to = state.sessions[key]
        harness = _find_harness(to.harness)
        choice = choose(one for one in find_waiting(place, state) if one.ended and _is_one_of(one, sessions))
        envelope = build_envelope(place, harness, choice, "late", build_id(choice)) if choice and harness else None
        slots = {slot: place.hooks.build_resume(slot.partition(":")[2]) for slot in state.written if slot[0] == "r"}
        if envelope is None or not all(map(claim, slots.values())):
            continue  # nothing to hand, or a hook told it elsewhere in this very moment
        write_bytes(place.hooks.build_late(to.harness, to.session), envelope, mode=0o600)
        for session in sessions:
            session.handed = key
        for slot in slots:
            del state.written[slot]
        write_state(place.state, state)
        for path in slots.values():
            remove_quietly(build_claimed(path))


def take_back(place: Place, state: WorkState) -> None:
    """What lay ready for a session that ended without hearing it is for the next one again, or for nobody.

    So it is where a session that the notes are about goes on: while that lives, it is told to nobody.
    """
    for ended in [one for one in state.sessions.values() if one.ended]:
        path = place.hooks.build_late(ended.harness, ended.session)
        if not os.path.exists(path) or is_lost_text(path):
            continue  # never there, or taken by a hook; or the session's own, for when it goes on
        _take_from(place, state, ended)
    for session in [one for one in state.sessions.values() if one.handed in state.sessions and not is_over(one)]:
        _take_from(place, state, state.sessions[session.handed])


def _take_from(place: Place, state: WorkState, to: SessionState) -> None:
    for session in state.sessions.values():
        if session.handed == build_key(to.harness, to.session):
            session.handed = ""
    write_state(place.state, state)  # first: a killed worker must not take what it removed for what a hook took
    path = place.hooks.build_late(to.harness, to.session)
    if not is_lost_text(path):  # that is the session's own
        remove_quietly(path)


def _find_end(state: WorkState, one: Waiting) -> float:
    # Not `one.at`, which has seconds: a session can start and another end within one.
    session = state.find(one.harness, one.session)
    return session.ended_at or session.last_at


def _is_one_of(one: Waiting, sessions: Iterable[SessionState]) -> bool:
    return any((one.harness, one.session) == (each.harness, each.session) for each in sessions)


def _find_harness(name: str) -> Harness | None:
    return next((each for each in find_tellable() if each.name == name), None)
