"""Whether the stub that clients call is of an older version. Asked by every command, so it costs one small read."""

import os

import thruline
from thruline.layout import UserPaths
from thruline.operations.hook_entry import render_stub

# What an uninstallation leaves: clients that run read their settings before it, and still call the stub. Python ends
# with 2 where a script is missing, and to some clients a hook that ends with 2 has said no.
SILENT = """\
# Left by `thruline uninstall` for clients that still run; `thruline uninstall --purge` removes it.
import os

os._exit(0)
"""
_WRITTEN = "# Written by thruline "
_APPEND = "sys.path.append("


def needs_upkeep(user: UserPaths) -> bool:
    """Whether an older version wrote the stub, or the package that it names is gone.

    A newer version's stub stays: two environments that are used in turn must not write it back and forth.
    """
    try:
        with open(user.hook_entry, encoding="utf-8", errors="surrogateescape") as file:
            stub = file.read(8192)
    except OSError:
        return False  # nothing is installed
    if stub == SILENT:
        return False
    if not os.path.exists(user.hook_python):
        return True
    if stub == render_stub(user.state):
        return False
    lines = stub.splitlines()
    version = next((line[len(_WRITTEN) :].split(";")[0].split()[0] for line in lines if line.startswith(_WRITTEN)), "")
    folder = next((line.strip()[len(_APPEND) : -1].strip("'\"") for line in lines if _APPEND in line), "")
    gone = not os.path.isdir(os.path.join(folder, "thruline")) if folder else True
    own = folder == os.path.dirname(os.path.dirname(os.path.abspath(thruline.__file__)))
    # The same package under the same version: its sources changed since, as they do while one works on them.
    changed = own and version == thruline.__version__
    return gone or changed or _order(version) < _order(thruline.__version__)


def _order(version: str) -> tuple[tuple[int, ...], bool]:
    # `1.2rc1` comes before `1.2`. No regular expression: every command comes by here.
    end = 0
    while end < len(version) and (version[end].isdigit() or version[end] == "."):
        end += 1
    return tuple(int(part) for part in version[:end].split(".") if part), end == len(version)
