"""What this project is, and what it says."""

import os

from thruline.artifacts.root import SCHEMA, read_marker
from thruline.layout import Root, build_project_paths
from thruline.operations.context_ignored import check_ignored
from thruline.operations.context_init import build_ignore_text, init_context, read_ignore_file
from thruline.operations.doctor.surroundings import Diagnosis, Surroundings
from thruline.operations.finding import BROKEN, NOTE, OK, Finding


def check_root(around: Surroundings) -> list[Diagnosis]:
    """The project has a marker that can be read."""
    project = around.find_project()
    if not project.marked:
        what = f"{project.root} has no context folder; nothing is kept in it."
        return [Diagnosis(Finding("root", NOTE, what, "thruline context init"))]
    marker = read_marker(project.marker)
    if marker.newer:
        what = f"{project.marker} has schema {marker.schema}, newer than {SCHEMA}: for reading only."
        return [Diagnosis(Finding("root", NOTE, what, "upgrade thruline"))]
    return [Diagnosis(Finding("root", OK, f"{project.root} ({marker.project_id})"))]


def check_gitignore(around: Surroundings) -> list[Diagnosis]:
    """Git leaves out what is this machine's own."""
    project = around.find_project()
    if not project.marked:
        return []
    # Only lines that are missing can be added; a rule that a person wrote is theirs to take out.
    mendable = build_ignore_text(read_ignore_file(project.gitignore)) is not None

    def repair() -> None:
        init_context(around.find_user(), project.root, exact=True, yes=True)

    found = check_ignored(project, timeout=around.find_git_seconds())
    return [Diagnosis(each, repair if mendable and each.state == BROKEN else None) for each in found]


def check_gathered(around: Surroundings) -> list[Diagnosis]:
    """Nothing of a project with a marker is left in the user's state."""
    project = around.find_project()
    user = around.find_user()
    old = build_project_paths(Root(project.root, "folder"), user.state).base
    if not project.marked or not os.path.isdir(old):
        return []

    def repair() -> None:
        init_context(user, project.root, exact=True, yes=True)

    what = f"Files of this project still lie in {old}."
    return [Diagnosis(Finding("gathered", NOTE, what, "thruline context init"), repair)]


def check_config(around: Surroundings) -> list[Diagnosis]:
    """Every config file can be read, and no project reaches too far."""
    problems = around.load_config().problems
    if not problems:
        return [Diagnosis(Finding("config", OK, "Every setting is in order."))]
    return [
        Diagnosis(
            Finding("config", NOTE if problem.ignored else BROKEN, str(problem), problem.next or "edit that line")
        )
        for problem in problems
    ]
