"""Whether the client that a session ran in is still there."""

from thruline.process import is_same_running


def is_client_running(pid: int, born: int) -> bool:
    """Whether process `pid`, born at `born` (0: unknown), still runs; where nobody can tell, it does."""
    return pid <= 0 or is_same_running(pid, born)
