"""`thruline install`: the diff first, then the questions, with default no."""

import os

import click

from thruline.cli.command import command as declare
from thruline.cli.command import is_terminal
from thruline.cli.install_view import build_fields, render_plan
from thruline.cli.show import render_json
from thruline.cli.terminal import say
from thruline.errors import Refused
from thruline.layout import find_project, find_root, find_user_paths
from thruline.operations.config import get_config, set_config
from thruline.operations.install.applying import apply_install, apply_unseen
from thruline.operations.install.line import show_line
from thruline.operations.install.planning import Plan, choose_harnesses, plan_install

_ARK = "ark.enabled"


def scope_options(function: click.decorators.FC) -> click.decorators.FC:
    """`--user`, `--project`, `--shared`, passed as `scope`."""
    for name, told in (
        ("shared", "The project's settings that git tracks, for the whole team."),
        ("project", "The project's settings that git ignores, for you alone."),
        ("user", "Your own settings, for every project (the default of install)."),
    ):
        function = click.option(f"--{name}", "scope", flag_value=name, help=told)(function)
    return function


@declare(
    "install",
    help="Set up hooks and commands in the coding agents of this machine, after showing what would change.\n\n"
    "Other entries, comments, order and indentation of a settings file stay as they are; a backup is kept; running it "
    "again changes nothing. `thruline uninstall` takes exactly ours out again.",
    example="thruline install --dry-run\nthruline install --project\nthruline install --yes",
)
@click.option("--harness", "harnesses", multiple=True, metavar="NAME", help="Only this client; can be given again.")
@scope_options
@click.option("--dry-run", is_flag=True, help="Show what would change, and stop.")
@click.option("--yes", is_flag=True, help="Write without asking; the ark stays as it is.")
@click.option("--ark", is_flag=True, help="Also turn the ark on: copies of transcripts that outlive their client's.")
@click.option("--show-command", nargs=2, metavar="HARNESS EVENT", help="Print the line that is installed for an event.")
def command(
    harnesses: tuple[str, ...],
    scope: str | None,
    dry_run: bool,
    yes: bool,
    ark: bool,
    show_command: tuple[str, str] | None,
    as_json: bool,
) -> int:
    """Installs; exits 1 where the answer was no."""
    user = find_user_paths()
    if show_command:
        line = show_line(user, *show_command)
        say(render_json({"command": line}) if as_json else line)
        return 0
    env, home = dict(os.environ), os.path.expanduser("~")
    chosen = choose_harnesses(harnesses, env, home)
    root = find_root(os.curdir).path

    def build_plan() -> Plan:
        return plan_install(user, env, home, root, harnesses=chosen, scope=scope or "user")

    plan = build_plan()
    if not as_json:
        say(render_plan(plan))
    if not dry_run:
        if plan.changed and not yes:
            if as_json or not is_terminal():
                what = "Nothing was installed: nobody is here to say yes."
                raise Refused(what, where=", ".join(chosen), next="thruline install --yes")
            if not click.confirm("Write this?", default=False):
                say("Nothing was installed.")
                return 1
        if yes:
            plan = apply_unseen(user, plan, build_plan)
        else:
            apply_install(user, plan)
        _set_ark(ark or (not yes and is_terminal() and not as_json and _ask_for_ark()))
    if as_json:
        say(render_json(build_fields(plan, done=not dry_run)))
    elif not dry_run:
        say("\n".join(["Installed.", *plan.next]) if plan.changed else "Everything was in place.")
    return 0


def _ask_for_ark() -> bool:
    user = find_user_paths()
    if get_config(find_project(os.curdir), user, os.environ, _ARK).setting.value:
        return False
    say(
        "The ark keeps copies of your transcripts on this machine, for when their client deletes them. They hold what "
        "was said as it was said, secrets too; mode 0600, and `thruline forget` removes them."
    )
    return click.confirm("Turn the ark on?", default=False)


def _set_ark(wanted: bool) -> None:
    if wanted:
        set_config(find_project(os.curdir), find_user_paths(), os.environ, _ARK, "true", in_project=False)
