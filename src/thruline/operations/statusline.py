"""The status line of this project, as a client would show it: run by the real stub, in a state folder of its own."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from thruline.artifacts.last_session import FILE, read_last_session
from thruline.config import Config, load_config_tolerant
from thruline.gitfacts import Status, read_status
from thruline.harnesses.installing import PROJECT, SHARED, USER, find_installers
from thruline.layout import HookPaths, UserPaths, build_project_key, find_project
from thruline.operations.doctor.hooks import read_settings
from thruline.operations.hook_entry import find_interpreter, render_stub
from thruline.operations.install.planning import build_surface
from thruline.operations.install.record import read_record
from thruline.operations.install.settings_text import find_kept_slot
from thruline.operations.work.standing import count_changes

SESSION = "preview-0000"
# (what it shows, percent): a session as it fills.
MOMENTS = (("just started", None), ("at work", 42), ("nearly full", 74))


@dataclass(frozen=True, slots=True)
class StatusLine:
    """What the line shows and where it stands. `lines` are (moment, line) where a preview was asked for.

    `hidden` are the settings files whose own line stands where ours would, in this project or since we were installed.
    """

    parts: tuple[str, ...]
    threshold: int
    clients: tuple[str, ...]
    kept: tuple[str, ...]
    hidden: tuple[str, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()


def show_statusline(user: UserPaths, folder: str, *, preview: bool) -> StatusLine:
    """The settings in force, the clients that have our line, the commands that it shows behind it."""
    project = find_project(folder)
    config = load_config_tolerant(project, user, os.environ)
    settings = read_record(user).settings
    able = {harness.name: module for harness, module in find_installers() if module.STATUS_SLOT}
    users = {path: each for path, each in settings.items() if each.scope == USER and each.harness in able}
    hidden = [path for path, each in users.items() if able[each.harness].is_foreign_line(read_settings(path) or {})]
    clients = {each.harness for path, each in users.items() if path not in hidden}
    for harness in sorted(clients):
        surface = build_surface(user, dict(os.environ), os.path.expanduser("~"), project.root, harness)
        paths = [path for scope in (PROJECT, SHARED) for path in able[harness].find_settings(surface, scope)]
        hidden += [path for path in paths if able[harness].is_foreign_line(read_settings(path) or {})]
    return StatusLine(
        config.statusline.parts,
        config.context.threshold,
        tuple(sorted(clients)),
        tuple(filter(None, (find_kept_slot(each.notes) for each in settings.values()))),
        tuple(hidden),
        tuple(_preview(project.root, project.logs, config)) if preview else (),
    )


def _preview(root: str, logs: str, config: Config) -> list[tuple[str, str]]:
    harness, module = next((each, module) for each, module in find_installers() if module.STATUS_SLOT)
    last = read_last_session(os.path.join(logs, FILE))
    status = read_status(root)
    prepared = {
        "branch": status.branch.name if isinstance(status, Status) else "",
        "dirty": count_changes(status, root) if isinstance(status, Status) else 0,
        "task": last.forge_task if last else "",
    }
    parts = {"statusline.parts": list(config.statusline.parts), "context.threshold": config.context.threshold}
    shown = []
    with tempfile.TemporaryDirectory(prefix="thruline-") as state:
        hooks = HookPaths(state, build_project_key("", root))
        for path, value in (
            (hooks.build_status(harness.name, SESSION), prepared),
            (hooks.config, {"settings": parts}),
        ):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                json.dump(value, file)
        # No worker: a preview prepares nothing.
        stub = render_stub(state).replace(repr(sys.executable), repr(""))
        for moment, percent in MOMENTS:
            payload = json.dumps(module.build_status_payload(root, SESSION, percent)).encode()
            command = [find_interpreter(), "-I", "-S", "-c", stub, harness.name, module.STATUS_MODE]
            done = subprocess.run(command, input=payload, capture_output=True, timeout=30, check=False)
            shown.append((moment, done.stdout.decode("utf-8", "replace").rstrip("\n")))
    return shown
