"""The command of `--until` where a loop is driven: nothing of it outlives a driver that was killed."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from thruline.artifacts.loop_command import COMMAND
from thruline.operations.loops.until import end_left_command
from thruline.process import read_process

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="elsewhere nobody knows whose number it is by now"
)
DRIVER = """
import sys
from thruline.artifacts.frontmatter import parse_document
from thruline.operations.loops.until import ask_until

document = parse_document(b"---\\nuntil: sleep 300 & echo $$ > begun.new; mv begun.new begun; wait\\n---\\n")
print(ask_until(document, "DONE", sys.argv[1], sys.argv[2], lambda: False))
"""


def wait_until(is_so: Callable[[], bool], seconds: float = 20.0) -> None:
    ends = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.02)


def test_the_command_of_a_killed_driver_is_ended_and_that_of_a_living_one_is_its_own_matter(tmp_path: Path) -> None:
    leave, begun = tmp_path / "leave", tmp_path / "begun"
    note = Path(str(leave) + COMMAND)
    driver = subprocess.Popen([sys.executable, "-c", DRIVER, str(tmp_path), str(leave)])
    try:
        wait_until(lambda: begun.exists() and note.exists())
        child = int(begun.read_text())
        end_left_command(str(leave))
        assert read_process(child)[2], "its driver lives"
        assert note.exists()
        driver.kill()
        driver.wait()
        assert read_process(child)[2], "nobody ended it with its driver"
        end_left_command(str(leave))
        wait_until(lambda: read_process(child) == ("", 0, 0))
        assert not note.exists()
    finally:
        driver.kill()
        driver.wait()


@pytest.mark.parametrize("born", ["0", "1"])
def test_a_process_that_may_be_anothers_is_left_alone(tmp_path: Path, born: str) -> None:
    other = subprocess.Popen(["sleep", "60"], start_new_session=True)
    try:
        note = tmp_path / f"leave{COMMAND}"
        note.write_text(f"{other.pid} {born} {2**22 + 1} 5")
        end_left_command(str(tmp_path / "leave"))
        assert other.poll() is None
        assert not note.exists()
    finally:
        other.kill()
        other.wait()
