"""The door that clients knock at: the stub, its interpreter, the switch, and what went wrong behind it."""

import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from thruline.layout import HookPaths, UserPaths, build_project_key
from thruline.operations.doctor.surroundings import Diagnosis, Surroundings
from thruline.operations.finding import BROKEN, NOTE, OK, Finding
from thruline.operations.hook_entry import write_entry
from thruline.operations.install.planning import read_current
from thruline.operations.install.record import read_record
from thruline.operations.install.stale import needs_upkeep
from thruline.operations.install.upkeep import keep_up

NAME = "door"
DAYS = 7
GIVEN_UP = "no end within"
_LARGEST = 1 << 20


def check_entry(around: Surroundings) -> list[Diagnosis]:
    """What clients call is there and runs this version; hooks are on, quick and without trouble."""
    user = around.find_user()
    installed = bool(read_record(user).settings)
    found = _check_off(around) + _check_log(user)
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


def _check_log(user: UserPaths) -> list[Diagnosis]:
    told: Counter[str] = Counter()
    given_up = 0
    for where, entry in _read_log(user.hook_errors):
        detail = str(entry.get("detail", ""))
        if detail.startswith(GIVEN_UP):
            given_up += 1
        else:
            told[f"{where}: {detail or entry.get('error', '')}"] += 1
    found = _tell_slow(_read_log(user.slow_hooks), given_up)
    if told:
        (most, count), *_ = told.most_common(1)
        what = f"In {DAYS} days hooks met trouble {_count(told.total(), 'time')}; most often {most} ({count})."
        found.append(Diagnosis(Finding(NAME, NOTE, what, f"look into {user.hook_errors}, or report it")))
    return found


def _tell_slow(slow: list[tuple[str, dict[str, Any]]], given_up: int) -> list[Diagnosis]:
    said = []
    times = [(seconds, where) for where, entry in slow if isinstance(seconds := entry.get("seconds"), int | float)]
    if times:
        seconds, where = max(times)
        said.append(f"{_count(len(times), 'hook')} took longer than a second, the slowest {seconds:g} s ({where})")
    if given_up:
        said.append(f"{_count(given_up, 'hook')} took too long and {'was' if given_up == 1 else 'were'} given up")
    what, fix = f"In {DAYS} days " + ", and ".join(said) + ".", "see whether the state folder's disk is slow or remote"
    return [Diagnosis(Finding(NAME, NOTE, what, fix))] if said else []


def _read_log(path: str) -> list[tuple[str, dict[str, Any]]]:
    """The entries of the last days, each with the client and event it is about."""
    found = []
    for line in (read_current(path) or b"")[-_LARGEST:].splitlines():
        try:
            entry = json.loads(line)
            age = time.time() - datetime.strptime(entry["at"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp()
            where = " ".join(part for part in (entry["harness"], entry["event"]) if part) or "a hook"
        except (ValueError, KeyError, TypeError):
            continue
        if age < DAYS * 86_400:
            found.append((where, entry))
    return found


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
