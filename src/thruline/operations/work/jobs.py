"""What is due for a session: its transcript read on, its standing noted, its brief made, and after its end kept.

A job that fails is done once more; then it is parked and `doctor` tells. A new kind of job is a row of the table.
"""

import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict

from thruline.artifacts.handoff import SEEN, HandoffHead, build_handoff_name, is_handoff_name, render_handoff
from thruline.artifacts.last_session import FILE, render_last_session
from thruline.brief.attempts.injection import find_in_name
from thruline.brief.claims.names import encode_name
from thruline.clock import read_clock, render_time
from thruline.disk.atomic import write_bytes
from thruline.engines.rules import Facts, GitState
from thruline.errors import NotFound, Refused, UsageError
from thruline.harnesses.registry import HARNESSES
from thruline.inject.remember import render_keep
from thruline.operations.archive.archiving import archive_one
from thruline.operations.archive.candidates import build_candidate
from thruline.operations.handoff.brief import build_brief, doubt_git, read_git
from thruline.operations.sessions.locate import Located, locate
from thruline.operations.work.budget import find_budgets
from thruline.operations.work.compaction import build_facts, take_loss, write_pre_compact, write_snapshot
from thruline.operations.work.fold import AFTER, BEFORE, END, NOTES, THRESHOLD, TURN, digest_said, render_moment
from thruline.operations.work.guard import describe_fault
from thruline.operations.work.place import Place
from thruline.operations.work.reading import Folds, drop_kept, read_on
from thruline.operations.work.ready.remember import tell_lost
from thruline.operations.work.standing import build_last_session, find_task
from thruline.operations.work.state import Parked, SessionState, WorkState, write_state
from thruline.pressure import note_compaction, see_percent
from thruline.redact import redact

MOST_TRIES = 2
# Tokens of the brief that is kept; what the next session is told is what fits its client.
HANDOFF_BUDGET = 6_000
# At the end of a turn the client has not written its last words yet; it does so within half a second.
_LOOKS, _PAUSE = 6, 0.2
_MOST_PARKED = 50


def run_due(place: Place, state: WorkState) -> None:
    """Does what is due, the oldest session first, and keeps the state after each."""
    for session in sorted(state.sessions.values(), key=lambda one: one.last_at):
        for job in JOBS:
            if job in session.due:  # asked one after another: a turn may find that more is due
                _run(place, state, session, job)


def _run(place: Place, state: WorkState, session: SessionState, job: str) -> None:
    fault = "the worker was killed while doing it"
    while session.due[job] < MOST_TRIES:
        # Counted before it is tried: who is killed while trying has tried.
        session.due[job] += 1
        write_state(place.state, state)
        try:
            JOBS[job](place, state, session)
        except Exception as error:  # whatever it is, the other sessions' jobs go on
            fault = describe_fault(error)
            continue
        break
    else:
        parked = Parked(session.harness, session.session, job, render_time(read_clock()), fault)
        state.parked = [*state.parked, parked][-_MOST_PARKED:]
    del session.due[job]
    write_state(place.state, state)


# --- the jobs -----------------------------------------------------------------------------------------------------


def _do_turn(place: Place, state: WorkState, session: SessionState) -> None:
    """After a turn: what the next session would be told if this were the last."""
    if END in session.due:
        return  # the end does all of it
    located = find_transcript(place, session)
    folds = _read_flushed(located, place, session) if located is not None else None
    facts = _note(place, state, session, located, folds)
    if facts is not None and is_full(place, session, facts):
        session.full = True
        session.due[THRESHOLD] = 0


def _do_threshold(place: Place, state: WorkState, session: SessionState) -> None:
    """The window is nearly full: the brief as a handoff, while the session still runs; renewed where there is one."""
    if END in session.due:
        return  # the end does all of it
    located = find_transcript(place, session)
    folds = read_on(located, _kept(place, session)) if located is not None else None
    facts = _note(place, state, session, located, folds)
    if located is not None and folds is not None and facts is not None and session.worth:
        _write_handoff(place, state, session, build_brief(located, facts, folds.watch, HANDOFF_BUDGET)[1].text)


def _do_before(place: Place, state: WorkState, session: SessionState) -> None:
    """A compaction is coming: what its summary will be held against, and how the project stands."""
    located, git, facts = find_transcript(place, session), _read_git(place, session), None
    if located is not None:
        folds = read_on(located, _kept(place, session))
        facts = folds.finish(doubt_git(git, folds.ledger, folds.summary.cwd))
        git = facts.git
        write_snapshot(place, session, facts)
    write_pre_compact(place, session, git, facts)


def _do_after(place: Place, state: WorkState, session: SessionState) -> None:
    """A compaction is done: what its summary lost, told at the next chance, which may be a second away."""
    note_compaction(place.hooks.build_flag(session.harness, session.session), session.pid)
    take_loss(place, session, find_transcript(place, session))
    tell_lost(place, state)


def _do_notes(place: Place, state: WorkState, session: SessionState) -> None:
    """What a compaction found unsaid, for the next session. It can wait until this one was told what it lost."""
    if END in session.due:
        return  # the end does all of it
    located = find_transcript(place, session)
    _note(place, state, session, located, read_on(located, _kept(place, session)) if located is not None else None)


