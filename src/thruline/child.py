"""Programs that we run: each leads a process group of its own, and nothing of it is left when it is over.

A client or a test run may have children, and one that hangs must not outlive its answer. Streams are files: a child
left behind would hold a pipe open, and us with it. tests/engines/test_one_gate.py has the list of who may run what.

A client may start what is meant to stay (a server in a terminal of its own), so what leaves its group is left alone. A
command that decides something may not: what it leaves is found by a variable that it inherited, where the system shows
that (Linux).
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

OVER = "was ended: nobody waits for it any more"
_LOOK = 0.1  # seconds between two looks at a running program
_MERCY = 2.0  # seconds between asking a program to end and ending it
_TAIL = 16_384  # bytes of what a shell line says
_MOST = 64 << 20  # bytes that it may say before all but the end is forgotten
_MARK = "THRULINE_RUN"  # which of our runs a process belongs to; runs within runs are listed one after the other
_PASSES = 5  # looks for what is left: whoever forks while we look is found by the next


def run_child(
    argv: Sequence[str],
    *,
    folder: str,
    env: Mapping[str, str],
    streams: tuple["IO[bytes] | int", "IO[bytes] | int", "IO[bytes] | int"],
    timeout: float,
    look: Callable[[int], str] = lambda _pid: "",
    deep: bool = False,
) -> tuple[int, str]:
    """The exit status, or why there is none: `timeout: …`, or what `look` said; the program is gone either way.

    With `deep` that includes children which made themselves sessions of their own.
    `look` is called with the program's id, at once and then ten times a second; any word of it ends the program.
    """
    given, out, err = streams
    mark = os.urandom(16).hex()
    marked = {**env, _MARK: f"{env.get(_MARK, '')}:{mark}"}
    process: subprocess.Popen[bytes] | None = None
    ends = time.monotonic() + timeout
    try:
        process = subprocess.Popen(
            argv, cwd=folder, env=marked, stdin=given, stdout=out, stderr=err, start_new_session=True
        )
        while True:
            if reason := look(process.pid):
                return -1, reason
            try:
                return process.wait(_LOOK), ""
            except subprocess.TimeoutExpired:
                if time.monotonic() > ends:
                    return -1, f"timeout: did not end within {timeout:g} s"
    finally:
        if process is not None:
            _end_group(process)
        if deep or process is None:  # asked to end while it was being started: it may run, and nobody knows its id
            _end_marked(mark.encode())


def run_line(
    line: str,
    *,
    folder: str,
    env: Mapping[str, str],
    timeout: float,
    is_over: Callable[[], bool] = lambda: False,
    begun: Callable[[int], None] = lambda _pid: None,
) -> tuple[str, str]:
    """How a shell line failed, "" where it passed, and the end of what it said; ended as soon as `is_over` says so.

    `begun` is told once the id of its process, which leads a group.
    """
    shell = [env.get("COMSPEC", "cmd.exe"), "/c"] if sys.platform == "win32" else ["/bin/sh", "-c"]
    with heed_ends(), tempfile.TemporaryFile() as output:
        keep_tail = _limit(output)
        told = False

        def look(pid: int) -> str:
            nonlocal told
            if not told:
                told = True
                begun(pid)
            keep_tail()
            return OVER if is_over() else ""

        code, late = run_child(
            [*shell, line],
            folder=folder,
            env=env,
            streams=(subprocess.DEVNULL, output, output),
            timeout=timeout,
            look=look,
            deep=True,
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


def _limit(output: "IO[bytes]") -> Callable[[], None]:
    """A look that keeps a line which never stops talking from filling the disk."""
    if sys.platform != "win32":
        import fcntl

        # What is written after the file was cut goes to its end, not to where the writer was.
        fcntl.fcntl(output, fcntl.F_SETFL, fcntl.fcntl(output, fcntl.F_GETFL) | os.O_APPEND)

    def look() -> None:
        size = os.fstat(output.fileno()).st_size
        if size > _MOST and sys.platform != "win32":
            tail = os.pread(output.fileno(), _TAIL, size - _TAIL)
            os.ftruncate(output.fileno(), 0)
            os.write(output.fileno(), tail)

    return look


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


def _end_marked(mark: bytes) -> None:
    """Ends what carries our mark still: a child that made itself a session of its own left the group."""
    if sys.platform != "linux":
        return
    for _ in range(_PASSES):
        left = False
        for name in os.listdir("/proc"):
            left = (name.isdigit() and _end_if_marked(int(name), mark)) or left
        if not left:
            return


def _end_if_marked(pid: int, mark: bytes) -> bool:
    try:
        process = os.pidfd_open(pid)  # before the look: a number may be another's by the time of the signal
    except OSError:
        return False
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            if mark not in file.read():
                return False
        signal.pidfd_send_signal(process, signal.SIGKILL)
        return True
    except OSError:
        return False  # over already, or another user's
    finally:
        os.close(process)
