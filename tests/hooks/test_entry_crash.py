"""A hook always finds a whole stub and a whole link, whenever their writer dies."""

import os
from pathlib import Path

from tests.hooks.entry_crash import write_new_entry, write_old_entry
from tests.tracer import Crash, crash_points
from thruline.operations.hook_entry import find_interpreter, render_stub


def check_whole(folder: str, crash: Crash) -> None:
    hook = Path(folder, "hook")
    assert (hook / "entry.py").read_text() in ("old", render_stub(folder)), crash
    assert os.readlink(hook / "python") in ("/old/python", find_interpreter()), crash


def test_a_writer_killed_at_any_call_leaves_the_old_file_or_the_new_one(tmp_path: Path):
    crashes = crash_points(write_new_entry, setup=write_old_entry, check=check_whole, folder=str(tmp_path))
    assert {"rename", "symlink"} <= {crash.call.name.removesuffix("at2").removesuffix("at") for crash in crashes}