def is_full(place: Place, session: SessionState, facts: Facts) -> bool:
    """Whether the session's window has just become too full, by the tokens that its transcript tells.

    For clients without a status line; where both tell, they share a flag, so neither is a second one.
    """
    if not facts.summary.window or not facts.summary.context:
        return False
    percent = min(100, 100 * facts.summary.context // facts.summary.window)
    flag = place.hooks.build_flag(session.harness, session.session)
    return see_percent(flag, percent, place.config.context.threshold, lambda: session.pid)[0]


def _do_end(place: Place, state: WorkState, session: SessionState) -> None:
    """After the end: the same for good, the brief as a handoff, and a copy for the ark."""
    located = find_transcript(place, session)
    folds = read_on(located, _kept(place, session)) if located is not None else None
    facts = _note(place, state, session, located, folds)
    if located is not None and folds is not None and facts is not None and session.worth:
        _write_handoff(place, state, session, build_brief(located, facts, folds.watch, HANDOFF_BUDGET)[1].text)
    if located is not None and place.config.ark.enabled:
        _archive(located)
    drop_kept(_kept(place, session))


JOBS: dict[str, Callable[[Place, WorkState, SessionState], None]] = {
    TURN: _do_turn,
    THRESHOLD: _do_threshold,
    BEFORE: _do_before,
    AFTER: _do_after,
    NOTES: _do_notes,
    END: _do_end,
}


def find_transcript(place: Place, session: SessionState) -> Located | None:
    """The session's files: where its client said, else wherever its id is found. None for one that never wrote."""
    if not any(each.name == session.harness for each in HARNESSES):
        return None
    for ref in (session.transcript, session.session):
        try:
            if ref:
                return locate(ref, folder=place.project.root)
        except (NotFound, Refused, UsageError):
            continue  # an id may be shorter than what a person may abbreviate it to
    return None


def _kept(place: Place, session: SessionState) -> str:
    return place.build_kept(session.harness, session.session, "folds")


def _read_flushed(located: Located, place: Place, session: SessionState) -> Folds:
    for _ in range(_LOOKS):
        folds = read_on(located, _kept(place, session))
        if not session.said or digest_said(folds.last_said) == session.said:
            break
        time.sleep(_PAUSE)
    return folds


def _note(
    place: Place, state: WorkState, session: SessionState, located: Located | None, folds: Folds | None
) -> Facts | None:
    """Notes how the session stands, in the state and in `last-session.json`, and makes its notes for a next one."""
    git = _read_git(place, session)
    facts = None
    if located is not None and folds is not None:
        facts = folds.finish(doubt_git(git, folds.ledger, folds.summary.cwd))
        _take_facts(session, facts)
        session.keep = render_keep(build_facts(facts))
    # First, since they lie in the user's own state: where a project cannot be written into, the next session hears.
    if located is not None and folds is not None and facts is not None and session.worth:
        _write_notes(
            place,
            session,
            {budget: build_brief(located, facts, folds.watch, budget)[1].text for budget in sorted(find_budgets())},
        )
    last = build_last_session(session, facts.summary if facts else None, git, place.project)
    path = place.check(os.path.join(place.project.logs, FILE))
    if session.last_at >= float(state.last.get("at", 0.0)):
        session.branch = last.branch
        state.last = {"at": session.last_at, **asdict(last)}
        write_bytes(path, render_last_session(last), mode=0o600)
    return facts


def _read_git(place: Place, session: SessionState) -> GitState:
    return read_git(session.cwd if os.path.isdir(session.cwd) else place.project.root)


def _take_facts(session: SessionState, facts: Facts) -> None:
    session.turns = sum(facts.summary.humans.values())
    session.title = redact(facts.summary.title or facts.summary.first_prompt).text
    changed = any(set(fact.how) - {"read"} for fact in facts.ledger.files.values())
    # A session in which nobody spoke, or which left nothing, has nothing to tell; one answer to one question, without a
    # tool, is no more than its last words. One that began with an accepted plan or with a command of the client has no
    # turn of a person, and did its work all the same.
    worked = facts.summary.calls > 0 or session.turns > 1
    signals = [each for each in facts.signals if worked or each.kind != "conclusion"]
    left = bool(changed or facts.ledger.commits or session.full)
    session.worth = left or (session.turns > 0 and bool(signals))
    session.task, session.role = find_task(facts.summary), "child" if facts.summary.starter else ""


def _write_notes(place: Place, session: SessionState, notes: dict[int, str]) -> None:
    path = place.build_kept(session.harness, session.session, "notes.json")
    write_bytes(path, json.dumps(notes).encode("ascii") + b"\n", mode=0o600)


def _write_handoff(place: Place, state: WorkState, session: SessionState, brief: str) -> None:
    folder = place.project.handoffs
    moment = render_moment(session.ended_at or session.last_at)
    if not session.handoff:
        session.handoff = build_handoff_name(moment, _find_taken(folder))
        write_state(place.state, state)  # a second try writes the same file
    # Outside the brief nothing is quoted: what reads like an instruction is not told there.
    title = "" if find_in_name(session.title) else session.title
    head = HandoffHead(session.session, session.harness, moment, encode_name(session.branch), title)
    path = place.check(os.path.join(folder, session.handoff))
    write_bytes(path, render_handoff(head, brief), mode=0o600)


def _find_taken(folder: str) -> set[str]:
    taken: set[str] = set()
    for each in (folder, os.path.join(folder, SEEN)):
        if os.path.isdir(each):
            taken.update(filter(is_handoff_name, os.listdir(each)))
    return taken


def _archive(located: Located) -> None:
    try:
        archive_one(build_candidate(located))
    except Refused:
        pass  # excluded, too old, or switched off meanwhile: as the user wants it
