"""What tests call: `trace` one run, or `crash_points` of an operation."""

import atexit
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from tests.tracer.calls import TABLES, Call

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


@dataclass(frozen=True, slots=True)
class Trace:
    """One traced run. `reached` says whether the wanted call came; `error` what a function raised (what, where, …)."""

    calls: list[Call]
    exit: int
    output: bytes
    value: Any
    error: dict[str, Any] | None
    reached: bool

    def __iter__(self) -> Iterator[Call]:
        return iter(self.calls)

    def __len__(self) -> int:
        return len(self.calls)

    def named(self, *names: str) -> list[Call]:
        """The calls with one of these names."""
        return [call for call in self.calls if call.name in names]

    def changes(self, *, below: str = "") -> list[Call]:
        """The calls that change a file, only those below the folder `below` if given."""
        below = os.path.realpath(below) if below else ""
        return [call for call in self.calls if call.changes and (not below or call.is_below(below))]

    def programs(self) -> list[str]:
        """The programs that were really started, in order."""
        return [call.path for call in self.named("execve", "execveat") if call.result == 0]

    def mappings(self) -> list[Call]:
        """Shared writable mappings of files: changes that no call shows."""
        return self.named("mmap")


@dataclass(frozen=True, slots=True)
class Crash:
    """One point of an operation: its number from 1, the call that was hit, and the run up to there."""

    number: int
    call: Call
    seen: Trace

    def __str__(self) -> str:
        return f"point {self.number}, {self.call.name} {self.call.path} {self.call.target}".rstrip()


def trace(
    operation: Callable[..., Any] | Sequence[str],
    *args: Any,
    cwd: str | os.PathLike[str] | None = None,
    env: dict[str, str] | None = None,
    stdin: bytes = b"",
    at: int = 0,
    fault: int = 0,
    below: str = "",
) -> Trace:
    """What a program (its argv) or a module-level function does; with `at`, killed at (or failing in) that change.

    A path among `args` may be a pathlib.Path. Counted for `at` are the calls that change a file below `below`.
    """
    obstacle = find_obstacle()
    if obstacle:
        pytest.skip(obstacle)
    request: dict[str, Any] = {
        "argv": [],
        "args": [os.fspath(arg) if isinstance(arg, os.PathLike) else arg for arg in args],
        "cwd": os.fspath(cwd or os.getcwd()),
        "env": dict(os.environ if env is None else env),
        "input": stdin.decode("latin-1"),
        "at": at,
        "fault": fault,
        "below": os.path.realpath(below) if below else "",
    }
    if callable(operation):
        assert "." not in operation.__qualname__, "only a module-level function can be traced"
        request.update(file=operation.__code__.co_filename, function=operation.__name__)
    else:
        request["argv"] = [os.fspath(word) for word in operation]
    answer = _server().ask(request)
    assert answer, "the tracer's server died; its words are above"
    told = answer["told"] or {}
    calls = [Call(*fields) for fields in answer["calls"]]
    output = answer["output"].encode("latin-1")
    return Trace(calls, answer["exit"], output, told.get("value"), told.get("error"), answer["reached"])


def crash_points(
    operation: Callable[..., Any] | Sequence[str],
    *args: Any,
    setup: Callable[[str], Any],
    check: Callable[[str, Crash], Any],
    folder: str,
    fault: int = 0,
    env: dict[str, str] | None = None,
) -> list[Crash]:
    """Every point of `operation(folder/work, *args)` hit once, in a fresh folder, and checked; what was hit.

    `operation` may also be an argv, run in the folder.
    """
    work = os.path.join(os.path.realpath(folder), "work")
    crashes: list[Crash] = []
    while True:
        shutil.rmtree(work, ignore_errors=True)
        os.mkdir(work)
        setup(work)
        given: tuple[Any, ...] = (work, *args) if callable(operation) else ()
        seen = trace(operation, *given, cwd=work, at=len(crashes) + 1, fault=fault, below=work, env=env)
        if not seen.reached:
            assert seen.exit == 0, f"left alone, the operation fails: {seen.error or seen.output!r}"
            return crashes
        crash = Crash(len(crashes) + 1, seen.changes(below=work)[len(crashes)], seen)
        crashes.append(crash)
        if not fault:
            assert seen.exit == -9, f"{crash}: exit {seen.exit}"
        check(work, crash)


@cache
def find_obstacle() -> str:
    """Why nothing can be traced here; empty where it can."""
    if not sys.platform.startswith("linux"):
        return "the tracer needs Linux"
    if platform.machine() not in TABLES:
        return f"the tracer does not know the registers of {platform.machine()}"
    release = tuple(int(part) for part in platform.release().split(".")[:2])
    if release < (5, 3):
        return "the tracer needs Linux 5.3 or newer"
    answer = _server().ask(None)
    return "" if answer.get("exit") == 0 else "ptrace is not allowed here"


class _Server:
    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None
        atexit.register(self.stop)

    def ask(self, request: dict[str, Any] | None) -> dict[str, Any]:
        if request is None:
            request = {"argv": ["true"], "args": [], "cwd": "/", "env": dict(os.environ), "input": "", "at": 0}
            request.update(fault=0, below="")
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.tracer.server"],
                cwd=REPOSITORY,
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            return {}
        answer: dict[str, Any] = json.loads(self.process.stdout.readline() or "{}")
        return answer

    def stop(self) -> None:
        if self.process is not None:
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()


@cache
def _server() -> _Server:
    return _Server()
