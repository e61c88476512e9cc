"""What the worker could not do, and what nobody has taken in."""

import os
import time

from thruline.disk.atomic import Lock, make_folders
from thruline.errors import LockTimeout, ThrulineError
from thruline.operations.doctor.surroundings import Diagnosis, Surroundings
from thruline.operations.finding import BROKEN, NOTE, OK, Finding
from thruline.operations.work.event import find_names, read_events
from thruline.operations.work.place import find_keys
from thruline.operations.work.run import UNFIT, work
from thruline.operations.work.state import read_state, write_state

# Hooks start the worker within seconds; what is older than this, nobody takes in.
OLD_SECONDS = 3600.0


def check_worker(around: Surroundings) -> list[Diagnosis]:
    """Every job was done and no event waits, in any project of this user."""
    user = around.find_user()
    keys = find_keys(user)
    found: list[Diagnosis] = []
    for key in keys:
        folder, spool = os.path.join(user.work, key), os.path.join(user.spool, key)
        found += _check_parked(folder)
        found += _check_unfit(folder, spool)
        found += _check_bad(folder)
        found += _check_spool(folder, spool)
    if not found:
        what = "Everything that hooks left was taken in." if keys else "No hook has left anything yet."
        found.append(Diagnosis(Finding("worker", OK, what)))
    return found


def _check_parked(folder: str) -> list[Diagnosis]:
    path = os.path.join(folder, "state.json")
    state = read_state(path)

    def retry() -> None:
        with Lock(os.path.join(folder, "lock")):
            now = read_state(path)
            for each in now.parked:
                if each.session:
                    now.find(each.harness, each.session).due[each.job] = 0
            now.parked = []
            write_state(path, now)
        work(now.root)

    return [
        Diagnosis(
            Finding(
                "worker",
                BROKEN,
                f"{_tell_job(each.job)} failed {'twice ' if each.session else ''}at {each.at}: {each.error}"
                f"  ({_tell_session(each.session)}{state.root})",
                "put right what it names, then thruline doctor --fix tries again",
            ),
            retry if state.root else None,
        )
        for each in state.parked
    ]


def _tell_job(job: str) -> str:
    return {
        "turn": "Noting a turn",
        "threshold": "Preparing the handoff of a full session",
        "before_compact": "Noting what stood before a compaction",
        "after_compact": "Looking for what a compaction lost",
        "end": "Keeping an ended session's brief",
        "rows": "Adding to an index",
        "sweep": "Removing what killed processes left",
        "dead": "Looking for sessions whose client is gone",
        "old": "Forgetting old sessions",
        "told": "Reading what hooks told",
        "claims": "Looking for notes that a hook took and never told",
        "seen": "Putting away handoffs that were told",
        "taken back": "Taking back notes that nobody heard",
        "late": "Handing notes to a running session",
        "handed": "Choosing notes for a running session",
        "starts": "Preparing what the next session is told",
        "keep": "Preparing what a summary must keep",
        "lost": "Preparing what a summary lost",
        "dirty": "Preparing the word about uncommitted changes",
        "status": "Preparing the status line",
        "config": "Preparing the settings for hooks",
    }.get(job, f"The job {job}")


def _tell_session(session: str) -> str:
    return f"session {session}, " if session else ""


def _check_unfit(folder: str, spool: str) -> list[Diagnosis]:
    """Events that the worker could not take in; another version may, so a repair is a new try."""
    unfit = os.path.join(folder, UNFIT)
    names = find_names(unfit)
    if not names:
        return []
    root = read_state(os.path.join(folder, "state.json")).root or _find_root(unfit, names[0])

    def retry() -> None:
        with Lock(os.path.join(folder, "lock")):
            make_folders(spool, 0o700)
            for name in names:
                os.replace(os.path.join(unfit, name), os.path.join(spool, name))
        work(root)

    what = f"{len(names)} event{'' if len(names) == 1 else 's'} could not be taken in and lie in {unfit}."
    fix = "thruline doctor --fix tries again; what fails again can be deleted"
    return [Diagnosis(Finding("worker", BROKEN, what, fix), retry if root else None)]


def _check_bad(folder: str) -> list[Diagnosis]:
    bad = os.path.join(folder, "bad")
    names = find_names(bad)
    if not names:
        return []

    def remove() -> None:
        for name in names:
            os.unlink(os.path.join(bad, name))

    what = f"{len(names)} event{'' if len(names) == 1 else 's'} could not be read and lie in {bad}."
    return [Diagnosis(Finding("worker", NOTE, what, "look at them, or remove them"), remove)]


def _check_spool(folder: str, spool: str) -> list[Diagnosis]:
    names = find_names(spool)
    waiting = [name for name in names if _find_age(name) > OLD_SECONDS]
    if not waiting or _is_working(folder):
        return []
    root = read_state(os.path.join(folder, "state.json")).root or _find_root(spool, waiting[0])
    what = f"{len(names)} event{'' if len(names) == 1 else 's'} of hooks wait in {spool}; no worker takes them in."
    repair = (lambda: _work(root)) if root else None
    return [Diagnosis(Finding("worker", BROKEN, what, f"thruline work {root or 'ROOT'}"), repair)]


def _work(root: str) -> None:
    work(root)


def _find_age(name: str) -> float:
    stamp = name.partition("-")[0]
    return time.time() - int(stamp) / 1e9 if stamp.isdigit() else 0.0


def _is_working(folder: str) -> bool:
    try:
        with Lock(os.path.join(folder, "lock"), 0.0):
            return False
    except LockTimeout:
        return True
    except ThrulineError:
        return False  # it never worked here


def _find_root(spool: str, name: str) -> str:
    events, _ = read_events(spool, [name])
    return events[0].root if events else ""
