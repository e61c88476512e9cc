"""The worker's loop: one process a root, until the spool is empty."""

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from thruline.clock import read_clock
from thruline.disk.atomic import Lock, make_folders, remove_leftovers, remove_quietly
from thruline.disk.faults import build_disk_error
from thruline.errors import LockTimeout, NotFound
from thruline.operations.work.client import is_client_running
from thruline.operations.work.event import MOST, Event, find_names, read_events, sweep_drafts
from thruline.operations.work.fold import Rows, end_session, fold_events
from thruline.operations.work.guard import attempt
from thruline.operations.work.intent import finish_batch, take_batch
from thruline.operations.work.jobs import run_due
from thruline.operations.work.place import Place, find_place
from thruline.operations.work.ready import forget_ready, update_ready
from thruline.operations.work.state import WorkState, parse_state, read_state, render_state

# A hook that looks whether we are at work holds the lock for microseconds.
PATIENCE = 1.0
# Folders of what cannot be used: events that are none, and events that the state could not take in.
BAD, UNFIT = "bad", "unfit"
# A session that nobody spoke in for so long, and that all was told of, is no longer worth a place in the state.
_FORGET_SECONDS = 30 * 86_400.0


@dataclass(frozen=True, slots=True)
class Worked:
    """What one run did. `busy` tells that another worker is at it."""

    root: str
    events: int
    busy: bool = False


def work(root: str) -> Worked:
    """Takes in everything that hooks left for the project at `root`, its real path, and prepares what they will tell.

    After letting go of the lock it looks once more: a hook that saw it held started nobody.
    """
    if not os.path.isabs(root):
        raise NotFound(
            "The worker needs the full path of a project.", where=root, next="thruline work /path/of/project"
        )
    place = find_place(root)
    taken: set[str] = set()
    while True:
        try:
            make_folders(place.hooks.work, 0o700)
        except OSError as error:
            raise build_disk_error(error, "make", place.hooks.work) from None
        try:
            with Lock(place.hooks.work_lock, PATIENCE):
                _drain(place, taken)
        except LockTimeout:
            return Worked(root, len(taken), busy=True)
        if taken.issuperset(find_names(place.hooks.spool)):
            return Worked(root, len(taken))


def _drain(place: Place, taken: set[str]) -> None:
    """Works until no event is left that is not among `taken`: one that cannot be removed must not keep us for ever."""
    finish_batch(place.intent, place.state)
    state = read_state(place.state)
    attempt(state, "sweep", partial(_sweep, place))
    state.root = place.project.root
    while True:
        names = [name for name in find_names(place.hooks.spool) if name not in taken][:MOST]
        state = _take_in(place, state, names)
        taken.update(names)
        run_due(place, state)
        update_ready(place, state)
        if taken.issuperset(find_names(place.hooks.spool)):
            return


def _sweep(place: Place) -> None:
    """Removes what killed hooks and workers left unfinished."""
    sweep_drafts(place.hooks.spool, time.time())
    project = place.project
    for folder in (place.hooks.work, place.hooks.ready, project.indexes, project.logs, project.handoffs):
        if not os.path.islink(folder):
            remove_leftovers(folder)


def _take_in(place: Place, state: WorkState, names: list[str]) -> WorkState:
    """The state with these events in it; they and their rows are on disk when it returns."""
    events, bad = read_events(place.hooks.spool, names)
    _set_aside(place, BAD, bad)
    new, rows, unfit = _fold(state, events, place.project.root)
    _set_aside(place, UNFIT, unfit)
    attempt(new, "dead", partial(_end_dead, new, rows))
    attempt(new, "old", partial(_drop_old, place, new))
    if names or rows.sessions:
        return take_batch(
            place.intent,
            place.state,
            place.hooks.spool,
            names,
            {place.sessions_log: rows.sessions, place.relevant_files: rows.files},
            new,
            place.check,
        )
    return new


def _fold(state: WorkState, events: list[Event], root: str) -> tuple[WorkState, Rows, list[str]]:
    """A new state with these events in it, their rows, and the names of those that it could not take in."""
    try:
        new = _copy(state)  # the old one stays good until all is written
        return new, fold_events(new, events, root), []
    except Exception:
        return _fold_each(state, events, root)


def _fold_each(state: WorkState, events: Iterable[Event], root: str) -> tuple[WorkState, Rows, list[str]]:
    # One by one, each on a copy: what the unfit one changed before it failed is given up with it.
    rows, unfit = Rows(), []
    state = _copy(state)
    for event in events:
        tried = _copy(state)
        try:
            added = fold_events(tried, [event], root)
        except Exception:
            unfit.append(event.name)
            continue
        state = tried
        rows.sessions += added.sessions
        rows.files += added.files
    return state, rows, unfit


def _copy(state: WorkState) -> WorkState:
    return parse_state(render_state(state))


def _end_dead(state: WorkState, rows: Rows) -> None:
    """Sessions whose client is gone without a word, or went on with another session, are over."""
    starts: dict[tuple[int, int], float] = {}
    for session in state.sessions.values():
        client = (session.pid, session.born)
        starts[client] = max(starts.get(client, 0.0), session.started_at)
    for session in state.sessions.values():
        if session.ended or not session.pid:
            continue
        if not is_client_running(session.pid, session.born):
            end_session(session, session.last_at, "died", rows)
        elif session.last_at < starts[session.pid, session.born]:
            end_session(session, session.last_at, "left", rows)


def _drop_old(place: Place, state: WorkState) -> None:
    before = read_clock().timestamp() - _FORGET_SECONDS
    for key, session in list(state.sessions.items()):
        told = session.told_turns >= session.turns or not session.worth
        if session.ended and told and not session.due and session.last_at < before:
            del state.sessions[key]
            for what in ("folds", "notes.json", "snapshot.json"):
                remove_quietly(place.build_kept(session.harness, session.session, what))
            forget_ready(place, session)


def _set_aside(place: Place, kind: str, names: list[str]) -> None:
    """What cannot be used is kept for a look, out of the way, and told by `doctor`."""
    for name in names:
        source = os.path.join(place.hooks.spool, name)
        try:
            make_folders(os.path.join(place.hooks.work, kind), 0o700)
            os.replace(source, os.path.join(place.hooks.work, kind, name))
        except OSError:
            remove_quietly(source)
