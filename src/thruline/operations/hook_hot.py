"""`hook/hot`: the modules that every hook imports, in one file of bytecode without docstrings.

Finding and opening a dozen small files costs a hook a tenth of its time. The file is a cache and nothing more: it is
used by the Python that made it, while the sources are those it was made of, and only while the package is there.
"""

import marshal
import os
import sys

# In no order. What only some events need (`spool`, `worker`, `ready`) is unpacked when it is imported.
MODULES = (
    "",
    "harnesses",
    "harnesses.wiring",
    "hooks",
    "hooks.door",
    "hooks.event",
    "hooks.handlers",
    "hooks.loop",
    "hooks.payload",
    "hooks.ready",
    "hooks.spool",
    "hooks.statusline",
    "hooks.worker",
    "layout",
    "layout.hook",
    "layout.names",
    "layout.project",
    "layout.root",
    "layout.user",
    "pressure",
    "process",
    "scan",
)

# Run by the stub, with `codes` in its sight: a finder for these modules before all others. The door's own file is
# looked at once, for a package that is gone must leave a hook silent. A module is given its `__file__` here: where the
# spec says that it has a place, importlib works out the name of a bytecode file for each, and nobody asks for that.
_LOADER = """
class Hot:
    loads = __import__("marshal").loads
    codes = codes
    spec = type(sys.__spec__)

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        found = cls.codes.get(name)
        if found is None:
            return None
        made = cls.spec(name, cls, origin=found[0], is_package=found[1])
        if found[1]:
            made.submodule_search_locations = [os.path.dirname(found[0])]
        return made

    @staticmethod
    def create_module(spec):
        return None

    @classmethod
    def exec_module(cls, module):
        module.__file__, _, code = cls.codes[module.__name__]
        exec(cls.loads(code), module.__dict__)


os.stat(codes["thruline.hooks.door"][0])
sys.meta_path.insert(0, Hot)
"""


def build_hot(folder: str) -> bytes:
    """The file for the package in `folder`, of the sources as they are."""
    codes = {}
    for name in _find_modules(folder):
        path = _find_path(folder, name)
        with open(path, encoding="utf-8") as file:
            code = compile(file.read(), path, "exec", dont_inherit=True, optimize=2)
        whole = f"thruline.{name}" if name else "thruline"
        codes[whole] = (path, os.path.basename(path) == "__init__.py", marshal.dumps(code))
    loader = compile(_LOADER, "<hot>", "exec", dont_inherit=True)
    return marshal.dumps(((find_stamp(folder), sys.hexversion), loader, codes))


def find_stamp(folder: str) -> int:
    """A number that changes when one of the sources does."""
    stamp = 0
    for name in _find_modules(folder):
        try:
            found = os.stat(_find_path(folder, name))
        except OSError:
            continue
        stamp ^= hash((found.st_mtime_ns, found.st_size))
    return stamp


def _find_modules(folder: str) -> list[str]:
    """The hot modules, and the wire of every client that has one."""
    top = os.path.join(folder, "thruline", "harnesses")
    try:
        clients = sorted(name for name in os.listdir(top) if os.path.exists(os.path.join(top, name, "wire.py")))
    except OSError:
        clients = []
    return [*MODULES, *(f"harnesses.{one}{rest}" for one in clients for rest in ("", ".wire"))]


def _find_path(folder: str, name: str) -> str:
    path = os.path.join(folder, "thruline", *name.split("."))
    inside = os.path.join(path, "__init__.py")
    return inside if os.path.isdir(path) else path + ".py"
