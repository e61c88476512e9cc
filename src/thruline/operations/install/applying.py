"""A plan made true: every file in one journaled change, the stub before it, empty folders behind it."""

import json
import os
from collections.abc import Callable

from thruline.disk.atomic import remove_quietly, write_bytes
from thruline.disk.transaction import transaction
from thruline.disk.transaction.change import build_conflict
from thruline.errors import Conflict
from thruline.layout import UserPaths
from thruline.operations.hook_entry import write_entry
from thruline.operations.install.planning import Plan, read_current
from thruline.operations.install.record import Record, build_place, parse_record, render_record
from thruline.operations.install.settings_text import find_kept_slot
from thruline.operations.install.stale import SILENT

TRIES = 10


def apply_install(user: UserPaths, plan: Plan) -> None:
    """Writes everything; a client that was changed since it was shown stops it, with nothing written."""
    # First, and harmless alone: settings that name a stub which is not there would make a client complain.
    write_entry(user.state)
    _change(user, plan)
    write_kept_lines(user, plan.record)


def apply_unseen(user: UserPaths, plan: Plan, plan_again: Callable[[], Plan]) -> Plan:
    """The same for a plan that nobody was asked about: where somebody else was faster, it is made anew."""
    for _ in range(TRIES):
        try:
            apply_install(user, plan)
            return plan
        except Conflict:
            plan = plan_again()
    apply_install(user, plan)
    return plan


def apply_uninstall(user: UserPaths, plan: Plan) -> None:
    """Takes everything out, settings first; when none is left the stub falls silent."""
    _change(user, plan)
    write_kept_lines(user, plan.record)
    if not plan.record.settings and os.path.exists(user.hook_entry):
        write_bytes(user.hook_entry, SILENT.encode("ascii"))
    for folder in sorted({*plan.folders, *_find_own_folders(user, plan)}, key=len, reverse=True):
        try:
            os.rmdir(folder)
        except OSError:
            pass  # somebody else's files are in it, or it is gone


def write_kept_lines(user: UserPaths, record: Record) -> None:
    """The status line commands that users had before ours, where a hook finds them without reading the record."""
    kept: dict[str, dict[str, str]] = {}
    for path, each in record.settings.items():
        command = find_kept_slot(each.notes)
        if command:
            kept.setdefault(each.harness, {})[path] = command
    data = json.dumps(kept, indent=1).encode("ascii") + b"\n" if kept else None
    if data is None:
        remove_quietly(user.kept_lines)
    elif read_current(user.kept_lines) != data:
        write_bytes(user.kept_lines, data, mode=0o600)


def _change(user: UserPaths, plan: Plan) -> None:
    with transaction(build_place(user)) as change:
        written = change.read(user.install_record)
        if (parse_record(written, user.install_record) if written else Record()) != plan.known:
            raise build_conflict(user.install_record)
        for each in plan.changes:
            if change.read(each.path) != each.before:
                raise build_conflict(each.path)
            if each.after is None:
                change.delete(each.path)
            else:
                change.write(each.path, each.after, _find_mode(user, each.path))
        if plan.record.settings or plan.record.files:
            change.write(user.install_record, render_record(plan.record), 0o600)
        else:
            change.delete(user.install_record)


def _find_mode(user: UserPaths, path: str) -> int | None:
    return 0o600 if path.startswith(os.path.join(user.state, "")) else None


def _find_own_folders(user: UserPaths, plan: Plan) -> set[str]:
    found = {user.plugin, user.install_backups}
    for each in plan.changes:
        folder = os.path.dirname(each.path)
        while folder.startswith(os.path.join(user.plugin, "")):
            found.add(folder)
            folder = os.path.dirname(folder)
    return found
