"""Which process decides a promise at this moment, noted beside the loop's leave.

A hook or a driver that is killed at once ends nothing: whoever holds or ends the loop then knows what it left running.
Imported by a hook only where such a command runs.
"""

import os

from thruline.disk.replace import write_bytes
from thruline.disk.temps import remove_quietly
from thruline.process import is_same_running, read_process

COMMAND = ".until"  # beside a leave: the command's process and its birth, then those of who waits for it
_LARGEST = 200


def note_command(leave: str, pid: int) -> None:
    """Notes that this process waits for `pid`."""
    numbers = [number for each in (pid, os.getpid()) for number in (each, read_process(each)[2])]
    write_bytes(leave + COMMAND, " ".join(map(str, numbers)).encode(), mode=0o600, lasting=False)


def forget_command(leave: str) -> None:
    """It is over."""
    remove_quietly(leave + COMMAND)


def take_left_command(leave: str) -> int:
    """The command that was left running, noted no more; 0 where there is none, or somebody waits for it still.

    One of unknown birth is nobody's: its number may be another's by now.
    """
    try:
        descriptor = os.open(leave + COMMAND, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return 0
    try:
        words = os.read(descriptor, _LARGEST).split()
    finally:
        os.close(descriptor)
    if len(words) != 4 or not all(word.isdigit() for word in words):
        forget_command(leave)
        return 0
    pid, born, waiting, since = map(int, words)
    if is_same_running(waiting, since):
        return 0
    forget_command(leave)
    return pid if pid > 1 and born and is_same_running(pid, born) else 0
