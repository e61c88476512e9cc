"""What an orchestrating agent hands out: one task for each chunk or section, with the declared inputs and no more.

The tasks of a step are spawned together and know nothing of each other; the last line says what to run afterwards. What
they read and write lies in the user's own cache, and `finalize` takes it away.
"""

import os
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from thruline.brief.section import NAMES
from thruline.config import load_config
from thruline.disk.atomic import make_folders
from thruline.engines.meter import check_enabled
from thruline.errors import Refused
from thruline.layout import ProjectPaths, find_user_paths
from thruline.operations.handoff.prepare import Plan
from thruline.operations.handoff.questions import build_chunk_values, build_section_values
from thruline.operations.handoff.workplace import is_id, name_folder

PREFIX = "extract-"
SUMMARIZER = "summarize-chunk"


@dataclass(frozen=True, slots=True)
class Task:
    """One task: the agent's name in the roster, and the inputs it is given."""

    agent: str
    inputs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Step:
    """Tasks to spawn in one block, and the command that follows them."""

    tasks: tuple[Task, ...]
    then: str


def check_allowed(project: ProjectPaths) -> None:
    """Refused where models are switched off: an agent is one, though the client pays for it."""
    check_enabled(load_config(project, find_user_paths(), os.environ).models)


def find_cache(session: str) -> str:
    """The folder in which a session's handoff is worked on; made, for its user alone."""
    folder = os.path.join(find_user_paths().cache, "handoff", name_folder(session))
    make_folders(folder, 0o700)
    return folder


def drop_cache(path: str) -> None:
    """Removes a session's folder of `find_cache`, if `path` lies in one; anyone's own folder stays."""
    top = os.path.join(find_user_paths().cache, "handoff")
    name = os.path.relpath(os.path.realpath(path), os.path.realpath(top)).split(os.sep)[0]
    if name not in ("", ".", ".."):
        shutil.rmtree(os.path.join(top, name), ignore_errors=True)


def build_first_step(plan: Plan, plan_path: str, root: str) -> Step:
    """After `prepare`: the chunks of a long session, or at once the five sections."""
    fields = plan.to_fields()
    if plan.mode != "chunked":
        return build_sections_step(fields, plan.spine, plan_path, root)
    folder = _make(plan_path, "summaries")
    tasks = tuple(
        Task(SUMMARIZER, build_chunk_values(fields, root, chunk["index"], file=chunk["path"], summaries=folder))
        for chunk in plan.chunks
    )
    return Step(tasks, _render_line(["reduce", "--tasks", "--plan", plan_path, "--summaries", folder]))


def build_sections_step(plan: Mapping[str, Any], spine: str, plan_path: str, root: str) -> Step:
    """The five, over the plan's spine or the one that was reduced."""
    folder = _make(plan_path, "sections")
    tasks = tuple(
        Task(
            PREFIX + name.replace("_", "-"),
            build_section_values(plan, root, name, spine=spine, sections=folder),
        )
        for name in NAMES
    )
    finalize = ["finalize", "--session", _find_ref(plan), "--sections", folder]
    leaf = str(plan.get("leaf_uuid", ""))
    return Step(tasks, _render_line([*finalize, *(["--leaf", leaf] if is_id(leaf) else [])]))


def _render_line(words: list[str]) -> str:
    """A command for a model to run: one line, whatever a folder is called."""
    odd = next((word for word in words if not word.isprintable()), None)
    if odd is not None:
        raise Refused(
            "A name that would be printed in a command holds a line break or another sign that cannot be shown.",
            where=repr(odd),
            next="give the transcript by a link with a plain name, or run thruline handoff without agents",
        )
    return shlex.join(["thruline", "handoff", *words])


def _find_ref(plan: Mapping[str, Any]) -> str:
    # A transcript that no client's folder holds is known by its path alone.
    files = plan.get("source_files") or []
    return str(files[0]) if files and os.path.isfile(files[0]) else str(plan.get("session", ""))


def _make(plan_path: str, name: str) -> str:
    folder = os.path.join(os.path.dirname(plan_path), name)
    # What an earlier run left must not pass for an answer of this one.
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder
