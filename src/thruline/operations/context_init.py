"""`context init`: a folder becomes a project.

`root.json` is written last, and it alone decides where a project's files are. Until it is there everything still lies
in the user's state; once it is, everything lies in the project. So a crash at any point leaves the old place or the new
one in force, whole, and a second run finishes the rest. A journal could do no better here: its own place would move.
"""

import os
from dataclasses import dataclass, field

from thruline.artifacts.root import Marker, build_marker, read_marker, render_marker
from thruline.clock import read_clock, render_time
from thruline.config import load_config_tolerant
from thruline.disk.atomic import TEMP_END, TEMP_START, make_folders, remove_leftovers, write_bytes
from thruline.disk.faults import build_disk_error
from thruline.disk.inside import check_inside
from thruline.disk.lock import Lock
from thruline.disk.own import read_capped
from thruline.errors import NotFound, Refused
from thruline.layout import IGNORED_DIRS, ProjectPaths, Root, UserPaths, build_project_paths, find_root
from thruline.operations.context_ignored import check_ignored
from thruline.operations.context_move import Moved, copy_in, hold_gathered, remove_copied, remove_folders
from thruline.operations.finding import BROKEN, NOTE, Finding
from thruline.operations.reachable import find_closed

_LARGEST_IGNORE = 1 << 20
_HEADING = "# Written by `thruline context init`: these folders are this machine's own."


@dataclass(frozen=True, slots=True)
class Initialised:
    """What `init` did. `wrote` and `moved` are paths below `root`; all of it is empty when nothing was left to do."""

    root: str
    project_id: str
    created: bool
    wrote: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = field(default=())

    @property
    def changed(self) -> bool:
        return bool(self.wrote or self.moved)


def init_context(
    user: UserPaths, start: str, *, exact: bool = False, nested: bool = False, yes: bool = False
) -> Initialised:
    """Makes the project that `start` lies in (with `exact`, `start` itself) a project of its own."""
    root = _choose_root(start, exact=exact, nested=nested)
    _check_place(root, yes=yes)
    project = build_project_paths(Root(root, "marker"), user.state)
    _check_links(project)
    _make_private(user)
    settings = load_config_tolerant(project, user, os.environ)
    with Lock(user.init_lock, settings.disk.lock_seconds):
        marker = _read_existing(project)
        wrote = []
        text = build_ignore_text(read_ignore_file(project.gitignore))
        unmarked = build_project_paths(Root(root, "folder"), user.state)
        # Held to the end: whoever writes there meanwhile would write into what is about to go.
        with hold_gathered(unmarked, timeout=settings.disk.lock_seconds):
            copied = copy_in(unmarked, project)
            if text is not None:
                write_bytes(project.gitignore, text.encode("utf-8", "surrogateescape"))
                wrote.append(project.gitignore)
            created = marker is None
            if marker is None:
                marker = build_marker(os.path.basename(root) or root, render_time(read_clock()))
                write_bytes(project.marker, render_marker(marker))
                wrote.append(project.marker)
            remove_copied(unmarked, copied)
        left = remove_folders(unmarked)
        remove_leftovers(os.path.dirname(project.marker))
    return Initialised(
        root=root,
        project_id=marker.project_id,
        created=created,
        wrote=tuple(os.path.relpath(path, root) for path in wrote),
        moved=tuple(os.path.relpath(each.target, root) for each in copied),
        findings=tuple(_collect_findings(project, copied, left, settings.git.timeout_seconds)),
    )


# --- where --------------------------------------------------------------------------------------------------------


def _choose_root(start: str, *, exact: bool, nested: bool) -> str:
    here = os.path.realpath(start)
    if not os.path.isdir(here):
        if os.path.exists(here):
            raise NotFound("This is a file, not a folder.", where=start, next="name the folder it lies in")
        closed = find_closed(here)
        if closed:
            what = f"{closed} cannot be entered, so nothing below it can be reached by its path."
            raise Refused(what, where=here, next="ask its owner for the right to enter it")
        raise NotFound("There is no such folder.", where=start, next="make it first, or name another")
    found = find_root(here)
    if found.kind == "marker":
        if found.path != here and not exact and not nested:
            return found.path
        if found.path != here and not nested:
            raise Refused(
                "This folder already belongs to a project.",
                where=found.path,
                next="thruline context init --nested   to make it a project of its own",
            )
        return here
    return here if exact or nested else found.path


def _check_place(root: str, *, yes: bool) -> None:
    if yes:
        return
    home = os.path.realpath(os.path.expanduser("~"))
    if root in (home, os.path.dirname(root)):
        what = "This is your home folder" if root == home else "This is the top of the file system"
        raise Refused(
            f"{what}: every folder below it would belong to one project.",
            where=root,
            next="go into a project's folder, or add --yes if you mean it",
        )


def _check_links(project: ProjectPaths) -> None:
    for path in (os.path.dirname(project.marker), project.marker, project.gitignore):
        check_inside(project.root, path)


def _read_existing(project: ProjectPaths) -> Marker | None:
    if not os.path.lexists(project.marker):
        return None
    marker = read_marker(project.marker)
    if marker.newer:
        raise Refused(
            f"This project was made by a newer thruline (schema {marker.schema}); here it is for reading only.",
            where=project.marker,
            next="upgrade thruline",
        )
    return marker


def _make_private(user: UserPaths) -> None:
    try:
        make_folders(user.cache, 0o700)
    except OSError as error:
        raise build_disk_error(error, "make the folder", user.cache) from None


# --- what ---------------------------------------------------------------------------------------------------------


def read_ignore_file(path: str) -> str:
    try:
        return read_capped(path, _LARGEST_IGNORE).decode("utf-8", "surrogateescape")
    except NotFound:
        return ""


def build_ignore_text(text: str) -> str | None:
    """`text` with a line for everything that is not to be committed; None if they are all there."""
    lines = [line.strip() for line in text.splitlines()]
    wanted = [*(f"/{name}/" for name in IGNORED_DIRS), f"{TEMP_START}*{TEMP_END}"]
    missing = [line for line in wanted if line not in lines]
    if not missing:
        return None
    end = "\r\n" if "\r\n" in text else "\n"
    head = [] if _HEADING in lines else [_HEADING]
    gap = end if text and not text.endswith("\n") else ""
    return text + gap + "".join(line + end for line in head + missing)


def _collect_findings(project: ProjectPaths, copied: list[Moved], left: list[str], timeout: float) -> list[Finding]:
    found = [each for each in check_ignored(project, timeout=timeout) if each.state in (NOTE, BROKEN)]
    for each in copied:
        if each.rival:
            what = f"{os.path.relpath(each.rival, project.root)} was there already and differs; both are kept."
            found.append(Finding("moved", NOTE, what, f"compare it with {os.path.relpath(each.target, project.root)}"))
    for path in left:
        found.append(Finding("moved", NOTE, f"{path} could not be moved and is still there.", "look at it by hand"))
    return found
