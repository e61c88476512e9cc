"""States that only a crash leaves."""

import os
from pathlib import Path

from tests.disk.operations import change_to_new
from tests.disk.projects import build_paths, make_project, write_plainly
from tests.tracer import trace
from thruline.layout import ProjectPaths


def break_off(project: ProjectPaths, kind: str) -> list[str]:
    """A change to two files, killed after its first rename; their paths."""
    twin = make_project(project.root + "-twin")
    for each in (project, twin):
        for path in build_paths(each)[:2]:
            write_plainly(path, b"old " + os.path.basename(path).encode())
    calls = trace(change_to_new, twin.root, kind, 2).changes(below=twin.root)
    files = build_paths(twin)[:2]
    at = next(number for number, call in enumerate(calls, 1) if call.name == "rename" and call.target == files[1])
    assert trace(change_to_new, project.root, kind, 2, at=at, below=project.root).exit == -9
    return build_paths(project)[:2]


def pretend_reboot(project: ProjectPaths) -> None:
    """The mark is of another boot now: nothing it says may be believed."""
    state = Path(project.journal, "state")
    words = state.read_text().split()
    words[1] = "00000000-0000-0000-0000-000000000000"
    state.write_text(" ".join(words) + "\n")
