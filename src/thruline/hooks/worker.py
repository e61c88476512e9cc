"""How the worker is started: detached, by the environment's own interpreter, and only where none is at work."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from thruline.layout import HookPaths


def start_worker(python: str, paths: "HookPaths", root: str) -> None:
    """Starts `thruline work ROOT` in a session of its own; it outlives the client, and holds no stream of it."""
    if not python or is_working(paths.work_lock):
        return
    command = [python, "-I", "-m", "thruline.cli.entry", "work", root]
    # The stub's state, whatever the client's environment says: hook and worker must meet.
    environment = {**os.environ, "THRULINE_HOME": paths.state}
    start_detached(command, environment)


def start_detached(command: "list[str]", environment: "dict[str, str]") -> None:
    """Starts a program, named by its full path, that holds nothing of ours and that nobody waits for."""
    python = command[0]
    if os.name == "nt":
        os.spawnve(os.P_DETACH, python, command, environment)  # type: ignore[attr-defined]  # noqa: S606
        return
    os.closerange(3, 256)  # what the client forgot to close: it would wait for our child to close it
    streams = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDWR, 0),
        (os.POSIX_SPAWN_DUP2, 0, 1),
        (os.POSIX_SPAWN_DUP2, 0, 2),
    ]
    try:
        os.posix_spawn(python, command, environment, file_actions=streams, setsid=True)
    except NotImplementedError:  # an old C library: at least what is typed in the terminal does not reach it
        os.posix_spawn(python, command, environment, file_actions=streams, setpgroup=0)


def is_working(lock: str) -> bool:
    """Whether a worker holds `lock`. Having looked it lets go at once; a worker has the patience for that."""
    try:
        import fcntl
    except ImportError:
        return False  # Windows: a worker too many ends by itself
    try:
        descriptor = os.open(lock, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False
