"""Everything that we keep outside projects, removed by name: an unknown file in the state folder is somebody else's."""

import os
import shutil
from contextlib import ExitStack
from dataclasses import dataclass

from thruline.disk.atomic import Lock, remove_quietly, write_bytes
from thruline.layout import HookPaths, UserPaths

_PATIENCE = 30.0  # seconds for a worker to end


@dataclass(frozen=True, slots=True)
class Purged:
    """What was removed, and what lies in our folders without being ours."""

    removed: tuple[str, ...]
    left: tuple[str, ...]


def find_everything(user: UserPaths) -> list[str]:
    """Each file and folder of ours that is there."""
    kind = type(user)
    known = {getattr(user, name) for name in dir(kind) if isinstance(getattr(kind, name), property)}
    tops = {_find_top(user, path) for path in known}
    return sorted(path for path in tops if os.path.lexists(path))


def purge(user: UserPaths) -> Purged:
    """Removes them, and the two folders where nothing else is left in them; workers that run end first."""
    with ExitStack() as held:
        _stop_workers(user, held)
        return _remove_all(user)


def _stop_workers(user: UserPaths, held: ExitStack) -> None:
    # No hook starts another, and none that is at work writes its state back behind us.
    write_bytes(user.off, b"", mode=0o600)
    work = HookPaths(user.state, "").work
    for key in sorted(os.listdir(work)) if os.path.isdir(work) else ():
        held.enter_context(Lock(HookPaths(user.state, key).work_lock, _PATIENCE))


def _remove_all(user: UserPaths) -> Purged:
    removed = []
    everything = find_everything(user)
    # Before the stub: a client that still runs may ignore a missing program, and not one that ends with an error.
    remove_quietly(user.hook_python)
    for path in everything:
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)
        removed.append(path)
    left = []
    for folder in (user.state, user.config):
        try:
            os.rmdir(folder)
        except FileNotFoundError:
            pass
        except OSError:
            left += [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    return Purged(tuple(removed), tuple(left))


def _find_top(user: UserPaths, path: str) -> str:
    for folder in (user.state, user.config):
        if path.startswith(folder + os.sep):
            return os.path.join(folder, path[len(folder) + 1 :].partition(os.sep)[0])
    return path
