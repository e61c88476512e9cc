"""`hook/hot`: the modules that every hook imports, in one file of bytecode without docstrings.

Finding and opening a dozen small files costs a hook a tenth of its time. The file is a cache and nothing more: it is
used by the Python that made it, while the sources are those it was made of, and only while the package is there.
"""

import marshal
import os
import sys

# What the door imports for every event, in that order: each after those that it imports itself.
_DOOR = (
    "scan",
    "hooks.payload",
    "layout.hook",
    "layout.names",
    "layout.user",
    "layout.root",
    "layout.project",
    "layout",
    "hooks.event",
    "hooks.handlers",
)
# What the end of a turn in a loop imports besides, in that order.
_LOOP = (
    "artifacts.stamp",
    "artifacts.loop_pointer",
    "errors",
    "artifacts.frontmatter.scalar",
    "artifacts.frontmatter.fields",
    "artifacts.frontmatter.sections",
    "artifacts.frontmatter.edit",
    "artifacts.frontmatter",
    "disk",
    "disk.faults",
    "disk.own",
    "disk.lock",
    "disk.temps",
    "disk.atomic",
    "artifacts.loop_leave",
    "artifacts.loop_step",
    "disk.inside",
)
_BEFORE = {"hooks.door": _DOOR, "hooks.loop_turn": _LOOP}
# The rest in no order. What only some events need (`spool`, `worker`, `ready`) is unpacked when it is imported.
MODULES = (
    "",
    "artifacts",
    "harnesses",
    "harnesses.wiring",
    "hooks",
    "hooks.door",
    "hooks.loop",
    "hooks.loop_row",
    "hooks.loop_turn",
    "hooks.ready",
    "hooks.spool",
    "hooks.statusline",
    "hooks.worker",
    "pressure",
    "process",
    *_DOOR,
    *_LOOP,
)

# Run by the stub, with `codes` in its sight: a finder for these modules before all others. The door's own file is
# looked at once, for a package that is gone must leave a hook silent. A module is given its `__file__` here: where the
# spec says that it has a place, importlib works out the name of a bytecode file for each, and nobody asks for that.
# Modules that are known to come before another are put in their places without importlib, whose way there costs more
# than they do; all are there before the first one runs, for a package runs after what it imports from itself.
_LOADER = """
class Hot:
    loads = __import__("marshal").loads
    codes = codes
    spec = type(sys.__spec__)
    module = type(sys)

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
        module.__file__, _, code, before = cls.codes[module.__name__]
        cls.put([name for name in before if name not in sys.modules])
        exec(cls.loads(code), module.__dict__)

    @classmethod
    def put(cls, names):
        for name in names:
            module = sys.modules[name] = cls.module(name)
            module.__file__, package, _, _ = cls.codes[name]
            module.__package__, _, _ = name.rpartition(".")
            if package:
                module.__package__, module.__path__ = name, [os.path.dirname(module.__file__)]
        for name in names:
            above, _, last = name.rpartition(".")
            setattr(sys.modules[above], last, sys.modules[name])
            exec(cls.loads(cls.codes[name][2]), sys.modules[name].__dict__)


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
        before = tuple(f"thruline.{each}" for each in _BEFORE.get(name, ()))
        codes[f"thruline.{name}".rstrip(".")] = (
            path,
            os.path.basename(path) == "__init__.py",
            marshal.dumps(code),
            before,
        )
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
