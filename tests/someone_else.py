"""Another user's rights, for tests that are run by root."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

NOBODY = 65534


@contextmanager
def as_someone_else() -> Iterator[None]:
    """Root may look into everything and change it: within the block it is somebody else, where it was root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
