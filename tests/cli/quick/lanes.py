"""The two lanes of the command, in this process and in one of its own, and words both are given."""

import io
import os
import subprocess
import sys
from collections.abc import Callable

OTHER = "6e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34"

KEPT = "7e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34"

Outcome = tuple[int | None, bytes, bytes]


def run(lane: Callable[[list[str]], int | None], arguments: list[str]) -> Outcome:
    """Exit code and both streams of one lane."""
    before = sys.stdout, sys.stderr, os.getcwd()
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8", write_through=True)
    sys.stderr = io.TextIOWrapper(
        err, encoding="utf-8", errors="backslashreplace", write_through=True
    )  # as Python's own
    try:
        code = lane(arguments)
        return code, out.getvalue(), err.getvalue()
    finally:
        sys.stdout, sys.stderr = before[:2]
        assert os.getcwd() == before[2]


LIST = ["sessions", "list"]
PREPARE = ["handoff", "prepare"]
BRIEF = ["handoff", "brief"]
LANES = """
import sys
from thruline.cli import entry, quick, report
if sys.argv.pop(1) == "click":
    quick.run_quick = lambda arguments: None
"""


def run_process(lane: str, code: str, *arguments: str, shell: str = "", **more: str) -> tuple[int, bytes, bytes]:
    command = [sys.executable, "-c", LANES + code + "\nsys.exit(entry.main())", lane, *arguments]
    if shell:
        command = ["sh", "-c", shell, "sh", *command]
    done = subprocess.run(command, capture_output=True, env={**os.environ, **more}, timeout=60)
    return done.returncode, done.stdout, done.stderr
