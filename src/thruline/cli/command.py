"""How a command is declared: `--json`, `-C` and an example come with it.

@command("pickup", help="Print the prompt that continues a packet.", example="thruline pickup 20261116-auth")
@click.argument("packet_id")
def command_pickup(packet_id: str, as_json: bool) -> None: ...
"""

import importlib
import os
import sys
from collections.abc import Callable
from typing import Any

import click

from thruline.cli.folder import enter_folder, find_here
from thruline.cli.options import COUNT, FLAG, Declared, Option
from thruline.cli.settings import check_settings

Function = Callable[..., Any]

CONTEXT_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def _enter_folder(ctx: click.Context, _param: click.Parameter, folder: str | None) -> None:
    if folder is None:
        return
    before = find_here()
    enter_folder(folder)
    if before:
        ctx.call_on_close(lambda: os.chdir(before))


def _remember_json(ctx: click.Context, _param: click.Parameter, as_json: bool) -> bool:
    # The door needs it too: an error is told in the form the caller asked for.
    root = ctx.find_root()
    root.meta["thruline.json"] = as_json or root.meta.get("thruline.json", False)
    return bool(root.meta["thruline.json"])


def folder_option(function: Function) -> Function:
    """`-C DIR`: work as if started in DIR."""
    return click.option(
        "-C",
        "folder",
        metavar="DIR",
        expose_value=False,
        is_eager=True,
        callback=_enter_folder,
        help="Work in DIR.",
    )(function)


def json_option(function: Function) -> Function:
    """`--json`, passed to the function as `as_json`."""
    return click.option(
        "--json",
        "as_json",
        is_flag=True,
        is_eager=True,
        callback=_remember_json,
        help="Print one JSON document.",
    )(function)


class CheckedCommand(click.Command):
    """A command that runs only with settings that are in order."""

    def invoke(self, ctx: click.Context) -> Any:
        """Checks, then runs; by now `-C` has been obeyed."""
        check_settings()
        return super().invoke(ctx)


def command(
    name: str,
    *,
    help: str,  # noqa: A002 - click's own word
    example: str,
    group: click.Group | None = None,
    any_config: bool = False,
) -> Callable[[Function], click.Command]:
    """Declares a command, alone or inside `group`. With `any_config` it runs whatever is wrong with the settings."""

    def declare(function: Function) -> click.Command:
        kind = click.Command if any_config else CheckedCommand
        made = click.command(name, kind, help=help, epilog=_example(example), context_settings=CONTEXT_SETTINGS)(
            json_option(folder_option(function))
        )
        if group is not None:
            group.add_command(made)
        return made

    return declare


def command_declared(name: str, declared: Declared, *, group: click.Group | None = None) -> click.Command:
    """Declares a command of the quick lane (`quick.py`) for every line that is not plain."""

    def run(**values: Any) -> Any:
        return declared.run(**values)

    function: Function = run
    for option in reversed(declared.options):
        function = _build_option(option)(function)
    if declared.rest:
        function = click.argument(declared.rest, nargs=-1, metavar=declared.rest_metavar or None)(function)
    for name_of in reversed(declared.arguments):
        function = click.argument(name_of)(function)
    return command(name, help=declared.help, example=declared.example, group=group)(function)


def _build_option(option: Option) -> Callable[[Function], Function]:
    names = (option.flag, option.name)
    if option.kind == FLAG:
        return click.option(*names, is_flag=True, help=option.help)
    kind = click.IntRange(min=option.least) if option.kind == COUNT else click.STRING
    metavar = option.metavar or None
    told = bool(option.usual)
    return click.option(*names, default=option.default, type=kind, metavar=metavar, help=option.help, show_default=told)


class _Group(click.Group):
    """A command that holds others, each imported when it is run; what names none of them belongs to the default."""

    default = ""
    modules: dict[str, str] = {}  # noqa: RUF012 - set once, for each group's own class

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(dict.fromkeys([*self.modules, *self.commands]))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in self.modules and cmd_name not in self.commands:
            importlib.import_module(self.modules[cmd_name])  # it declares itself in this group
        return self.commands.get(cmd_name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        at = 0
        while at < len(args) and args[at] in ("-C", "--json"):
            at += 2 if args[at] == "-C" else 1
        named = at < len(args) and (args[at] in self.list_commands(ctx) or args[at] in ctx.help_option_names)
        if self.default and not named:
            args = [*args[:at], self.default, *args[at:]]
        return super().parse_args(ctx, args)


def command_group(
    name: str,
    *,
    help: str,  # noqa: A002 - click's own word
    example: str,
    default: str = "",
    modules: dict[str, str] | None = None,
) -> click.Group:
    """Declares a command that only holds others; `default` is the one that is meant where none is named.

    `modules` tells where its commands are declared, for those that are dear to import.
    """
    made: click.Group = type("Group", (_Group,), {"default": default, "modules": modules or {}})(
        name,
        help=help,
        epilog=_example(example),
        context_settings=CONTEXT_SETTINGS,
        params=[build_json_parameter(), _folder_parameter()],
        no_args_is_help=not default,
    )
    return made


def _folder_parameter() -> click.Parameter:
    return click.Option(
        ["-C", "folder"],
        metavar="DIR",
        expose_value=False,
        is_eager=True,
        callback=_enter_folder,
        help="Work in DIR.",
    )


def build_json_parameter() -> click.Parameter:
    """`--json` before the verb: remembered for it."""
    return click.Option(
        ["--json", "as_json"],
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_remember_json,
        help="Print one JSON document.",
    )


def _example(text: str) -> str:
    lines = "\n".join("  " + line for line in text.strip().splitlines())
    return f"\b\nExample:\n{lines}"


def is_terminal() -> bool:
    """Whether a person watches: both streams are a terminal. A stream that was closed is None."""
    return bool(sys.stdin and sys.stdout and sys.stdin.isatty() and sys.stdout.isatty())
