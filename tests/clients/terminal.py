"""A terminal for a client's interactive screen: what it asks of a terminal is answered, what it shows can be read.

No screen is kept: words are searched in everything that was written since the last key, with the controls taken out.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from pathlib import Path

SIZE = struct.pack("HHHH", 40, 120, 0, 0)
CONTROL = re.compile(rb"\x1b\[[0-9;?>=]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.")
ANSWERS = {
    b"\x1b[6n": b"\x1b[1;1R",  # where is the cursor
    b"\x1b[c": b"\x1b[?62;c",  # which terminal is this
    b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
    b"\x1b[?u": b"\x1b[?0u",
}
PAUSE, SHOWN, TRIES = 1.5, 4.0, 6
DOWN, ENTER = b"\x1b[B", b"\r"


class Terminal:
    """A program on a terminal of its own; use it as a context manager, which ends the program."""

    def __init__(self, program: Path, *, cwd: Path, env: dict[str, str]) -> None:
        self._pid, self._end = pty.fork()
        if self._pid == 0:
            try:
                os.chdir(cwd)
                os.execve(str(program), [str(program)], env)
            finally:
                os._exit(127)
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, SIZE)
        self._seen = b""

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._end)

    def wait_for(self, words: str, seconds: float = 30.0) -> str:
        """What is shown once `words` are there; blanks count as one."""
        deadline = time.monotonic() + seconds
        while words not in self.shown:
            if time.monotonic() > deadline:
                raise AssertionError(f'"{words}" was not shown: {self.shown[-2000:]}')
            self._read()
        return self.shown

    def press(self, key: bytes, words: str) -> None:
        """Types a key, again where the screen was not ready for it, until `words` are shown."""
        for _ in range(TRIES):
            ready = time.monotonic() + PAUSE
            while time.monotonic() < ready:
                self._read()  # a key that comes with the first picture of a dialog is dropped
            self._seen = b""
            os.write(self._end, key)
            try:
                self.wait_for(words, SHOWN)
                return
            except AssertionError:
                continue
        raise AssertionError(f'"{words}" was not shown: {self.shown[-2000:]}')

    def send_when_quiet(self, key: bytes) -> None:
        """Types a key once the screen had time to draw itself."""
        ready = time.monotonic() + PAUSE
        while time.monotonic() < ready:
            self._read()
        os.write(self._end, key)

    def look(self) -> None:
        """Takes in what is shown now."""
        self._read()

    @property
    def shown(self) -> str:
        text = CONTROL.sub(b" ", self._seen).decode("utf-8", "replace")
        return " ".join(text.split())

    def _read(self) -> None:
        if not select.select([self._end], [], [], 0.1)[0]:
            return
        try:
            data = os.read(self._end, 65536)
        except OSError:
            raise AssertionError(f"the program ended: {self.shown[-2000:]}") from None
        self._seen += data
        for question, answer in ANSWERS.items():
            if question in data:
                os.write(self._end, answer)
