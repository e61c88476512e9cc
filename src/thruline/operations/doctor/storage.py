"""Where files are kept, and what earlier runs left behind."""

import os
import sys
from collections.abc import Callable
from functools import partial

from thruline.ark.store import Ark
from thruline.disk.atomic import find_leftovers, remove_quietly
from thruline.disk.transaction import JournalFound, find_journals, recover, set_aside
from thruline.errors import Refused
from thruline.layout import ProjectPaths
from thruline.operations.doctor.surroundings import Diagnosis, Surroundings
from thruline.operations.finding import BROKEN, NOTE, OK, Finding
from thruline.operations.install.record import build_place


def check_state(around: Surroundings) -> list[Diagnosis]:
    """The user's state folder can be written, by its user alone."""
    state = around.find_user().state
    if not os.path.lexists(state):
        above = state
        while not os.path.lexists(above):
            above = os.path.dirname(above)
        if not os.path.isdir(above) or not os.access(above, os.W_OK | os.X_OK):
            return [Diagnosis(Finding("state", BROKEN, f"{state} cannot be made in {above}.", "set THRULINE_HOME"))]
        return [Diagnosis(Finding("state", OK, f"{state} will be made when it is needed."))]
    if not os.path.isdir(state):
        return [Diagnosis(Finding("state", BROKEN, f"{state} is not a folder.", "move it away, or set THRULINE_HOME"))]
    found = os.stat(state)
    if sys.platform != "win32" and found.st_uid != os.geteuid():
        fix = f"chown -R {os.geteuid()} {state}, or set THRULINE_HOME"
        return [Diagnosis(Finding("state", BROKEN, f"{state} belongs to another user.", fix))]
    if not os.access(state, os.R_OK | os.W_OK | os.X_OK):
        return [Diagnosis(Finding("state", BROKEN, f"{state} cannot be written.", f"chmod 700 {state}"), _close(state))]
    if sys.platform != "win32" and found.st_mode & 0o077:
        what = f"{state} can be looked into by other users (mode {found.st_mode & 0o777:o})."
        return [Diagnosis(Finding("state", BROKEN, what, f"chmod 700 {state}"), _close(state))]
    return [Diagnosis(Finding("state", OK, state))]


def _close(folder: str) -> Callable[[], None]:
    return lambda: os.chmod(folder, 0o700)


def check_journals(around: Surroundings) -> list[Diagnosis]:
    """No change was broken off."""
    found = []
    # An installation reaches into clients' settings, and has a journal of its own.
    for project in (around.find_project(), build_place(around.find_user())):
        found += _check_journals_of(project)
    return found or [Diagnosis(Finding("journals", OK, "No change is unfinished."))]


def _check_journals_of(project: ProjectPaths) -> list[Diagnosis]:
    found = []
    for journal in find_journals(project):
        finding = _tell_journal(journal)
        repair = None
        if journal.foreign:
            repair = partial(set_aside, project, journal.path)
        elif finding.state == BROKEN and not journal.problem:
            repair = partial(_recover, project)
        found.append(Diagnosis(finding, repair))
    return found


def _recover(project: ProjectPaths) -> None:
    recover(project)


def _tell_journal(journal: JournalFound) -> Finding:
    if journal.problem:
        fix = "move it aside; what it wants done is given up" if journal.foreign else journal.next
        fix = fix or "move that file away; the files it speaks of were left alone"
        return Finding("journals", BROKEN, f"{journal.path}: {journal.problem}", fix)
    if journal.kind == "kept":
        what = f"{journal.path} is our version of a file that someone else had changed."
        return Finding("journals", NOTE, what, "compare the two, then delete it")
    if journal.kind == "aside":
        what = f"{journal.path} was found in the journal and did not come from this machine; nothing was done with it."
        return Finding("journals", NOTE, what, "look at it, then delete it")
    if journal.broken_off:
        what = f"A change of {', '.join(journal.files)} was broken off."
        return Finding("journals", BROKEN, what, "the next command that writes here finishes it")
    return Finding("journals", OK, f"{journal.path} is settled.")


def check_leftovers(around: Surroundings) -> list[Diagnosis]:
    """No temporary file of a process that is gone."""
    user, project = around.find_user(), around.find_project()
    folders = {user.state, user.config, project.base, os.path.dirname(project.marker)}
    folders |= {project.refocus, project.canonical, project.specs}
    # In the ark a temporary file is a sign that something is unfinished: what it stands for goes first.
    inside = os.path.join(user.ark, "")
    paths = sorted({path for folder in folders for path in find_leftovers(folder) if not path.startswith(inside)})
    found = _check_unfinished(around)
    if not paths:
        return found or [Diagnosis(Finding("leftovers", OK, "No temporary file was left behind."))]

    def repair() -> None:
        for path in paths:
            remove_quietly(path)

    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    what = f"Temporary files of a killed process: {paths[0]}{more}."
    return [*found, Diagnosis(Finding("leftovers", NOTE, what, "delete them"), repair)]


def _check_unfinished(around: Surroundings) -> list[Diagnosis]:
    ark = Ark(around.find_user().ark, around.load_config().disk.lock_seconds)
    if not ark.find_unfinished():
        return []
    what = "A change of the ark was broken off; blocks that nobody uses may still lie in it."
    return [Diagnosis(Finding("leftovers", NOTE, what, "finish it"), partial(_settle, ark))]


def _settle(ark: Ark) -> None:
    ark.settle()
    if ark.find_unfinished():
        raise Refused(
            "An entry of the ark cannot be read, so it is not known which blocks nobody uses.",
            where=ark.folder,
            next="put that entry back from a backup, or forget it",
        )
