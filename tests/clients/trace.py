"""What a client and all its children did, as the kernel saw it: programs started, addresses called."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

PREFIX = ("strace", "-f", "-qq", "--seccomp-bpf", "-s", "4096", "-e", "trace=execve,connect,sendto,sendmsg,sendmmsg")

_EXECUTED = re.compile(r'execve\("(?:[^"\\]|\\.)*", \[(.*)\], 0x\w+ [^)]*\) = 0$', re.MULTILINE)
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ADDRESS = re.compile(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"')


@dataclass(frozen=True, slots=True)
class Trace:
    """`programs` are the argument lists of everything started, `addresses` the internet addresses called."""

    programs: list[list[str]]
    addresses: set[str]


def is_available() -> bool:
    """Whether this machine can trace."""
    return shutil.which("strace") is not None


def parse_trace(text: str) -> Trace:
    """The facts in a log of strace; a call that was cut in two by another thread still names its address."""
    programs = [_STRING.findall(found) for found in _EXECUTED.findall(text)]
    return Trace(programs, {v4 or v6 for v4, v6 in _ADDRESS.findall(text)})


def read_trace(path: Path) -> Trace:
    """The facts in the log at `path`."""
    return parse_trace(path.read_text(encoding="utf-8", errors="replace"))
