"""The door that clients knock at: the stub, its interpreter, the switch, and what went wrong behind it."""

import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from thruline.layout import HookPaths, build_project_key
from thruline.operations.doctor.surroundings import Diagnosis, Surroundings
from thruline.operations.finding import BROKEN, NOTE, OK, Finding
from thruline.operations.hook_entry import write_entry
from thruline.operations.install.planning import read_current
from thruline.operations.install.record import read_record
from thruline.operations.install.stale import needs_upkeep
from thruline.operations.install.upkeep import keep_up

NAME = "door"
DAYS = 7
SLOW = "no end within"
_LARGEST = 1 << 20


def check_entry(around: Surroundings) -> list[Diagnosis]:
    """What clients call is there and runs this version; hooks are on, quick and without trouble."""
    user = around.find_user()
    installed = bool(read_record(user).settings)
    found = _check_off(around) + _check_log(user.hook_errors)
    mend: Callable[[], object] = partial(write_entry, user.state)
    if not installed:
        return found or [Diagnosis(Finding(NAME, OK, "No hook is set up."))]
    for path in (user.hook_entry, user.hook_python):
        if not os.path.exists(path):
            what = f"{path} leads nowhere, and clients call it." if os.path.islink(path) else f"{path} is not there."
            found.append(Diagnosis(Finding(NAME, BROKEN, what, "thruline install"), lambda: (mend(), None)[1]))
    if os.path.exists(user.hook_entry) and needs_upkeep(user):
        what = "The stub that clients call is of another version, or its package is gone."
        repair = partial(keep_up, user, dict(around.env), around.find_home())
        found.append(Diagnosis(Finding(NAME, BROKEN, what, "thruline install"), repair))
    if installed and not shutil.which("thruline", path=around.env.get("PATH", "")):
        what = "The commands in clients call thruline, which is not in PATH here."
        found.append(
            Diagnosis(Finding(NAME, NOTE, what, "put its folder into PATH, or install it with pipx or uv tool"))
        )
    return found or [Diagnosis(Finding(NAME, OK, user.hook_entry))]


def _check_off(around: Surroundings) -> list[Diagnosis]:
    user, root = around.find_user(), around.find_project().root
    found = []
    if around.env.get("THRULINE_OFF", "0") not in ("", "0"):
        found.append(("THRULINE_OFF is set: hooks started from here are silent.", "unset THRULINE_OFF"))
    if os.path.lexists(user.off):
        found.append(("Hooks are off everywhere.", "thruline on"))
    if os.path.lexists(HookPaths(user.state, build_project_key("", root)).off):
        found.append((f"Hooks are off in {root}.", "thruline on --here"))
    return [Diagnosis(Finding(NAME, NOTE, what, fix)) for what, fix in found]


def _check_log(path: str) -> list[Diagnosis]:
    told: Counter[str] = Counter()
    slow: Counter[str] = Counter()
    for line in (read_current(path) or b"")[-_LARGEST:].splitlines():
        try:
            entry = json.loads(line)
            age = time.time() - datetime.strptime(entry["at"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp()
            where = " ".join(part for part in (entry["harness"], entry["event"]) if part) or "a hook"
            detail = str(entry["detail"])
        except (ValueError, KeyError, TypeError):
            continue
        if age < DAYS * 86_400:
            (slow if detail.startswith(SLOW) else told)[f"{where}: {detail or entry['error']}"] += 1
    found = []
    if slow:
        what = f"In {DAYS} days {slow.total()} hooks took too long and were given up."
        found.append(Diagnosis(Finding(NAME, NOTE, what, "see whether the disk of the state folder is slow or remote")))
    if told:
        (most, count), *_ = told.most_common(1)
        what = f"In {DAYS} days hooks met trouble {told.total()} times; most often {most} ({count})."
        found.append(Diagnosis(Finding(NAME, NOTE, what, f"look into {path}, or report it")))
    return found
