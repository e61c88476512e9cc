"""A hook that is killed at any call leaves whole files, and a text is told once or not at all."""

import errno
import json
import os
from pathlib import Path

import pytest

from tests.hooks.hook_crash import TEXT, answer_to, find_here, prepare, start
from tests.tracer import Crash, crash_points


def check_whole(folder: str, crash: Crash) -> None:
    here = find_here(folder)
    out = Path(folder, "out")
    said = out.read_text() if out.exists() else ""
    if said:
        assert json.loads(said)["hookSpecificOutput"]["additionalContext"] == TEXT, crash
    spool = Path(here.spool)
    for path in spool.iterdir() if spool.exists() else []:
        if not path.name.startswith("."):
            assert json.loads(path.read_bytes())["event"] == "session_start", crash
    told = Path(here.injected)
    for line in told.read_text().splitlines() if told.exists() else []:
        assert json.loads(line)["text"] == TEXT, crash
    left = Path(os.path.dirname(here.build_resume("")))
    kept = [path for path in left.iterdir() if json.loads(path.read_text())["text"] == TEXT]
    assert TEXT in said or len(kept) == 1, crash  # told, or still there for the worker to put back
    start(folder)  # the next one hears it where this one did not take it, and only there
    assert out.read_text().count(TEXT) <= 1, crash
    assert not any(path.name.endswith(".json") for path in left.iterdir()), crash


@pytest.mark.parametrize("fault", [0, errno.ENOSPC, errno.EROFS])
def test_a_hook_that_dies_or_fails_at_any_call_tears_nothing_and_tells_nothing_twice(tmp_path: Path, fault: int):
    crashes = crash_points(start, setup=prepare, check=check_whole, folder=str(tmp_path), fault=fault)
    assert {"rename", "unlink", "write"} <= {
        crash.call.name.removesuffix("at2").removesuffix("at") for crash in crashes
    }


def test_a_text_that_could_not_be_printed_is_there_for_the_next_start(tmp_path: Path) -> None:
    prepare(str(tmp_path))
    answer_to(str(tmp_path), "/dev/full")
    start(str(tmp_path))
    assert (tmp_path / "out").read_text().count(TEXT) == 1
    assert os.listdir(os.path.dirname(find_here(str(tmp_path)).build_resume(""))) == []
