"""A system call tracer in pure Python, for tests that must know what really reached the kernel.

No strace, no compiler, no root: ptrace through ctypes, on Linux for x86_64 and aarch64. It follows every process that
the traced one starts. Elsewhere `trace` and `crash_points` skip the test and say why.

What a program does:

    from tests.tracer import trace

    seen = trace(["git", "status"], cwd=repo)          # or a module-level function and its arguments: trace(work, "x")
    assert seen.exit == 0 and b"branch" in seen.output
    assert not seen.changes(below=repo + "/.git")      # Calls that change a file: created, written, renamed, synced …
    assert not seen.named("socket", "connect")         # by name; clone3, vfork … are there too
    assert seen.programs() == ["/usr/bin/git"]         # every program that was started, successfully

A `Call` has `name`, `path` (absolute, after following the descriptor), `target` (of a rename or link), `flags` (of an
open), `text` (the argv of an execve, the address of a connect), `result` (negative errno on failure, None if it never
returned), `pid` and `changes` (it changes a file, or makes a change durable).

What is left when it dies:

    from tests.tracer import crash_points

    def save(folder): ...                              # module level, in a file of its own: a server process loads it

    points = crash_points(save, setup=make_old_state, check=all_old_or_all_new, folder=str(tmp_path))

runs `setup(folder)` and `save(folder)` again and again, each time in a fresh folder, and kills the whole process tree
with SIGKILL at the entry of the first, second, third … call that changes a file below that folder, then calls
`check(folder, crash)`. Calls made by libraries count alike, so SQLite's own writes do. It returns the list of crashes.
With `fault=errno.ENOSPC` nothing is killed: that one call fails instead, and `crash.seen.error` tells what the
operation raised. A shared writable mapping (SQLite's `-shm`) changes a file without a call; `seen.mappings()` lists
those, and no crash can be placed inside one.

Functions run in a child forked from a small single-threaded server, not from pytest, whose threads would not survive
a fork. Their arguments go over as JSON. The server loads the file that holds the function, once: keep such functions
in a module without tests.
"""

from tests.tracer.calls import Call
from tests.tracer.client import Crash, Trace, crash_points, find_obstacle, trace

__all__ = ["Call", "Crash", "Trace", "crash_points", "find_obstacle", "trace"]
