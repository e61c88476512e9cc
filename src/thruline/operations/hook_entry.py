"""What a harness runs for every event: a stub that names this package's folder, and a link to an interpreter.

Both lie in the user's state, so that the command written into a client's settings never changes: an upgrade, another
environment or another Python rewrites these files and nothing else. Beside them lies `hot`, the modules of the hot path
as one file of bytecode (operations/hook_hot.py).
"""

import os
import sys

import thruline
from thruline.disk.atomic import build_temp_name, make_folders, remove_quietly, write_bytes
from thruline.layout import UserPaths
from thruline.operations.hook_hot import HEAD, build_hot, find_stamp

# A script is compiled on every run and a module only once, so the stub holds nothing but the way to the module.
# The package's folder comes last in the path: no neighbour of ours may stand in for a standard module.
# `hot` is used where it was made of these very files by this very Python, and passed over wherever it is not.
# os._exit skips the interpreter's goodbye, which costs time and could still complain about a closed pipe.
STUB = """\
# Written by thruline {version}; `thruline install` writes it again. Called with a harness and an event, exits 0 always.
import os
import sys

try:
    sys.path.append({folder!r})
    try:
        hot = open({hot!r}, "rb", 0)
        made, load, known = __import__("marshal").loads(hot.read({head}))
        made == ({stamp}, sys.hexversion) and exec(load)
    except (OSError, ValueError, EOFError, TypeError):
        pass
    from thruline.hooks.door import main

    main({state!r}, {python!r})
except BaseException:
    pass  # the package is gone or broken: the session that runs this must not notice
os._exit(0)
"""


class HookEntry:
    """Where the stub and its interpreter are: what a client's settings call.

    No dataclass: every command asks whether the stub is up to date, and would pay for that import.
    """

    __slots__ = ("python", "script")

    def __init__(self, python: str, script: str) -> None:
        self.python = python
        self.script = script

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HookEntry) and (self.python, self.script) == (other.python, other.script)

    def __hash__(self) -> int:
        return hash((self.python, self.script))


def write_entry(state_dir: str) -> HookEntry:
    """Writes `hook/entry.py` and `hook/python` under `state_dir`, each whole or not at all."""
    paths = UserPaths(os.path.abspath(state_dir), "")
    make_folders(paths.hook, 0o700)
    write_bytes(paths.hook_hot, build_hot(_find_folder()), mode=0o600)
    write_bytes(paths.hook_entry, render_stub(paths.state).encode("utf-8", "surrogateescape"))
    write_link(paths.hook_python, find_interpreter())
    return HookEntry(python=paths.hook_python, script=paths.hook_entry)


def render_stub(state: str) -> str:
    """The stub that runs this very package for the state folder `state`."""
    folder = _find_folder()
    return STUB.format(
        version=thruline.__version__,
        folder=folder,
        hot=UserPaths(state, "").hook_hot,
        head=HEAD,
        stamp=find_stamp(folder),
        state=state,
        python=sys.executable,
    )


def _find_folder() -> str:
    return os.path.dirname(os.path.dirname(os.path.abspath(thruline.__file__)))


def find_interpreter() -> str:
    """The interpreter under the environment that runs us.

    Hooks run without site-packages, so the environment's own link adds nothing, and its base outlives the environment:
    the stub can still say nothing politely where a dangling link would make the client complain.
    """
    base = getattr(sys, "_base_executable", "") or sys.executable
    return base if os.access(base, os.X_OK) else sys.executable


def write_link(path: str, target: str) -> None:
    """Makes `path` a link to `target`; on Windows, where links need a privilege, a file that holds the target."""
    if sys.platform == "win32":
        write_bytes(path, target.encode("utf-8"))
        return
    temp = os.path.join(os.path.dirname(path), build_temp_name())
    try:
        os.symlink(target, temp)
        os.replace(temp, path)
    except BaseException:
        remove_quietly(temp)
        raise
