"""Projects as the disk tests make them: a marker and four files."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from thruline.layout import ProjectPaths, find_project

FILES = ("TODO.md", "specs/state.json", "specs/12_fix/state.json", "specs/12_fix/plans/plan.md")


def make_project(folder: str) -> ProjectPaths:
    """A project with a marker at `folder`."""
    os.makedirs(os.path.join(folder, ".agent", "context"), exist_ok=True)
    with open(os.path.join(folder, ".agent", "context", "root.json"), "w") as file:
        json.dump({"project_id": "p", "schema": 1}, file)
    return find_project(folder)


def build_paths(project: ProjectPaths) -> list[str]:
    """The four files of `project`."""
    return [os.path.join(project.root, *name.split("/")) for name in FILES]


def write_plainly(path: str, data: bytes) -> None:
    """As an editor would."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def list_files(folder: str) -> list[str]:
    """Every file below `folder`, relative, sorted."""
    found = [os.path.join(here, name) for here, _, names in os.walk(folder) for name in names]
    return sorted(os.path.relpath(path, folder) for path in found)


@contextmanager
def in_memory(tmp_path: Path) -> Iterator[str]:
    """A folder in memory where there is one: a kill does not care what lies below, and syncs are free there."""
    if not os.access("/dev/shm", os.W_OK):
        yield str(tmp_path)
        return
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield folder
