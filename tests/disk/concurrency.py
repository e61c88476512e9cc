"""Many processes on the same files: what was lost, what was torn. Small in the tests, full in `make bench`."""

import os
import subprocess
import sys
from pathlib import Path

from tests.disk.projects import build_paths, make_project, write_plainly
from thruline.disk.transaction import find_journals, read_together, recover

REPOSITORY = Path(__file__).resolve().parents[2]


def run_workers(jobs: list[tuple[str, str, int, str]]) -> list[str]:
    """Runs each job (worker, folder, count, kind) in a process of its own, all at once; what the failed ones said."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.disk.workers", name, folder, str(count), kind],
            cwd=REPOSITORY,
            stderr=subprocess.PIPE,
        )
        for name, folder, count, kind in jobs
    ]
    said = [process.communicate()[1].decode() for process in processes]
    return [text for text, process in zip(said, processes, strict=True) if process.returncode != 0]


def find_lost_counts(folder: str, writers: int, count: int) -> int:
    """How many of `writers` x `count` updates of one file were lost."""
    write_plainly(os.path.join(folder, "counter"), b"0")
    failed = run_workers([("count_under_lock", folder, count, "")] * writers)
    assert not failed, failed[0]
    return writers * count - int(Path(folder, "counter").read_bytes())


def find_lost_lines(folder: str, writers: int, count: int) -> tuple[int, int]:
    """How many of `writers` x `count` appended lines were lost, and how many lines are not whole."""
    failed = run_workers([("append_lines_of_mine", folder, count, "")] * writers)
    assert not failed, failed[0]
    whole = set()
    torn = 0
    for line in Path(folder, "log").read_bytes().split(b"\n")[:-1]:
        words = line.split(b" ")
        if len(words) == 4 and words[3] == b"end" and len(words[2]) == int(words[1]) * 37 % 9000:
            whole.add((words[0], words[1]))
        else:
            torn += 1
    return writers * count - len(whole), torn


def find_lost_changes(folder: str, writers: int, readers: int, count: int, kind: str) -> tuple[int, int]:
    """How many of `writers` x `count` four-file changes were lost, and how many of the `readers` saw a mix."""
    project = make_project(folder)
    for path in build_paths(project):
        write_plainly(path, b"0")
    writing = ("count_in_four_files", folder, count, kind)
    reading = ("read_four_files", folder, count, kind)
    failed = run_workers([writing] * writers + [reading] * readers)
    mixed = [text for text in failed if text.startswith("a mix")]
    assert len(mixed) == len(failed), failed
    values = {int(data or b"0") for data in read_together(project, build_paths(project)).values()}
    recover(project)
    assert find_journals(project) == []
    return writers * count - min(values), len(mixed) + (len(values) > 1)
