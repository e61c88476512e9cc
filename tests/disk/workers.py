"""What the concurrency tests run in many processes: python -m tests.disk.workers NAME FOLDER COUNT KIND."""

import os
import sys

from tests.disk.projects import build_paths
from thruline.disk.atomic import Lock, append_line, read_bytes, write_bytes
from thruline.disk.transaction import read_together, transaction
from thruline.layout import find_project

PATIENCE = 300.0


def count_under_lock(folder: str, count: int, _kind: str) -> None:
    """Adds one to a file, `count` times."""
    path = os.path.join(folder, "counter")
    for _ in range(count):
        with Lock(path + ".lock", PATIENCE):
            write_bytes(path, str(int(read_bytes(path)) + 1).encode())


def append_lines_of_mine(folder: str, count: int, _kind: str) -> None:
    """Adds `count` lines of different lengths, each telling who wrote it."""
    for number in range(count):
        append_line(os.path.join(folder, "log"), f"{os.getpid()} {number} {'x' * (number * 37 % 9000)} end".encode())


def count_in_four_files(folder: str, count: int, kind: str) -> None:
    """Adds one to each of four files in one change, `count` times."""
    project = find_project(folder)
    paths = build_paths(project)
    for _ in range(count):
        with transaction(project, kind=kind, timeout=PATIENCE) as change:
            for path in paths:
                change.write(path, str(int(change.read(path) or b"0") + 1).encode())


def read_four_files(folder: str, count: int, kind: str) -> None:
    """Reads the four files `count` times; ends with code 1 at the first mix of old and new."""
    project = find_project(folder)
    last = 0
    for _ in range(count):
        values = {int(data or b"0") for data in read_together(project, build_paths(project), kind=kind).values()}
        if len(values) != 1 or min(values) < last:
            sys.exit(f"a mix: {sorted(values)} after {last}")
        last = min(values)


WORKERS = {
    each.__name__: each for each in (count_under_lock, append_lines_of_mine, count_in_four_files, read_four_files)
}

if __name__ == "__main__":
    WORKERS[sys.argv[1]](sys.argv[2], int(sys.argv[3]), sys.argv[4])
