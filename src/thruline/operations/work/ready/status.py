"""What the status line shows of a project and of each session that runs, prepared so that showing it costs one read."""

import json
import os

from thruline.artifacts.frontmatter import Document, parse_document
from thruline.artifacts.lines import parse_row
from thruline.artifacts.loop_step import ACTIVE, list_promises, read_count
from thruline.artifacts.stamp import is_stamped_id
from thruline.clock import parse_time, read_clock
from thruline.disk.atomic import remove_quietly, write_bytes
from thruline.disk.own import read_capped, read_own
from thruline.errors import ThrulineError
from thruline.operations.work.place import Place
from thruline.operations.work.ready.envelope import SCHEMA
from thruline.operations.work.state import SessionState, WorkState

_LARGEST = 1 << 20


def update_status(place: Place, state: WorkState) -> None:
    """Writes what changed: the project's own file, and one for each session that has not ended."""
    standing = {"branch": state.last.get("branch", ""), "dirty": state.last.get("uncommitted_changes", 0)}
    _write(place.hooks.status, standing)
    for session in state.sessions.values():
        path = place.hooks.build_status(session.harness, session.session)
        if session.ended:
            if os.path.exists(path):
                remove_quietly(path)
            continue
        shown = {"task": session.task, "loop": _read_loop(place, session), "role": session.role}
        _write(path, {**standing, **shown})


def _write(path: str, fields: dict[str, object]) -> None:
    data = json.dumps({"schema": SCHEMA, **{key: value for key, value in fields.items() if value}}).encode() + b"\n"
    try:
        if read_own(path, _LARGEST) == data:
            return
    except ThrulineError:
        pass  # not there yet
    write_bytes(path, data, mode=0o600)


def _read_loop(place: Place, session: SessionState) -> str:
    """`loop 3/10 since 09:10, ALL PORTED: its last line` of the loop in the session's foreground."""
    try:
        sessions = parse_row(read_capped(place.project.active_loop, _LARGEST)).get("sessions")
        loop_id = sessions.get(session.session) if isinstance(sessions, dict) else None
        if not isinstance(loop_id, str) or not is_stamped_id(loop_id):
            return ""
        path = os.path.join(place.project.loops, loop_id + ".md")
        loop = parse_document(read_capped(path, _LARGEST), path)
    except ThrulineError:
        return ""
    if loop.get("status") != ACTIVE:
        return ""
    most, promises, last = read_count(loop, "max_iterations"), list_promises(loop), loop.get("last_line")
    shown = f"loop {read_count(loop, 'iteration')}" + (f"/{most}" if most else "") + _render_since(loop)
    shown += f", {' or '.join(promises)}" if promises else ""
    return f"{shown}: {last}" if isinstance(last, str) and last else shown


def _render_since(loop: Document) -> str:
    # A moment and no age: this text is shown until the next event, and an age would stand still.
    try:
        began = parse_time(str(loop.get("created_at"))).astimezone()
    except ValueError:
        return ""
    today = began.date() == read_clock().astimezone().date()
    return f" since {began:%H:%M}" if today else f" since {began:%Y-%m-%d}"
