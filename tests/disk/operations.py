"""What the crash tests kill; the tracer's server loads this file."""

import os

from tests.disk.projects import build_paths
from thruline.disk.atomic import append_line, write_bytes
from thruline.disk.transaction import boot, find_journals, recover, settle, transaction
from thruline.disk.transaction.seal import make_key
from thruline.layout import find_project


def replace_one(folder: str) -> None:
    """One file replaced, one made in a folder that is not there yet."""
    write_bytes(os.path.join(folder, "file"), b"new" * 1000)
    write_bytes(os.path.join(folder, "a", "b", "made"), b"new" * 1000)


def append_one(folder: str) -> None:
    """A line added to a log, and one to a log that is not there yet."""
    append_line(os.path.join(folder, "log"), b"second")
    append_line(os.path.join(folder, "logs", "log"), b"second")


def change_four(folder: str, kind: str) -> None:
    """Two files replaced, one deleted, one made; then settled, so that this too is hit at every point."""
    project = find_project(folder)
    first, second, third, fourth = build_paths(project)
    with transaction(project, kind=kind) as change:
        change.write(first, (change.read(first) or b"").replace(b"old", b"new"))
        change.write(second, b"new second")
        change.delete(third)
        change.write(fourth, b"new fourth")
    settle(project, kind=kind)


def change_four_anywhere(folder: str, kind: str) -> None:
    """The same on a system that does not tell one boot from the next."""
    boot.find_boot = lambda: ""  # in a process of its own
    change_four(folder, kind)


def change_two_roots(folder: str, kind: str) -> None:
    """Two files in each of two projects."""
    one, two = find_project(os.path.join(folder, "one")), find_project(os.path.join(folder, "two"))
    with transaction(one, two, kind=kind) as change:
        for project in (one, two):
            first, second, *_ = build_paths(project)
            change.write(first, b"new first")
            change.write(second, b"new second")


def recover_one(folder: str, kind: str) -> None:
    """What an opener does after a crash of `change_four`."""
    recover(find_project(folder), kind=kind)


def recover_two(folder: str, kind: str) -> None:
    """What an opener of the second project does after a crash of `change_two_roots`."""
    recover(find_project(os.path.join(folder, "two")), kind=kind)


def change_to_new(root: str, kind: str, files: int) -> None:
    """The first `files` files of a project, together."""
    project = find_project(root)
    with transaction(project, kind=kind) as change:
        for path in build_paths(project)[:files]:
            change.write(path, b"new " + os.path.basename(path).encode())


def change_and_settle(root: str, kind: str) -> None:
    """One file, made durable at once."""
    project = find_project(root)
    with transaction(project, kind=kind) as change:
        change.write(build_paths(project)[0], b"new")
    settle(project, kind=kind)


def change_two(one: str, two: str, kind: str) -> None:
    """The first file of each of two projects."""
    projects = [find_project(one), find_project(two)]
    with transaction(*projects, kind=kind) as change:
        for project in projects:
            change.write(build_paths(project)[0], b"new")


def look_at_journals(root: str) -> list[object]:
    """What doctor sees."""
    (found,) = find_journals(find_project(root))
    return [found.kind, found.entries, found.broken_off]


def make_the_key(folder: str) -> str:
    """The key of a machine whose state is in `folder`."""
    os.environ["THRULINE_HOME"] = os.path.join(folder, "a", "state")
    return make_key().hex()


def change_deep(root: str, kind: str) -> None:
    """One file in folders that are not there yet."""
    with transaction(find_project(root), kind=kind) as change:
        change.write(os.path.join(root, "a", "b", "c", "file"), b"new")
