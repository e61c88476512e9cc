"""`hook/hot`: the modules that every hook imports, in one file of bytecode without docstrings.

Finding and opening a dozen small files costs a hook a tenth of its time. The file is a cache and nothing more: it is
used by the Python that made it, while the sources are those it was made of, and only while the package is there.

Its head (the stamp, the loader, where what lies) is all that every hook reads; behind it lie packs, modules that are
needed together, each read as a whole when its event, its client or one of its modules is asked for.
"""

import marshal
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

HEAD = 12_288  # bytes, the same for ever: the stub reads so many
# What the door imports for every event, in that order: each after those that it imports itself.
_DOOR = (
    "",
    "scan",
    "hooks",
    "hooks.payload",
    "layout",
    "layout.hook",
    "layout.names",
    "layout.root",
    "hooks.event",
    "hooks.handlers",
    "harnesses",
    "harnesses.wiring",
    "hooks.door",
)
_SPOOL = ("process", "hooks.spool")
_WORKER = ("hooks.worker",)
_STOP = ("layout.project", "hooks.loop")
# What the end of a turn imports in a loop.
_POINTER = ("artifacts", "artifacts.stamp", "artifacts.loop_pointer")
_DISK = ("disk", "disk.faults", "disk.own", "disk.lock", "disk.temps", "disk.replace")
_LOOP = (
    "artifacts.scalar_text",
    "artifacts.loop_step",
    "artifacts.loop_leave",
    "artifacts.loop_plain",
    "hooks.loop_turn",
)
_ROW = ("hooks.loop_row",)  # of a client that counts prompts in a row; a tool's event may need it too
_START = ("hooks.loop_start",)
_SCANNER = tuple(
    f"artifacts.frontmatter{name}" for name in (".scalar", ".fields", ".sections", ".edit", "")
)  # of a loop that a person changed
_PACKS = (
    _DOOR,
    _SPOOL,
    _WORKER,
    _STOP,
    _POINTER,
    _DISK,
    _LOOP,
    _ROW,
    _START,
    _SCANNER,
    ("errors",),
    ("hooks.ready",),
    ("hooks.statusline",),
    ("pressure",),
)
# What comes in the same breath, in that order.
_BEFORE: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {_LOOP: (_POINTER, _DISK, _ROW)}
# What an event surely imports besides: put in its place at once, as the door is, without importlib, whose way there
# costs more than these modules do.
_EVENTS = {
    "session_start": (_SPOOL, _STOP),
    "session_end": (_SPOOL, _WORKER),
    "prompt": (_SPOOL,),
    "turn_end": (_SPOOL, _WORKER, _STOP),
    "before_compact": (_SPOOL, _WORKER),
    "after_compact": (_SPOOL, _WORKER),
    "subagent_start": (_SPOOL,),
    "subagent_end": (_SPOOL,),
}

# Run by the stub, with `known` (what the head holds besides) and `hot` (the open file) in its sight: a finder for these
# modules before all others. The door's own file is looked at once, for a package that is gone must leave a hook silent.
# A module is given its `__file__` here: where the spec says that it has a place, importlib works out the name of a
# bytecode file for each, and nobody asks for that. All modules of a pack are there before the first one runs, for a
# package runs after what it imports from itself. What is asked for later is opened again (the start of a worker closes
# whatever is open), and by then an upgrade may have put another file there: its packs end with another mark.
_LOADER = """
class Hot:
    loads = __import__("marshal").loads
    mark, folder, packs, wanted, libraries = known
    library = sys.modules["_frozen_importlib_external"].ExtensionFileLoader
    spec = type(sys.__spec__)
    module = type(sys)
    path = hot.name

    @classmethod
    def unpack(cls, numbers, file):
        for number in numbers:
            start, size, names, before = cls.packs[number]
            if names[0][0] not in sys.modules:
                yield from cls.unpack(before, file)
                file.seek(start)
                data = file.read(size)
                if not data.endswith(cls.mark):
                    return
                yield names, cls.loads(data)

    @classmethod
    def put(cls, packs):
        for names, codes in packs:
            for name, file in names:
                module = sys.modules.get(name)
                if module is None:
                    module = sys.modules[name] = cls.module(name)
                module.__file__ = cls.folder + file
                if file.endswith("__init__.py"):
                    module.__package__, module.__path__ = name, [os.path.dirname(module.__file__)]
                else:
                    module.__package__ = name.rpartition(".")[0]
            for (name, _), code in zip(names, codes):
                above, _, last = name.rpartition(".")
                if above:
                    if above not in sys.modules:
                        __import__(above)
                    setattr(sys.modules[above], last, sys.modules[name])
                exec(code, sys.modules[name].__dict__)

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        found = cls.libraries.get(name, "")
        if found and os.path.exists(found):
            return cls.spec(name, cls.library(name, found), origin=found)
        for number, (_, _, names, _) in enumerate(cls.packs):
            for each, file in names:
                if each == name:
                    with open(cls.path, "rb", 0) as found:
                        packs = list(cls.unpack([number], found))
                    if not packs or packs[-1][0] is not names:
                        return None
                    made = cls.spec(name, cls, origin=cls.folder + file, is_package=file.endswith("__init__.py"))
                    if made.submodule_search_locations is not None:
                        made.submodule_search_locations.append(os.path.dirname(made.origin))
                    made.loader_state = packs
                    return made

    @staticmethod
    def create_module(spec):
        return None

    @classmethod
    def exec_module(cls, module):
        cls.put(module.__spec__.loader_state)


os.stat(Hot.folder + Hot.packs[0][2][-1][1])
sys.meta_path.insert(0, Hot)
Hot.put(Hot.unpack([0, *[each for word in sys.argv[1:3] for each in Hot.wanted.get(word, ())]], hot))
hot.close()
"""


