"""The first lines of the command: quick, and quiet when its output goes nowhere."""

import os
import subprocess
import sys

import pytest

import thruline

VERSION = [sys.executable, "-m", "thruline.cli.entry", "--version"]


def test_the_version_costs_no_import_but_our_own():
    code = "import sys; before = set(sys.modules); from thruline.cli.entry import main; sys.argv = ['thruline', '-V']\n"
    code += "main(); print(sorted(set(sys.modules) - before), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"thruline {thruline.__version__}\n"
    assert done.stderr == "['thruline', 'thruline.cli', 'thruline.cli.entry']\n"


@pytest.mark.parametrize("buffered", [True, False])
def test_a_reader_that_went_away_is_no_trouble(buffered: bool):
    reader, writer = os.pipe()
    os.close(reader)
    env = {**os.environ, "PYTHONUNBUFFERED": "" if buffered else "1"}
    done = subprocess.run(VERSION, stdout=writer, stderr=subprocess.PIPE, env=env)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_closed_output_is_no_trouble():
    done = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *VERSION], stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_full_disk_is_told_in_one_line():
    with open("/dev/full", "wb") as full:
        done = subprocess.run(VERSION, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (1, b"Cannot write the output: No space left on device.\n")


def test_an_interrupt_before_the_door_is_open_exits_with_130_and_no_traceback():
    code = (
        "import os, signal, sys\n"
        "class Impatient:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'thruline.cli.door': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Impatient())\n"
        "sys.argv = ['thruline', '--help']\n"
        "from thruline.cli.entry import main\n"
        "sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


LEAVING = """
import atexit, sys, threading, time
from thruline.cli.entry import leave
def work():
    time.sleep(0.3)
    print("the thread is done")
atexit.register(lambda: print("what was left for the end"))
{thread}
print("said")
sys.stdout.flush()
sys.stderr.write("and told")
leave(7)
"""


@pytest.mark.parametrize(
    ("thread", "more"),
    [
        ("", ""),
        ("threading.Thread(target=work, daemon=True).start()", ""),
        ("threading.Thread(target=work).start()", "the thread is done\n"),
    ],
    ids=["alone", "nobody waits for it", "somebody waits for it"],
)
def test_who_leaves_at_once_leaves_nothing_undone(thread: str, more: str):
    env = {**os.environ, "PYTHONUNBUFFERED": ""}
    done = subprocess.run(
        [sys.executable, "-c", LEAVING.format(thread=thread)], capture_output=True, text=True, env=env
    )
    assert done.returncode == 7
    assert done.stderr == "and told"
    assert sorted(done.stdout.splitlines()) == sorted(["said", *more.splitlines(), "what was left for the end"])
