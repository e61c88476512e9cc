"""What lies ready beside notes: the line about the last session, a word to the person, the settings in force."""

import json
import os

from thruline.artifacts.last_session import LastSession, parse_last_session
from thruline.config.schema import find_settings
from thruline.disk.atomic import remove_quietly, write_bytes
from thruline.disk.own import read_own
from thruline.errors import ThrulineError
from thruline.harnesses.registry import Harness
from thruline.inject.choose import Waiting
from thruline.inject.render import render_dirty, render_start
from thruline.operations.work.place import Place
from thruline.operations.work.ready.envelope import SCHEMA, digest_envelope, render_envelope
from thruline.operations.work.ready.waiting import find_client
from thruline.operations.work.state import WorkState, build_key, write_state

_LARGEST = 1 << 20


def update_start(place: Place, state: WorkState, harness: Harness) -> None:
    """The line that every start prints."""
    last = _read_last(state)
    if last is None:
        return
    told = f"start {last.harness}:{last.session_id}:{last.ended_at}"
    session = state.sessions.get(build_key(last.harness, last.session_id))
    # While it runs, other windows do not hear of it; it may have gone on since it ended.
    pid, born = find_client(session) if session is not None else (0, 0)
    about = Waiting(last.harness, last.session_id, last.turns, last.ended_at, last.ended, pid, born)
    envelope = render_envelope(told, "start", render_start(last), about)
    slot, path = f"start:{harness.name}", place.hooks.build_start(harness.name)
    remove_quietly(place.hooks.build_reopened(path))
    if state.written.get(slot) != digest_envelope(envelope) or not os.path.exists(path):
        write_bytes(path, envelope, mode=0o600)
        state.written[slot] = digest_envelope(envelope)


def warn_dirty(place: Place, state: WorkState) -> None:
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
        render_envelope(f"dirty {build_key(session.harness, session.session)}", "user", render_dirty(last), about),
        mode=0o600,
    )


def _read_last(state: WorkState) -> LastSession | None:
    return parse_last_session(state.last) if state.last else None


def write_config(place: Place) -> None:
    """The settings in force, as hooks can read them without a TOML parser; a key of a provider is none of theirs."""
    shown = [each for each in find_settings() if not each.rule.secret]
    values = {each.key: getattr(getattr(place.config, each.section), each.name) for each in shown}
    data = json.dumps({"schema": SCHEMA, "settings": values}, indent=1).encode("ascii") + b"\n"
    try:
        if read_own(place.hooks.config, _LARGEST) == data:
            return
    except ThrulineError:
        pass
    write_bytes(place.hooks.config, data, mode=0o600)
