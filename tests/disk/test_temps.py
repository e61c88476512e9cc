"""What a killed writer leaves behind is found, and nobody else's file is taken for it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from thruline.disk import atomic, leftovers, temps
from thruline.disk.atomic import (
    find_leftovers,
    remove_leftovers,
)


def test_leftovers_are_temporary_files_of_processes_that_are_gone(tmp_path: Path) -> None:
    ours = Path(tmp_path, "sub", atomic.build_temp_name())
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    pid = gone.stdout.decode().strip()
    dead = Path(tmp_path, "sub", ours.name.replace(f"-{os.getpid()}-", f"-{pid}-"))
    foreign = Path(tmp_path, "sub", f"{atomic.TEMP_START}{pid}-elsewhere-1.tmp")
    other = Path(tmp_path, "sub", ".thruline-notes.tmp")
    ours.parent.mkdir()
    for path in (ours, dead, foreign, other):
        path.write_bytes(b"")
    assert find_leftovers(str(tmp_path)) == [str(dead)]
    assert remove_leftovers(str(tmp_path)) == [str(dead)]
    assert not dead.exists()
    assert ours.exists()


def test_where_a_process_cannot_be_asked_about_age_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "is_running", lambda _: None)
    new = temps.build_temp_name()
    yesterday = time.time_ns() - 25 * 3600 * 10**9
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(temps.time, "time_ns", lambda: yesterday)
        old = temps.build_temp_name()
    odd = old.rpartition("-")[0] + "-nonsense.tmp"
    for name in (new, old, odd):
        (tmp_path / name).write_bytes(b"")
    assert find_leftovers(str(tmp_path)) == [str(tmp_path / old)]
