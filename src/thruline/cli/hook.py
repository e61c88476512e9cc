"""`thruline hook HARNESS EVENT`: what a team's shared settings call. Hidden: people never run it.

It hands over to the stub of this user, as if the client had called that; whoever never ran `thruline install` has none,
and nothing happens: a repository cannot switch hooks on for its visitors.
"""

import click

from thruline.layout import find_user_paths
from thruline.operations.install.handing_over import hand_over


@click.command("hook", hidden=True, add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def command(words: tuple[str, ...]) -> int:
    """Exits 0, always."""
    if len(words) == 2:
        hand_over(find_user_paths(), words[0], words[1])
    return 0
