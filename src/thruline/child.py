"""Programs that we run: each leads a process group of its own, and nothing of it is left when it is over.

A client or a test run may have children, and one that hangs must not outlive its answer. Streams are files: a child
left behind would hold a pipe open, and us with it. tests/engines/test_one_gate.py has the list of who may run what.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO

_LOOK = 0.1  # seconds between two looks at a running program
_MERCY = 2.0  # seconds between asking a program to end and ending it
_TAIL = 16_384  # bytes of what a shell line says


def run_child(
    argv: Sequence[str],
    *,
    folder: str,
    env: Mapping[str, str],
    streams: tuple["IO[bytes] | int", "IO[bytes] | int", "IO[bytes] | int"],
    timeout: float,
    look: Callable[[int], str] = lambda _pid: "",
) -> tuple[int, str]:
    """The exit status, or why there is none: `timeout: …`, or what `look` said; the program is gone either way.

    `look` is called with the program's id, at once and then ten times a second; any word of it ends the program.
    """
    given, out, err = streams
    process = subprocess.Popen(
        argv, cwd=folder, env=dict(env), stdin=given, stdout=out, stderr=err, start_new_session=True
    )
    ends = time.monotonic() + timeout
    try:
        while True:
            if reason := look(process.pid):
                return -1, reason
            try:
                return process.wait(_LOOK), ""
            except subprocess.TimeoutExpired:
                if time.monotonic() > ends:
                    return -1, f"timeout: no end within {timeout:g} s"
    finally:
        _end_group(process)


def run_line(line: str, *, folder: str, env: Mapping[str, str], timeout: float) -> tuple[str, str]:
    """How a shell line failed, "" where it passed, and the end of what it said."""
    shell = [env.get("COMSPEC", "cmd.exe"), "/c"] if sys.platform == "win32" else ["/bin/sh", "-c"]
    with heed_ends(), tempfile.TemporaryFile() as output:
        code, late = run_child(
            [*shell, line], folder=folder, env=env, streams=(subprocess.DEVNULL, output, output), timeout=timeout
        )
        output.seek(max(0, output.seek(0, os.SEEK_END) - _TAIL))
        said = output.read().decode("utf-8", "replace").strip()
    return late.removeprefix("timeout: ") or (f"ended with status {code}" if code else ""), said


@contextmanager
def heed_ends() -> Iterator[None]:
    """Meanwhile a request to end (a terminal that closes, a shutdown) is what Ctrl-C is: programs end, files go."""

    def end(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked = [signal.SIGTERM, *([signal.SIGHUP] if sys.platform != "win32" else [])]
    before = {one: signal.getsignal(one) for one in asked}
    heeded = [one for one in asked if before[one] is not signal.SIG_IGN]  # nohup stays nohup
    try:
        for one in heeded:
            signal.signal(one, end)
        yield
    finally:
        for one in heeded:
            signal.signal(one, before[one])


def end_group(pid: int) -> None:
    """Ends the group that `pid` leads, at once: what a killed caller left behind."""
    if sys.platform == "win32":
        return
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass  # over already, or no longer ours


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    """Ends the program and every child it left, whether or not it ended by itself."""
    if sys.platform == "win32":
        process.kill()
        process.wait()
        return
    try:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(_MERCY)
            except subprocess.TimeoutExpired:
                pass
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
