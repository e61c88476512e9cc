"""The door that click opens: every command of the table, and what click itself has to say of a line.

Plain lines of a few commands take the quick lane (`quick.py`) and never come here; how either ends is `outcome.py`.
"""

import importlib
import sys
from typing import TYPE_CHECKING

import click

from thruline import __version__
from thruline.cli.command import CONTEXT_SETTINGS, build_json_parameter, folder_option
from thruline.cli.outcome import open_streams, tell_error, tell_outcome
from thruline.cli.table import COMMANDS, HIDDEN
from thruline.cli.upkeep import keep_entry
from thruline.errors import ThrulineError, UsageError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class CommandTable(click.Group):
    """The commands of `table.py`, imported when one is run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = COMMANDS[cmd_name][0] if cmd_name in COMMANDS else HIDDEN.get(cmd_name, "")
        if not module:
            return None
        found = importlib.import_module(module).command
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
    open_streams()
    out = sys.stdout
    keep_entry(arguments)
    try:
        result = main_command.main(arguments, prog_name="thruline", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as help_page:
        help_page.show()
        return 2
    except click.UsageError as error:
        return tell_error(_usage_error(error), as_json)
    except click.ClickException as error:
        return tell_error(ThrulineError(error.format_message()), as_json)
    except click.Abort:
        sys.stderr.write("Interrupted.\n")  # click has ended the line with ^C
        return 130
    except SystemExit as stop:
        # Click leaves this way, with another stdout, when the reader went away (`| head`): not our trouble.
        return stop.code if isinstance(stop.code, int) and sys.stdout is out else 0
    except (Exception, KeyboardInterrupt) as error:
        return tell_outcome(error, arguments, as_json)


def _usage_error(error: click.UsageError) -> UsageError:
    at = error.ctx.command_path if error.ctx else "thruline"
    return UsageError(error.format_message(), where=at, next=f"{at} --help")
