"""What lies in a journal folder and is not ours, moved out of the way: never replayed, never deleted."""

import os
import time
from contextlib import ExitStack

from thruline.disk.atomic import sync_folder
from thruline.disk.faults import build_disk_error
from thruline.disk.lock import TIMEOUT
from thruline.disk.own import check_own_folder
from thruline.disk.transaction.roots import LOCK, check_folder, lock_all
from thruline.disk.transaction.table import NAME, Table
from thruline.layout import ProjectPaths

ASIDE = "aside"


def set_aside(project: ProjectPaths, path: str, *, timeout: float = TIMEOUT) -> None:
    """Moves `path`, a file of the journal folder of `project`, into its `aside/`; the link itself if it is one."""
    check_folder(project)
    with ExitStack() as stack:
        # A lock that is itself not ours can keep nobody out.
        if path != os.path.join(project.journal, LOCK):
            stack.enter_context(lock_all([project], timeout=timeout))
        try:
            _move(project.journal, path)
        except OSError as error:
            raise build_disk_error(error, "move aside", path) from None


def _move(journal: str, path: str) -> None:
    folder = os.path.join(journal, ASIDE)
    if path == folder:
        os.rename(path, os.path.join(journal, f"{time.time_ns()}-{ASIDE}"))
        return
    if not os.path.lexists(folder):
        os.mkdir(folder, 0o700)
    check_own_folder(folder)
    database = os.path.join(journal, NAME)
    together = [path]
    if path.startswith(database):
        # A database and its log are one thing: either without the other would be taken for something else.
        Table(journal).close()
        together = [database + end for end in ("", "-wal", "-shm", "-journal")]
    now = time.time_ns()
    for each in together:
        if os.path.lexists(each):
            os.rename(each, os.path.join(folder, f"{now}-{os.path.basename(each)}"))
    sync_folder(folder)
    sync_folder(journal)
