"""`thruline config`: settings, where each comes from, and a safe way to change one."""

import os

import click

from thruline.cli.command import command as declare
from thruline.cli.command import command_group
from thruline.cli.show import show
from thruline.cli.terminal import say
from thruline.cli.words import render_line
from thruline.config.edit import render_value
from thruline.config.schema import Problem, find_settings
from thruline.layout import ProjectPaths, UserPaths, find_project, find_user_paths
from thruline.operations.config import (
    ConfigChange,
    ConfigList,
    ConfigPaths,
    ConfigValue,
    Shown,
    find_config_paths,
    get_config,
    list_config,
    set_config,
    unset_config,
)

command = command_group(
    "config",
    help="Show and change settings, and where each value comes from.",
    example="thruline config list\nthruline config set git.timeout_seconds 3",
)

_project_option = click.option(
    "--project", "in_project", is_flag=True, help="Change the project's file, which may only narrow yours."
)


def _complete_key(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[str]:
    return [setting.key for setting in find_settings() if setting.key.startswith(typed)]


_key_argument = click.argument("key", shell_complete=_complete_key)


def _here() -> tuple[ProjectPaths, UserPaths]:
    return find_project(os.getcwd()), find_user_paths()


@declare(
    "list",
    help="Every setting with its value and where it comes from.",
    example="thruline config list",
    group=command,
    any_config=True,
)
def command_list(as_json: bool) -> None:
    show(list_config(*_here(), os.environ), as_json, _render_list)


@declare(
    "get",
    help="One setting's value.",
    example="thruline config get git.timeout_seconds",
    group=command,
    any_config=True,
)
@_key_argument
def command_get(key: str, as_json: bool) -> None:
    found = get_config(*_here(), os.environ, key)
    _tell_problems(found.problems, as_json)
    show(found, as_json, _render_value)


@declare(
    "set", help="Change a setting.", example="thruline config set redact.entropy false", group=command, any_config=True
)
@_key_argument
@click.argument("value")
@_project_option
def command_set(key: str, value: str, in_project: bool, as_json: bool) -> None:
    done = set_config(*_here(), os.environ, key, value, in_project=in_project)
    _tell_problems(done.problems, as_json)
    show(done, as_json, _render_change)


command_set.ignore_unknown_options = True  # -1 is a value


@declare(
    "unset",
    help="Take a setting out of a file again.",
    example="thruline config unset redact.entropy",
    group=command,
    any_config=True,
)
@_key_argument
@_project_option
def command_unset(key: str, in_project: bool, as_json: bool) -> None:
    done = unset_config(*_here(), os.environ, key, in_project=in_project)
    _tell_problems(done.problems, as_json)
    show(done, as_json, _render_change)


@declare("path", help="Where the config files are.", example="thruline config path", group=command, any_config=True)
def command_path(as_json: bool) -> None:
    show(find_config_paths(*_here()), as_json, _render_paths)


def _tell_problems(problems: tuple[Problem, ...], as_json: bool) -> None:
    # A script reads the value from the output; trouble goes to where a person sees it. A document has it inside.
    for problem in () if as_json else problems:
        say(_render_problem(problem), err=True)


def _render_list(found: ConfigList) -> str:
    width = max(len(f"{each.key} = {render_value(each.value)}") for each in found.settings)
    rows = [_render_setting(each, width) for each in found.settings]
    return "\n".join([*rows, *(["", *map(_render_problem, found.problems)] if found.problems else [])])


def _render_setting(each: Shown, width: int = 0) -> str:
    pair = f"{each.key} = {render_value(each.value)}"
    return render_line(f"{pair:<{width}}  {each.origin}")


def _render_value(found: ConfigValue) -> str:
    value = found.setting.value
    return value if isinstance(value, str) else render_value(value)


def _render_change(change: ConfigChange) -> str:
    done = "Wrote" if change.changed else "Nothing to change in"
    rows = [f"{done} {change.path}"]
    if change.setting:
        rows.append(f"  in force  {_render_setting(change.setting)}")
    return "\n".join(map(render_line, rows))


def _render_paths(paths: ConfigPaths) -> str:
    rows = [f"user     {paths.user}", f"project  {paths.project or 'none (thruline context init)'}"]
    return "\n".join(map(render_line, rows))


def _render_problem(problem: Problem) -> str:
    word = "warning" if problem.ignored else "error"
    return render_line(f"{word}: {problem}") + (f"\n  try  {problem.next}" if problem.next else "")
