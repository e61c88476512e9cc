"""`thruline context`: a project's folder, made and shown."""

import os

import click

from thruline.cli.command import command as declare
from thruline.cli.command import command_group
from thruline.cli.show import show
from thruline.cli.words import render_line
from thruline.layout import find_user_paths
from thruline.operations.context_init import Initialised, init_context
from thruline.operations.context_show import ContextShown, GitState, show_context

command = command_group(
    "context",
    help="Give a project its context folder, or show what it has.",
    example="thruline context init\nthruline context show",
)


@declare(
    "init",
    help="Give a project its context folder: .agent/context with root.json and a .gitignore.\n\n"
    "Without DIR the git root that you are in is taken, or else this folder. Running it again changes nothing.",
    example="thruline context init",
    group=command,
)
@click.argument("place", metavar="[DIR]", required=False)
@click.option("--nested", is_flag=True, help="Make a project inside a project.")
@click.option("--yes", is_flag=True, help="Also in your home folder or at the top of the file system.")
def command_init(place: str | None, nested: bool, yes: bool, as_json: bool) -> None:
    done = init_context(find_user_paths(), place or os.curdir, exact=place is not None, nested=nested, yes=yes)
    show(done, as_json, _render_init)


@declare("show", help="Which project this is and what it has.", example="thruline context show", group=command)
def command_show(as_json: bool) -> None:
    show(show_context(find_user_paths(), os.curdir, os.environ), as_json, _render_context)


def _render_init(done: Initialised) -> str:
    if done.created:
        rows = [f"{done.root} is now a project."]
    elif done.changed:
        rows = [f"{done.root} was a project already; what was missing is there now."]
    else:
        rows = [f"{done.root} is a project already; nothing to do."]
    rows.append(f"  project_id  {done.project_id}")
    rows += [f"  wrote       {path}" for path in done.wrote]
    rows += [f"  moved in    {path}" for path in done.moved]
    for finding in done.findings:
        rows.append(f"{finding.state}: {finding.what}")
        if finding.fix:
            rows.append(f"  try  {finding.fix}")
    return "\n".join(map(render_line, rows))


_FOUND_BY = {
    "marker": "it has .agent/context/root.json",
    "git": "it is the root of a git repository; thruline context init would make it a project",
    "folder": "it is this folder; thruline context init would make it a project",
}


def _render_context(shown: ContextShown) -> str:
    rows = [
        f"root        {shown.root}",
        f"found       {_FOUND_BY[shown.found_by]}",
        f"name        {shown.name}",
        f"project_id  {shown.project_id or 'none'}",
        f"key         {shown.key}",
        f"files       {shown.base}",
        f"git         {_render_git(shown.git)}",
        f"config      {', '.join(shown.config) or 'defaults only'}",
    ]
    for folder in shown.folders:
        rows.append(f"  {folder.name:<10}{'?' if folder.entries is None else folder.entries}")
    rows += [f"problem     {problem}" for problem in shown.problems]
    return "\n".join(map(render_line, rows))


def _render_git(git: GitState) -> str:
    if git.reason:
        return git.reason
    at = git.branch or f"detached at {git.commit[:12]}"
    return f"{at}, {'no commit yet, ' if not git.commit else ''}{git.dirty or 'nothing'} changed"
