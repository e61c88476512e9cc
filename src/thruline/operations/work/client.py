"""Whether the client that a session ran in is still there."""

import os

from thruline.disk.lock import is_running


def is_client_running(pid: int, born: int) -> bool:
    """Whether process `pid`, born at `born` (0: unknown), still runs; where nobody can tell, it does."""
    if pid <= 0 or is_running(pid) is None:
        return True
    if not is_running(pid):
        return False
    now = _read_birth(pid)
    return now < 0 or (now > 0 and born in (0, now))


def _read_birth(pid: int) -> int:
    """When a process was born, in the system's own count; 0 of one that is over, -1 where the system does not tell."""
    if not os.path.exists("/proc/self/stat"):
        return -1
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            line = file.read(1024)
    except OSError:
        return 0
    parts = line.rpartition(b")")[2].split()  # a name may hold brackets and blanks itself
    return int(parts[19]) if len(parts) >= 20 and parts[0] not in (b"Z", b"X") else 0
