"""Where loops lie, how one is named, and how several files of them change together."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from thruline.artifacts.loop import Loop, parse_loop
from thruline.artifacts.loop_pointer import LARGEST, Pointer, parse_pointer, render_pointer
from thruline.artifacts.loop_step import ACTIVE
from thruline.disk.atomic import Lock, make_folders
from thruline.disk.faults import build_disk_error
from thruline.disk.inside import check_inside
from thruline.disk.own import read_own
from thruline.disk.transaction import transaction
from thruline.errors import NotFound, ThrulineError
from thruline.layout import ProjectPaths
from thruline.operations.loops.listing import WORD, build_loop_path
from thruline.operations.stamped import find_stamped, find_stamped_ids


def read_loop(paths: ProjectPaths, loop_id: str) -> Loop:
    """The loop of exactly this id."""
    path = build_loop_path(paths, loop_id)
    return parse_loop(read_own(path, LARGEST), path)


def find_loop_id(paths: ProjectPaths, ref: str) -> str:
    """The id of the one loop that `ref` names."""
    return find_stamped(find_stamped_ids(paths.loops), ref, WORD, paths.loops)


@dataclass(slots=True)
class Loops:
    """The loops of a project while nobody else changes them; what is written here is written together."""

    paths: ProjectPaths
    pointer: Pointer
    written: dict[str, bytes] = field(default_factory=dict)

    def read(self, loop_id: str) -> Loop:
        """A loop as it is now."""
        path = build_loop_path(self.paths, loop_id)
        return parse_loop(self.written[path], path) if path in self.written else read_loop(self.paths, loop_id)

    def write(self, loop_id: str, data: bytes) -> None:
        """A loop as it will be."""
        self.written[build_loop_path(self.paths, loop_id)] = data


@contextmanager
def change_loops(paths: ProjectPaths) -> Iterator[Loops]:
    """A change to loops and the pointer: all of it or nothing, and no hook or other command in between.

    Loops come first and the pointer last: a hook that looks in between finds a pointer to a loop that is over, or a
    loop that nobody points to, and lets the session stop.
    """
    with lock_loops(paths), transaction(paths) as change:
        data = change.read(paths.active_loop)
        loops = Loops(paths, _drop_over(paths, parse_pointer(data or b"")))
        yield loops
        for path, new in loops.written.items():
            change.write(path, new, 0o600)
        change.write(paths.active_loop, render_pointer(loops.pointer), 0o600)


def _drop_over(paths: ProjectPaths, pointer: Pointer) -> Pointer:
    """The pointer without loops that are over: a hook that was killed between its two files leaves one."""
    for loop_id in set(pointer.sessions.values()):
        try:
            if read_loop(paths, loop_id).status != ACTIVE:
                pointer = pointer.drop(loop_id)
        except NotFound:
            pointer = pointer.drop(loop_id)
        except ThrulineError:
            continue  # whoever mends the file has it in front again
    return pointer


def lock_loops(paths: ProjectPaths) -> Lock:
    """The lock that the hook takes at the end of a turn too."""
    path = paths.active_loop + ".lock"
    if paths.marked:
        check_inside(paths.root, path)
    try:
        make_folders(os.path.dirname(path), 0o777 if paths.marked else 0o700)
    except OSError as error:
        raise build_disk_error(error, "make", os.path.dirname(path)) from None
    return Lock(path)
