"""The one place where errors become messages and exit codes.

0 fine · 1 expected failure · 2 usage · 3 bug, with a report · 130 interrupted
"""

import importlib
import io
import os
import sys
from typing import TYPE_CHECKING

import click

from thruline import __version__
from thruline.cli.command import CONTEXT_SETTINGS, build_json_parameter, folder_option
from thruline.cli.entry import tell_lost_output
from thruline.cli.show import render_error, render_json
from thruline.cli.table import COMMANDS
from thruline.cli.terminal import say
from thruline.disk.faults import EACCES, EDQUOT, EIO, ENAMETOOLONG, ENOSPC, EPERM, EROFS, build_disk_error
from thruline.errors import NotFound, ThrulineError, UsageError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


# What the system may refuse at any path, through no fault of ours.
_REFUSALS = (EPERM, EIO, EACCES, ENOSPC, EROFS, ENAMETOOLONG, EDQUOT)


class CommandTable(click.Group):
    """The commands of `table.py`, imported when one is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found = importlib.import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(found, click.Command)
        return found

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        # Click would import every command that matches, to see whether it is hidden.
        from click.shell_completion import CompletionItem

        names = [CompletionItem(name, help=line) for name, (_, line) in COMMANDS.items() if name.startswith(incomplete)]
        return names + super(click.Group, self).shell_complete(ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(
    "thruline",
    cls=CommandTable,
    context_settings=CONTEXT_SETTINGS,
    params=[build_json_parameter()],
    no_args_is_help=True,
)
@click.version_option(__version__, "-V", "--version", message="thruline %(version)s")
@folder_option
def main_command() -> None:
    """Carry what a coding-agent session learned into the next one."""


def run(arguments: list[str]) -> int:
    """Runs one command line and returns its exit code; nothing escapes."""
    as_json = "--json" in arguments
    _open_streams()
    out = sys.stdout
    try:
        result = main_command.main(arguments, prog_name="thruline", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as help_page:
        help_page.show()
        return 2
    except click.UsageError as error:
        return _tell(_usage_error(error), as_json)
    except click.ClickException as error:
        return _tell(ThrulineError(error.format_message()), as_json)
    except ThrulineError as error:
        return _tell(error, as_json)
    except (KeyboardInterrupt, click.Abort):
        sys.stderr.write("Interrupted.\n")
        return 130
    except SystemExit as stop:
        # Click leaves this way, with another stdout, when the reader went away (`| head`): not our trouble.
        return stop.code if isinstance(stop.code, int) and sys.stdout is out else 0
    except OSError as error:
        return _tell_system_error(error, arguments, as_json)
    except Exception as error:
        return _tell_bug(error, arguments, as_json)


def _open_streams() -> None:
    # Closed by the caller (`>&-`): who writes there need not know.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for the rest of the run
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    # File names may hold bytes that are no text, and a terminal may know only ASCII: neither may turn an answer into
    # a crash. What cannot be printed is escaped, in a form that JSON reads back.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _tell(error: ThrulineError, as_json: bool) -> int:
    say(render_error(error, as_json), err=not as_json)
    return error.exit_code


def _tell_system_error(error: OSError, arguments: list[str], as_json: bool) -> int:
    if error.errno in _REFUSALS:
        # Rooms tell their own faults, with a path. What fails without one is the stream that we print to.
        if error.filename is None:
            return tell_lost_output(error)
        return _tell(build_disk_error(error, "use", os.fsdecode(error.filename)), as_json)
    try:
        os.getcwd()
    except FileNotFoundError:
        return _tell(NotFound("The working folder no longer exists.", next="cd into a folder that does"), as_json)
    return _tell_bug(error, arguments, as_json)


def _usage_error(error: click.UsageError) -> UsageError:
    at = error.ctx.command_path if error.ctx else "thruline"
    return UsageError(error.format_message(), where=at, next=f"{at} --help")


def _tell_bug(error: Exception, arguments: list[str], as_json: bool) -> int:
    # Here and not on top: traceback and platform are dear, and only a bug needs them.
    from thruline.cli.report import write_report

    verb = next((word for word in arguments if word in COMMANDS), "")
    path = write_report(error, verb)
    what = f"This is a bug in thruline ({type(error).__name__})."
    if as_json:
        parts = {"kind": "Bug", "what": what, "where": path, "next": "report it with that file"}
        say(render_json({"error": parts}))
    else:
        say(f"{what} Please report it with {path or 'the text above'}", err=True)
    return 3
