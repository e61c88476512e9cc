"""Ready texts, kept in step with what is known and what was told.

What lies ready follows from the state and from the hooks' log of what they told, so whoever comes after a killed worker
puts the same files there. A hook claims a resume text by removing it, we by a rename before we renew it, and what is
no longer there was claimed: it is never put back under the same id.
"""

import hashlib
import json
import os
from collections.abc import Iterable
from functools import partial

from thruline.artifacts.handoff import SEEN
from thruline.artifacts.last_session import LEARN_PENDING, LastSession, parse_last_session
from thruline.artifacts.lines import parse_row
from thruline.config.schema import find_settings
from thruline.disk.atomic import make_folders, remove_quietly, write_bytes
from thruline.disk.own import read_own
from thruline.errors import ThrulineError
from thruline.harnesses.registry import Harness
from thruline.harnesses.telling import find_limit, find_tellable, measure_text
from thruline.inject.choose import Choice, Waiting, build_id, choose
from thruline.inject.render import render_dirty, render_learn, render_resume, render_start
from thruline.operations.work.client import is_client_running
from thruline.operations.work.fold import render_moment
from thruline.operations.work.jobs import build_budget
from thruline.operations.work.place import Place
from thruline.operations.work.state import SessionState, WorkState, build_key, write_state
from thruline.operations.work.told import read_told

SCHEMA = 1
_LEARN = "+learn"
_PENDING = "!"  # behind `handed` until the text lies there
_LARGEST = 4 << 20


def update_ready(place: Place, state: WorkState) -> None:
    """Brings every ready text up to date."""
    told = read_told(place.hooks.injected, state)
    if any(_LEARN in each.split(" ") for each in told):
        remove_quietly(os.path.join(place.project.logs, LEARN_PENDING))
    _move_seen(place, state)
    _take_back(place, state)
    _finish_late(place, state)
    _hand_late(place, state)
    waiting = find_waiting(place, state)
    for harness in find_tellable():
        _update_resume(place, state, harness, choose(waiting))
        _update_start(place, state, harness)
    _warn_dirty(place, state)
    _write_config(place)
    write_state(place.state, state)


# --- who waits ----------------------------------------------------------------------------------------------------


def find_waiting(place: Place, state: WorkState) -> list[Waiting]:
    """The sessions that have something to tell and told it to nobody."""
    return [
        Waiting(
            session.harness,
            session.session,
            session.turns,
            render_moment(session.ended_at or session.last_at),
            session.ended,
            pid=0 if session.ended else session.pid,
            born=0 if session.ended else session.born,
            title=session.title,
            branch=session.branch,
            handoff=os.path.join(place.project.handoffs, session.handoff) if session.handoff else "",
        )
        for session in state.sessions.values()
        if session.worth and session.turns > session.told_turns and not session.handed
    ]


def _move_seen(place: Place, state: WorkState) -> None:
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


def _take_back(place: Place, state: WorkState) -> None:
    """What lay ready for a session that ended without hearing it is for the next one again, or for nobody."""
    for ended in [one for one in state.sessions.values() if one.ended]:
        path = place.hooks.build_late(ended.harness, ended.session)
        if not os.path.exists(path):
            continue  # never there, or taken by a hook
        for session in state.sessions.values():
            if session.handed == build_key(ended.harness, ended.session):
                session.handed = ""
        write_state(place.state, state)  # first: a killed worker must not take what it removed for what a hook took
        remove_quietly(path)


# --- a resume text ------------------------------------------------------------------------------------------------


def _update_resume(place: Place, state: WorkState, harness: Harness, choice: Choice | None) -> None:
    path, slot = place.hooks.build_resume(harness.name), f"resume:{harness.name}"
    learn = os.path.exists(os.path.join(place.project.logs, LEARN_PENDING))
    told = " ".join(filter(None, (build_id(choice) if choice else "", _LEARN if learn else "")))
    envelope = _build_envelope(place, harness, choice, "resume", told) if told else None
    before, _, content = state.written.get(slot, "").partition("\n")
    if envelope is None:
        if before:
            remove_quietly(path)
            state.written.pop(slot)
    elif before != told or (content != _digest(envelope) and _claim(path)):
        write_bytes(path, envelope, mode=0o600)
    if os.path.exists(_claimed(path)):
        remove_quietly(_claimed(path))
    if envelope is not None:
        state.written[slot] = told + "\n" + _digest(envelope)


def _build_envelope(place: Place, harness: Harness, choice: Choice | None, kind: str, told: str) -> bytes | None:
    """The notes of `choice`, and the line about learning where `told` has that; None where there is neither."""
    limit = find_limit(harness)
    notes = _read_notes(place, choice.full, build_budget(limit)) if choice else None
    texts = []
    if choice is not None and notes is not None:
        texts.append(render_resume(choice, notes, limit, partial(measure_text, harness)))
    if told.endswith(_LEARN):
        texts.append(render_learn())
    about = choice.full if choice else Waiting("", "", 0, "", True)
    return _render_envelope(told, kind, "\n\n".join(texts), about) if texts else None