def build_hot(folder: str) -> bytes:
    """The file for the package in `folder`, of the sources as they are."""
    made = (find_stamp(folder), sys.hexversion)
    mark = marshal.dumps(made)
    packs: list[tuple[int, int, tuple[tuple[str, str], ...], tuple[int, ...]]] = []
    pieces: list[bytes] = []
    start = HEAD
    clients = _find_clients(folder)
    every = [*_PACKS, *(_build_client_pack(client) for client in clients)]
    for names in every:
        files = [(f"thruline.{name}".rstrip("."), _find_path(folder, name)) for name in names]
        piece = marshal.dumps(tuple(_compile(folder + path) for _, path in files)) + mark
        packs.append((start, len(piece), tuple(files), tuple(map(every.index, _BEFORE.get(names, ())))))
        pieces.append(piece)
        start += len(piece)
    wanted = {event: tuple(every.index(pack) for pack in packs) for event, packs in _EVENTS.items()}
    wanted |= {client.replace("_", "-"): (every.index(_build_client_pack(client)),) for client in clients}
    loader = compile(_LOADER, "<hot>", "exec", dont_inherit=True)
    head = marshal.dumps((made, loader, (mark, folder, tuple(packs), wanted, _find_libraries())))
    if len(head) > HEAD:
        return b""  # hooks do without
    return b"".join((head.ljust(HEAD, b"\0"), *pieces))


def _find_libraries() -> dict[str, str]:
    """Where the parts of Python lie that every hook loads: looking for them costs as much as loading them."""
    found = {}
    for name in ("_json", "fcntl"):
        try:
            path = getattr(__import__(name), "__file__", "")  # none where it is built in
        except ImportError:
            continue  # another Python, or Windows
        if path:
            found[name] = path
    return found


def find_stamp(folder: str) -> int:
    """A number that changes when one of the sources does."""
    stamp = 0
    clients = (_build_client_pack(client) for client in _find_clients(folder))
    for name in [name for pack in (*_PACKS, *clients) for name in pack]:
        try:
            found = os.stat(folder + _find_path(folder, name))
        except OSError:
            continue
        stamp ^= hash((found.st_mtime_ns, found.st_size))
    return stamp


def _find_clients(folder: str) -> list[str]:
    """The packages of the clients that have a wire."""
    top = os.path.join(folder, "thruline", "harnesses")
    try:
        return sorted(name for name in os.listdir(top) if os.path.exists(os.path.join(top, name, "wire.py")))
    except OSError:
        return []


def _build_client_pack(client: str) -> tuple[str, ...]:
    return f"harnesses.{client}", f"harnesses.{client}.wire"


def _find_path(folder: str, name: str) -> str:
    """Where the module lies, from `folder` on."""
    path = os.path.join(os.sep, "thruline", *name.split("."))
    return os.path.join(path, "__init__.py") if os.path.isdir(folder + path) else path + ".py"


def _compile(path: str) -> "CodeType":
    """The bytecode without docstrings and without what only a type checker reads: a tenth less to unpack."""
    import ast  # here and not on top: every command asks whether the stub is up to date, and few write it

    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read(), path)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = [ast.copy_location(ast.Pass(), node)]
    return compile(tree, path, "exec", dont_inherit=True, optimize=2)
