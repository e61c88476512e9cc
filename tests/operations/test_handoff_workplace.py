"""Where a handoff works: named by its session, gone with it, and what a killed one left goes with the next."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from thruline.operations.handoff.workplace import name_folder, open_workplace


def test_what_a_killed_process_left_is_gone_with_the_next_and_what_runs_stays(tmp_path: Path) -> None:
    code = f"""
import os
from pathlib import Path
from thruline.operations.handoff.workplace import open_workplace
with open_workplace({str(tmp_path)!r}, "5e0c7f4a-1111") as folder:
    Path(folder, "spine.txt").write_text("words")
    os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    [left] = tmp_path.iterdir()
    assert left.name.startswith("5e0c7f4a-1111."), "forget finds it by its session"
    running = tmp_path / f"other.p{os.getppid()}.abc"
    running.mkdir()
    between = tmp_path / "5e0c7f4a-2222"  # an agent's, between two commands
    between.mkdir()
    with open_workplace(str(tmp_path), "x") as folder:
        assert {path.name for path in tmp_path.iterdir()} == {os.path.basename(folder), running.name, between.name}
    assert {path.name for path in tmp_path.iterdir()} == {running.name, between.name}


@pytest.mark.parametrize("session", ["../../victim", "..", "a\nb", "a/b", "", "x" * 300, "é"])
def test_what_is_no_id_is_no_path_either(session: str) -> None:
    name = name_folder(session)
    assert len(name) == 64
    assert name.isalnum()
