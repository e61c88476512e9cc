"""What test_entry_crash has killed; the tracer's server loads this file."""

import os

from thruline.operations import hook_entry


def write_old_entry(folder: str) -> None:
    """An entry as another version and another interpreter left it."""
    os.makedirs(os.path.join(folder, "hook"))
    with open(os.path.join(folder, "hook", "entry.py"), "w", encoding="utf-8") as file:
        file.write("old")
    os.symlink("/old/python", os.path.join(folder, "hook", "python"))


def write_new_entry(folder: str) -> None:
    """The entry of this version, over the old one."""
    hook_entry.write_entry(folder)
