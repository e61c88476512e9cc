"""Instructions that a command takes, counted by valgrind: the same on a busy machine, and after a restart.

Processor time of one run moves by a fifth with what else runs; a rule that costs a hundredth more is seen only here.
An instruction is no measure of waiting (memory and disk take none), so a bar in time stays one.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench import Row

_COUNTED = re.compile(r"\bI +refs: +([\d,]+)")
# Sets are read in the order of hashes, which is another one in every run.
_SAME_HASHES = {"PYTHONHASHSEED": "0"}


@dataclass(frozen=True, slots=True)
class Counted:
    """One command, by the name of its row."""

    name: str
    argv: Sequence[str]
    env: Mapping[str, str]


def can_count() -> bool:
    """Whether valgrind is here."""
    return shutil.which("valgrind") is not None


def compare_instructions(commands: Sequence[Counted]) -> list[Row]:
    """A row for each command, in millions, with its ratio to the first; none where they cannot be counted."""
    if not can_count():
        print("instructions are not counted: valgrind is not installed here")
        return []
    counts = [count_instructions(each.argv, each.env) / 1e6 for each in commands]
    first = commands[0].name
    return [
        Row(each.name, count, "M", floor=first if number else "", ratio=count / counts[0] if number else None)
        for number, (each, count) in enumerate(zip(commands, counts, strict=True))
    ]


def count_instructions(argv: Sequence[str], env: Mapping[str, str]) -> int:
    """What one run takes, without what its children take; a run before it has written the bytecode.

    On one processor: a command that shares its work with a child does it alone there, and all of it is counted.
    """
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": True}
    subprocess.run(argv, env=env, **quiet)
    with tempfile.TemporaryDirectory(prefix="counted-") as folder:
        log = os.path.join(folder, "log")
        counter = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
        alone = [*counter, f"--log-file={log}", *argv]
        subprocess.run(alone, env={**env, **_SAME_HASHES}, preexec_fn=_take_one_processor, **quiet)
        with open(log, encoding="utf-8") as file:
            return parse_count(file.read())


def _take_one_processor() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def parse_count(log: str) -> int:
    """The number of instructions that valgrind tells in its log."""
    found = _COUNTED.search(log)
    if found is None:
        raise ValueError(f"valgrind told no number of instructions:\n{log}")
    return int(found[1].replace(",", ""))
