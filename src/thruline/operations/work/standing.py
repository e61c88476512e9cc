"""How a session left its project: branch, changes that are not committed, what it worked on."""

import os

from thruline.artifacts.last_session import LastSession
from thruline.artifacts.lines import parse_row
from thruline.disk.own import read_capped
from thruline.engines.rules import GitState
from thruline.errors import ThrulineError
from thruline.gitfacts import NoAnswer, Status
from thruline.layout import ProjectPaths
from thruline.operations.work.fold import render_moment
from thruline.operations.work.state import SessionState
from thruline.redact import redact
from thruline.session.summary import Summary

_LONGEST_TASK = 200
_LARGEST = 1 << 20


def build_last_session(
    session: SessionState, summary: Summary | None, git: GitState, project: ProjectPaths
) -> LastSession:
    """What `last-session.json` says after a turn or an end. Without a transcript, what events and git tell."""
    phase, task = read_forge(project)
    status = git.status if isinstance(git.status, Status) else None
    return LastSession(
        ended_at=render_moment(session.ended_at or session.last_at),
        # Where there is a repository that nobody can ask, what the session said of it.
        branch=status.branch.name if status else "" if git.absent or summary is None else summary.branch,
        uncommitted_changes=count_changes(status, project.root) if status else 0,
        forge_phase=phase,
        forge_task=task or (find_task(summary) if summary else ""),
        session_id=session.session,
        harness=session.harness,
        ended=session.ended,
        turns=session.turns,
        git="" if status else _tell_absent(git),
        drift=session.drift,
    )


def find_task(summary: Summary) -> str:
    """What the session worked on, without secrets: its task in progress, else its title, else how it began."""
    now = [text for text, status in summary.tasks if status == "in_progress"]
    return redact(" ".join((now[0] if now else summary.title or summary.first_prompt).split())).text[:_LONGEST_TASK]


def count_changes(status: Status, root: str) -> int:
    """How many paths are not as HEAD has them, our own files left out."""
    return len(find_changed(status, root))


def find_changed(status: Status, root: str) -> list[str]:
    """The paths that are not as HEAD has them, our own files left out."""
    paths = [change.path for change in status.changes] + list(status.conflicts) + list(status.untracked)
    return [path for path in paths if not _is_ours(path, root)]


def _is_ours(path: str, root: str) -> bool:
    # Git names an untracked folder as a whole: `.agent/` is ours where nothing else lies in it.
    for own in (".agent/context", ".forge/logs", ".forge/handoffs"):
        if path == own or path.startswith(own + "/"):
            return True
    if path in (".agent/", ".forge/"):
        ours = {".agent/": {"context"}, ".forge/": {"logs", "handoffs"}}[path]
        try:
            return set(os.listdir(os.path.join(root, path))) <= ours
        except OSError:
            return False
    return False


def read_forge(project: ProjectPaths) -> tuple[str, str]:
    """Phase and task of a project that keeps them in `.forge/state.json`; empty where it does not."""
    if not project.forge:
        return "", ""
    try:
        row = parse_row(read_capped(os.path.join(project.root, ".forge", "state.json"), _LARGEST))
    except ThrulineError:
        return "", ""
    return _text(row.get("phase")), _text(row.get("task"))


def _text(value: object) -> str:
    return " ".join(value.split())[:_LONGEST_TASK] if isinstance(value, str) else ""


def _tell_absent(git: GitState) -> str:
    if isinstance(git.status, NoAnswer):
        return f"git gave no answer ({git.status.reason})"
    return "not a git repository" if git.absent else ""
