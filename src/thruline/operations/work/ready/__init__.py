"""Ready texts, kept in step with what is known and what was told.

What lies ready follows from the state and from the hooks' log of what they told, so whoever comes after a killed worker
puts the same files there. A hook claims a resume text by a rename and removes it once it was told, we rename it
before we renew it. What is no longer there was claimed, and is put back only where nobody can have heard it (claims).
"""

import os
from collections.abc import Callable
from functools import partial

from thruline.disk.atomic import remove_quietly, write_bytes
from thruline.harnesses.registry import Harness
from thruline.harnesses.telling import find_tellable
from thruline.inject.choose import Choice, build_id, choose
from thruline.operations.work.guard import attempt
from thruline.operations.work.place import Place
from thruline.operations.work.ready.claims import settle_claims
from thruline.operations.work.ready.envelope import LEARN, build_claimed, build_envelope, claim, digest_envelope
from thruline.operations.work.ready.late import finish_late, hand_late, take_back
from thruline.operations.work.ready.remember import tell_lost, update_keep
from thruline.operations.work.ready.start import update_start, warn_dirty, write_config
from thruline.operations.work.ready.status import update_status
from thruline.operations.work.ready.waiting import find_waiting, move_seen
from thruline.operations.work.state import SessionState, WorkState, write_state
from thruline.operations.work.told import read_told


def update_ready(place: Place, state: WorkState) -> None:
    """Brings every ready text up to date. A step that fails is parked and costs no other."""
    attempt(state, "told", partial(_read_told, place, state))
    for name, step in _STEPS.items():
        attempt(state, name, partial(step, place, state))
    attempt(state, "config", partial(write_config, place))
    write_state(place.state, state)


def _read_told(place: Place, state: WorkState) -> None:
    told = read_told(place.hooks.injected, state)
    if any(LEARN in each.split(" ") for each in told):
        remove_quietly(place.learn_pending)


def _update_starts(place: Place, state: WorkState) -> None:
    waiting = find_waiting(place, state)
    for harness in find_tellable():
        _update_resume(place, state, harness, choose(waiting))
        update_start(place, state, harness)


def forget_ready(place: Place, session: SessionState) -> None:
    """Removes what lies ready for a session that is no longer known."""
    hooks, theirs = place.hooks, place.hooks.build_theirs(session.harness, session.session)
    names = (hooks.build_late, hooks.build_keep, hooks.build_status, hooks.build_flag, hooks.build_blocks)
    for path in (*(name(session.harness, session.session) for name in names), theirs + ".out", theirs + ".busy"):
        remove_quietly(path)


def _update_resume(place: Place, state: WorkState, harness: Harness, choice: Choice | None) -> None:
    path, slot = place.hooks.build_resume(harness.name), f"resume:{harness.name}"
    learn = os.path.exists(place.learn_pending)
    told = " ".join(filter(None, (build_id(choice) if choice else "", LEARN if learn else "")))
    envelope = build_envelope(place, harness, choice, "resume", told) if told else None
    before, _, content = state.written.get(slot, "").partition("\n")
    if envelope is None:
        if before:
            remove_quietly(path)
            state.written.pop(slot)
    elif before != told or ((content != digest_envelope(envelope) or _is_ours(path)) and claim(path)):
        write_bytes(path, envelope, mode=0o600)
    if _is_ours(path):
        remove_quietly(build_claimed(path))
    if envelope is not None:
        state.written[slot] = told + "\n" + digest_envelope(envelope)


def _is_ours(path: str) -> bool:
    return os.path.exists(build_claimed(path))


# In this order: what was told is put away before anything is chosen.
_STEPS: dict[str, Callable[[Place, WorkState], None]] = {
    "claims": settle_claims,
    "seen": move_seen,
    "taken back": take_back,
    "late": finish_late,
    "handed": hand_late,
    "starts": _update_starts,
    "keep": update_keep,
    "lost": tell_lost,
    "dirty": warn_dirty,
    "status": update_status,
}
