"""`thruline completion`: the script that lets a shell complete our commands.

Click makes the script and answers it; while completing, only click and the table of commands are loaded.
"""

import click
from click.shell_completion import get_completion_class

from thruline.cli.command import command as declare
from thruline.cli.show import show

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_THRULINE_COMPLETE"


@declare(
    "completion",
    help="Print the completion script of your shell.\n\n"
    "\b\n"
    'bash  add to ~/.bashrc:  eval "$(thruline completion bash)"\n'
    'zsh   add to ~/.zshrc:   eval "$(thruline completion zsh)"\n'
    "fish  run once:          thruline completion fish > ~/.config/fish/completions/thruline.fish",
    example='eval "$(thruline completion bash)"',
    any_config=True,
)
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str, as_json: bool) -> None:
    made = get_completion_class(shell)
    assert made is not None
    # The script calls `thruline` again; the command that it completes is not needed to print it.
    script = made(click.Command("thruline"), {}, "thruline", VARIABLE).source()
    show({"shell": shell, "script": script}, as_json, lambda value: value["script"])
