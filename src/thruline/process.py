"""Processes of others: who they are and whether they still run, by what the system tells without a program's help.

Hooks import this module, so it asks Linux's own files and nothing else; elsewhere only a process's number is known.
"""

import os


def read_process(pid: int) -> "tuple[str, int, int]":
    """A process's name, its parent and its birth in the system's own count; nothing of one that is over."""
    try:
        descriptor = os.open(f"/proc/{pid}/stat", os.O_RDONLY)
    except OSError:
        return "", 0, 0
    try:
        line = os.read(descriptor, 1024)
    except OSError:  # it ended meanwhile
        return "", 0, 0
    finally:
        os.close(descriptor)
    start, _, rest = line.rpartition(b")")  # a name may hold brackets and blanks itself
    parts = rest.split()
    if len(parts) < 20 or parts[0] in (b"Z", b"X"):
        return "", 0, 0
    return start.partition(b"(")[2].decode("utf-8", "replace"), int(parts[1]), int(parts[19])


def is_same_running(pid: int, born: int) -> bool:
    """Whether the process `pid` that began at `born` (0: unknown) still runs; where nobody can tell, it does.

    The number alone says little: it is soon another's, and after a restart of the machine even more so.
    """
    if os.name == "nt":
        return True  # os.kill would end it
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass  # there, and another user's
    if not os.path.exists("/proc/self/stat"):
        return True
    now = read_process(pid)[2]
    return now != 0 and born in (0, now)
