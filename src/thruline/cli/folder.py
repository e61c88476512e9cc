"""`-C DIR`: the folder that a command works in."""

import os

from thruline.errors import UsageError


def find_here() -> str:
    """The working folder; empty where it was deleted under our feet and there is nowhere to go back to."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return ""


def enter_folder(folder: str) -> None:
    """Makes `folder` the working folder, as git does: every other path on the line is relative to it."""
    try:
        os.chdir(folder)
    except OSError as error:
        raise UsageError(
            f"Cannot work in {folder}: {error.strerror}.",
            where="-C " + folder,
            next="give a folder that is there and that you may enter",
        ) from None
