"""Waiting for something a client does: as long as it takes, and no longer than any client needs."""

import time
from collections.abc import Callable

PATIENCE = 60.0


def wait_until(is_so: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Returns once it is so."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, f"it was not so within {seconds:.0f} s"
        time.sleep(0.05)
