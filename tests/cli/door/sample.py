"""What a sample command does: it fails as it is told to, or is a process of its own."""

from collections.abc import Callable

SECRET = "the user's own words"


def fail(error: BaseException) -> Callable[[], None]:
    def action() -> None:
        raise error

    return action


SCRIPT = """
import os, signal, sys, time, types
from thruline.cli.command import command
from thruline.cli.table import COMMANDS
from thruline.errors import NotFound
def sample(as_json):
    {body}
module = types.ModuleType("sample")
module.command = command("sample", help="Do it.", example="thruline sample")(sample)
sys.modules["sample"] = module
COMMANDS["sample"] = ("sample", "Do it.")
from thruline.cli.entry import main
sys.exit(main())
"""
