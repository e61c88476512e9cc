"""The status line that a user had before ours: kept, shown behind ours, renewed without anybody waiting.

Its command is the user's own, taken from their settings by `install`; `hook/statusline.json` names it. It runs as it
ran before, with the payload on its stdin and in the folder of the session, in a process of its own; what it printed is
shown with the next line. A second one is not started while one runs.
"""

import os
import sys
import time

from thruline.hooks.statusline import read_prepared

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.layout.hook import DoorPaths, HookPaths

LIMIT = 8 * 1024  # bytes of their output that are shown
SECONDS = 4.0  # a client would wait for five
STALE = 10.0
FIRST = 1.5


def show_theirs(paths: "DoorPaths", here: "HookPaths", event: "dict[str, object]", payload: bytes) -> str:
    """What their command printed last time; its next output is on its way when this returns."""
    harness, settings = str(event["harness"]), str(event["settings"])
    if not find_command(paths, harness, settings):
        return ""
    base = here.build_theirs(harness, str(event["session"]))
    try:
        _start(paths, harness, settings, base, payload)
    except OSError:
        pass  # a disk that takes nothing: what theirs printed last is still there
    # The first line of a session may be the only one for a while: it waits for theirs, as the client did before us.
    ends = time.monotonic() + FIRST
    while not os.path.exists(base + ".out") and os.path.exists(base + ".busy") and time.monotonic() < ends:
        time.sleep(0.01)
    try:
        descriptor = os.open(base + ".out", os.O_RDONLY)
    except OSError:
        return ""
    try:
        return os.read(descriptor, LIMIT).decode("utf-8", "replace").rstrip()
    finally:
        os.close(descriptor)


def find_command(paths: "DoorPaths", harness: str, settings: str) -> str:
    """The command that stood in the settings file `settings`; of the only one known, where that is another."""
    known = read_prepared(paths.kept_lines).get(harness)
    if not isinstance(known, dict):
        return ""
    command = known.get(settings, next(iter(known.values())) if len(known) == 1 else "")
    return command if isinstance(command, str) else ""


def _start(paths: "DoorPaths", harness: str, settings: str, base: str, payload: bytes) -> None:
    from thruline.hooks.spool import DRAFT, make_private, write_all
    from thruline.hooks.worker import start_detached

    busy = base + ".busy"
    try:
        if time.time() - os.stat(busy).st_mtime < STALE:
            return
        os.unlink(busy)
    except OSError:
        pass
    try:
        descriptor = os.open(busy, DRAFT, 0o600)
    except FileNotFoundError:
        make_private(os.path.dirname(busy))
        descriptor = os.open(busy, DRAFT, 0o600)
    except FileExistsError:
        return
    try:
        write_all(descriptor, payload)
    finally:
        os.close(descriptor)
    start_detached([sys.executable, "-I", "-S", paths.hook_entry, harness, "theirs", base, settings], dict(os.environ))


def renew(paths: "DoorPaths", harness: str, base: str, settings: str, platform: str) -> None:
    """Runs their command with the payload that was left, and keeps what it prints; gives up on it after a while."""
    command = find_command(paths, harness, settings)
    new = f"{base}.{os.getpid()}"
    try:
        good = bool(command) and platform != "win32" and _run(command, base + ".busy", new)
        if not good and not os.path.exists(base + ".out"):
            # Nothing to show, and nothing that another line should wait for.
            os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
            good = True
        if good:
            os.replace(new, base + ".out")
    finally:
        for path in (new, base + ".busy"):
            try:
                os.unlink(path)
            except FileNotFoundError:
                pass


def _run(command: str, given: str, output: str) -> bool:
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, given, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    pid = os.posix_spawn("/bin/sh", ["sh", "-c", command], os.environ, file_actions=actions, setpgroup=0)
    ends = time.monotonic() + SECONDS
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status == 0
        if time.monotonic() > ends:
            os.killpg(pid, 9)
            os.waitpid(pid, 0)
            return False
        time.sleep(0.02)
