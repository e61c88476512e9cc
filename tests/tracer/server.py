"""The process that forks what is traced: one thread, few imports, one JSON request a line.

python -m tests.tracer.server
"""

import dataclasses
import importlib.util
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from tests.tracer.calls import Call
from tests.tracer.ptrace import run_traced

_loaded: dict[str, Any] = {}


def load_function(path: str, name: str) -> Callable[..., Any]:
    """The function `name` of the file at `path`, which is loaded once."""
    if path not in _loaded:
        spec = importlib.util.spec_from_file_location(f"traced_{len(_loaded)}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        _loaded[path] = module
    function: Callable[..., Any] = getattr(_loaded[path], name)
    return function


def serve(request: dict[str, Any]) -> dict[str, Any]:
    """Runs what one request names and tells what was seen."""
    output = os.memfd_create("output")
    told = os.memfd_create("told")
    if request["argv"]:
        start = _program(request, output)
    else:
        function = load_function(request["file"], request["function"])
        start = _function(function, request, output, told)
    reached: list[int] = []
    calls, code = run_traced(start, _build_decider(request, reached))
    answer = {
        "calls": [dataclasses.astuple(call) for call in calls],
        "exit": code,
        "output": _read(output).decode("latin-1"),
        "told": json.loads(_read(told) or b"null"),
        "reached": bool(reached),
    }
    os.close(output)
    os.close(told)
    return answer


def _build_decider(request: dict[str, Any], reached: list[int]) -> Callable[[Call], int | None]:
    at, fault, below = request["at"], request["fault"], request["below"]
    count = 0

    def decide(call: Call) -> int | None:
        nonlocal count
        if not at or not call.changes or (below and not call.is_below(below)):
            return None
        count += 1
        if count != at:
            return None
        reached.append(count)
        return int(fault)

    return decide


def _prepare(request: dict[str, Any], output: int) -> None:
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    given = os.memfd_create("input")
    os.write(given, request["input"].encode("latin-1"))
    os.lseek(given, 0, os.SEEK_SET)
    os.dup2(given, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)


def _program(request: dict[str, Any], output: int) -> Callable[[], None]:
    def start() -> None:
        _prepare(request, output)
        try:
            os.execvpe(request["argv"][0], request["argv"], os.environ)
        except OSError:
            os._exit(127)

    return start


def _function(function: Callable[..., Any], request: dict[str, Any], output: int, told: int) -> Callable[[], None]:
    def start() -> None:
        _prepare(request, output)
        answer: dict[str, Any] = {}
        code = 0
        try:
            answer["value"] = function(*request["args"])
        except BaseException as error:
            parts = {part: getattr(error, part, "") for part in ("what", "where", "next")}
            kinds = [each.__name__ for each in type(error).__mro__]
            answer["error"] = {"kinds": kinds, "text": str(error), **parts}
            code = 1
        os.write(told, json.dumps(answer, default=repr).encode())
        os._exit(code)

    return start


def _read(fd: int) -> bytes:
    size = os.lseek(fd, 0, os.SEEK_END)
    return os.pread(fd, size, 0)


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(json.dumps(serve(json.loads(line))) + "\n")
        sys.stdout.flush()
