"""The state file of a Ralph loop becomes a loop of ours: paused, with no session, so that it holds nobody unasked.

That file lies in the settings folder of whichever client the plugin ran in, as `ralph-loop.local.md`: front matter with
`active`, `iteration`, `max_iterations`, `completion_promise`, `started_at`, then the prompt.
"""

import os
from dataclasses import dataclass

from thruline.artifacts.frontmatter import Document, parse_document
from thruline.artifacts.loop import LONGEST_SLUG, render_loop
from thruline.artifacts.loop_step import PAUSED, is_limit_known, read_count
from thruline.artifacts.slug import build_stamped_id
from thruline.clock import read_clock
from thruline.disk.inside import check_inside
from thruline.disk.own import read_capped
from thruline.errors import Refused, ThrulineError
from thruline.layout import ProjectPaths
from thruline.operations.loops.lengths import check_size
from thruline.operations.loops.store import change_loops, read_loop
from thruline.operations.stamped import find_stamped_ids

NAME = "ralph-loop.local.md"
ORIGIN = "origin"
BY = "migrate"
_LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class MigratedLoop:
    """One state file and the loop it became; `loop` is "" where nothing was written, and `why` tells it."""

    origin: str
    loop: str = ""
    why: str = ""


def migrate_loops(paths: ProjectPaths, *, dry_run: bool = False) -> tuple[MigratedLoop, ...]:
    """Writes a loop for each state file that has none yet; with `dry_run` only says so."""
    return tuple(_migrate(paths, origin, dry_run) for origin in find_state_files(paths))


def find_state_files(paths: ProjectPaths) -> list[str]:
    """The state files of this project, by their path below its root."""
    try:
        folders = sorted(name for name in os.listdir(paths.root) if name.startswith("."))
    except OSError:
        return []
    found = [os.path.join(folder, NAME) for folder in folders]
    return [name for name in found if os.path.isfile(os.path.join(paths.root, name))]


def _migrate(paths: ProjectPaths, origin: str, dry_run: bool) -> MigratedLoop:
    known = _find_known(paths, origin)
    if known:
        return MigratedLoop(origin, known, "migrated before")
    path = os.path.join(paths.root, origin)
    try:
        check_inside(paths.root, path)
        document = parse_document(read_capped(path, _LARGEST), path)
    except ThrulineError as error:
        return MigratedLoop(origin, why=error.what)
    prompt = document.body.decode("utf-8", "replace").strip("\r\n")
    if document.lines is None or not prompt.strip():
        return MigratedLoop(origin, why="it holds no prompt of a loop")
    if not is_limit_known(document):
        limit = document.get("max_iterations")
        return MigratedLoop(origin, why=f'its max_iterations is "{limit}", which is no number; 0 stands for no limit')
    if dry_run:
        return MigratedLoop(origin)
    try:
        return MigratedLoop(origin, _write(paths, origin, document, prompt))
    except Refused as error:
        return MigratedLoop(origin, why=error.what)


def _write(paths: ProjectPaths, origin: str, document: Document, prompt: str) -> str:
    promise = document.get("completion_promise")
    moment = read_clock()
    with change_loops(paths) as loops:
        loop_id = build_stamped_id(moment, prompt, LONGEST_SLUG, find_stamped_ids(paths.loops))
        data = render_loop(
            loop_id,
            moment,
            prompt,
            promises=(promise.strip(),) if isinstance(promise, str) and promise.strip() else (),
            max_iterations=read_count(document, "max_iterations"),
        )
        check_size(data)
        made = parse_document(data, loop_id)
        made = made.set("status", PAUSED).set("paused_by", BY).set(ORIGIN, origin)
        loops.write(loop_id, made.set("iteration", read_count(document, "iteration")).render())
    return loop_id


def _find_known(paths: ProjectPaths, origin: str) -> str:
    for loop_id in find_stamped_ids(paths.loops):
        try:
            if read_loop(paths, loop_id).document.get(ORIGIN) == origin:
                return loop_id
        except ThrulineError:
            continue  # `loop list` tells of it
    return ""