def _render_envelope(told: str, kind: str, text: str, about: Waiting) -> bytes:
    fields = {"schema": SCHEMA, "id": told, "kind": kind, "from": about.session, "pid": about.pid, "born": about.born}
    return json.dumps({**fields, "text": text}).encode("ascii") + b"\n"


def _read_notes(place: Place, one: Waiting, budget: int) -> str | None:
    try:
        notes = parse_row(read_own(place.build_kept(one.harness, one.session, "notes.json"), _LARGEST))
    except ThrulineError:
        return None
    text = notes.get(str(budget))
    return text if isinstance(text, str) else None


def _digest(envelope: bytes) -> str:
    return hashlib.sha256(envelope).hexdigest()[:16]


def _claim(path: str) -> bool:
    """Takes a ready text away as a hook would; False where a hook was first. One that we took before counts too."""
    try:
        os.replace(path, _claimed(path))
    except FileNotFoundError:
        return os.path.exists(_claimed(path))
    return True


def _claimed(path: str) -> str:
    # A name of our own: what a killed worker took is known from what a hook took.
    return path + ".worker"


# --- notes that came too late for a start -------------------------------------------------------------------------


def _hand_late(place: Place, state: WorkState) -> None:
    """Notes of a session that died unheard, for one that started meanwhile and may hear them with its next prompt."""
    for hungry in [one for one in state.sessions.values() if one.hungry]:
        choice = choose(
            one
            for one in find_waiting(place, state)
            if one.ended and one.session != hungry.session and one.at <= render_moment(hungry.started_at)
        )
        if choice is None or not is_client_running(hungry.pid, hungry.born):
            continue
        for one in (choice.full, *choice.others):
            state.find(one.harness, one.session).handed = build_key(hungry.harness, hungry.session) + _PENDING
        hungry.hungry = False
        write_state(place.state, state)
        _finish_late(place, state)


def _finish_late(place: Place, state: WorkState) -> None:
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
        envelope = _build_envelope(place, harness, choice, "late", build_id(choice)) if choice and harness else None
        slots = {slot: place.hooks.build_resume(slot.partition(":")[2]) for slot in state.written if slot[0] == "r"}
        if envelope is None or not all(map(_claim, slots.values())):
            continue  # nothing to hand, or a hook told it elsewhere in this very moment
        write_bytes(place.hooks.build_late(to.harness, to.session), envelope, mode=0o600)
        for session in sessions:
            session.handed = key
        for slot in slots:
            del state.written[slot]
        write_state(place.state, state)
        for path in slots.values():
            remove_quietly(_claimed(path))


def _is_one_of(one: Waiting, sessions: Iterable[SessionState]) -> bool:
    return any((one.harness, one.session) == (each.harness, each.session) for each in sessions)


def _find_harness(name: str) -> Harness | None:
    return next((each for each in find_tellable() if each.name == name), None)


# --- the line about the last session, and the word to the person ---------------------------------------------------


def _update_start(place: Place, state: WorkState, harness: Harness) -> None:
    last = _read_last(state)
    if last is None:
        return
    told = f"start {last.harness}:{last.session_id}:{last.ended_at}"
    about = Waiting(last.harness, last.session_id, last.turns, last.ended_at, last.ended)
    envelope = _render_envelope(told, "start", render_start(last), about)
    slot = f"start:{harness.name}"
    if state.written.get(slot) != _digest(envelope):
        write_bytes(place.hooks.build_start(harness.name), envelope, mode=0o600)
        state.written[slot] = _digest(envelope)


def _warn_dirty(place: Place, state: WorkState) -> None:
    """Once a session: the person hears of changes that are not committed, with the session's next event."""
    last = _read_last(state)
    session = state.sessions.get(build_key(last.harness, last.session_id)) if last else None
    if last is None or session is None or session.warned or session.ended or not last.uncommitted_changes:
        return
    path = place.hooks.build_late(session.harness, session.session)
    if os.path.exists(path):
        return  # notes come first; the next turn warns
    session.warned = True
    write_state(place.state, state)  # first: rather no warning than two
    about = Waiting(session.harness, session.session, session.turns, last.ended_at, False)
    write_bytes(
        path,
        _render_envelope(f"dirty {build_key(session.harness, session.session)}", "user", render_dirty(last), about),
        mode=0o600,
    )


def _read_last(state: WorkState) -> LastSession | None:
    return parse_last_session(state.last) if state.last else None


# --- settings -----------------------------------------------------------------------------------------------------


def _write_config(place: Place) -> None:
    """The settings in force, as hooks can read them without a TOML parser."""
    values = {each.key: getattr(getattr(place.config, each.section), each.name) for each in find_settings()}
    data = json.dumps({"schema": SCHEMA, "settings": values}, indent=1).encode("ascii") + b"\n"
    try:
        if read_own(place.hooks.config, _LARGEST) == data:
            return
    except ThrulineError:
        pass
    write_bytes(place.hooks.config, data, mode=0o600)
