"""Nothing but the gate can call a model: who may reach a network, a program or an engine, is a closed list.

Every module is judged by its own text. What is not in a list here is not allowed, so a new library or a new caller has
to be written down before it can be used.
"""

import ast
import sys
from pathlib import Path

import pytest

import thruline
from thruline.engines.asker import MODULES

SOURCE = Path(thruline.__file__).parent
# Of the standard library, what can speak to anybody, start a program or load code that nobody sees here.
SPEAKING = {
    "socket", "_socket", "ssl", "_ssl", "http", "urllib", "asyncio", "socketserver", "selectors", "xmlrpc", "smtplib",
    "ftplib", "imaplib", "poplib", "nntplib", "telnetlib", "webbrowser", "wsgiref", "multiprocessing", "pty",
    "_posixsubprocess", "_winapi", "posix", "nt", "code", "codeop", "idlelib", "pip", "ensurepip", "venv",
    "ctypes", "_ctypes", "pkgutil", "zipimport", "imp", "builtins", "inspect", "pickle", "_pickle", "shelve",
}  # fmt: skip
PURE = {"urllib.parse"}  # text in, text out
LATER = {"_sha2"}  # of the standard library too, since 3.12
# Libraries of others: who may import which. A provider's own belongs nowhere.
LIBRARIES = {
    "click": "cli/",
    "rich": "cli/",
    "msgspec": "harnesses/",
    "backports": "ark/",
    "compression": "ark/",
    "httpx2": "engines/api/library.py",
    "pydantic_ai": "engines/api/library.py",
}
MAY_SPEAK = {
    "engines/api/library.py": {"asyncio"},
    "disk/transaction/boot.py": {"ctypes"},  # the system is asked when it started
    "disk/transaction/mount.py": {"ctypes"},  # and which disk a folder is on
    "operations/sessions/compactions.py": {"pickle"},  # what we kept ourselves, below the user's own folder
    "operations/work/reading.py": {"pickle"},
}
MAY_LOAD = {  # code by a name that is made while running
    "cli/quick.py", "cli/command.py", "cli/door.py", "hooks/event.py", "harnesses/capability.py",
    "operations/hook_hot.py", "engines/gate.py", "cli/settings.py", "value.py",
}  # fmt: skip
MAY_RUN = {
    "gitfacts/program.py": "git",
    "child.py": "what RUNNERS run",
    "operations/statusline.py": "our own status line, for a preview",
    "operations/clipboard.py": "the system's own program that fills the clipboard",
}
MAY_BECOME = {
    "hooks/theirs.py": "a status line that the user had before ours",
    "hooks/worker.py": "our own worker",
    "operations/install/handing_over.py": "another thruline, which is newer",
    "operations/packets/opening.py": "a client, opened for a person",
    "cli/bench.py": "our own benchmarks, from a checkout",
    "operations/sessions/reading_aside.py": "nothing else: a fork of ours that reads a transcript",
}
RUNNERS = {
    "cli/handoff_engine.py": "nothing itself: it heeds requests to end while clients run",
    "engines/command.py": "headless clients, through the gate",
    "operations/packets/validating.py": "the validators of a packet, when a person asks for it",
    "engines/drive.py": "turns of the user's own session for `loop run`, through the meter",
    "hooks/loop_until.py": "the command of a loop's --until, which its user gave",
    "operations/loops/running.py": "nothing; it heeds requests to end while a client is driven",
    "operations/loops/until.py": "the command of a loop's --until, where the loop is driven",
    "operations/loops/run_note.py": "nothing; it ends what a killed driver left running",
}
ASKERS = {"cli/handoff_engine.py", "operations/handoff/ask.py", "operations/handoff/engine.py"}
# Modules that are only ever named in front of a dot, so that what is taken from them can be read here.
HIDING = ("__builtins__", "__loader__", "__spec__", "__globals__", "__subclasses__")
LOADING = ("modules", "util", "machinery", "meta_path", "path_hooks")
NAMED = ("os", "sys", "subprocess", "importlib", "runpy")
STARTING = ("system", "popen", "startfile", "fork", "forkpty", "spawn", "exec", "posix_spawn")


def judge(name: str, text: str) -> list[str]:
    """What a module may not do and could."""
    tree = ast.parse(text)
    found = _find_imports(tree)
    bad = [f"imports {one}" for one in sorted(found) if not _may_import(name, one)]
    bad += _find_disguised(name, tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in HIDING and name not in MAY_LOAD:
            bad.append(node.attr)
        if isinstance(node, ast.Attribute):
            of = node.value.id if isinstance(node.value, ast.Name) else ""
            if of in ("os", "posix", "nt") and node.attr.startswith(STARTING) and name not in MAY_BECOME:
                bad.append(f"os.{node.attr}")
        called = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if called in ("import_module", "__import__", "exec", "eval", "run_path") and name not in MAY_LOAD | {
            *MAY_BECOME
        }:
            bad.append(called)
        if isinstance(node, ast.Name) and node.id == "compile" and name not in MAY_LOAD:
            bad.append("compile")
    return bad


def _find_disguised(name: str, tree: ast.AST) -> list[str]:
    """Modules under another name, or handed around as values: what is taken from them could not be read here."""
    bad = []
    asked = {id(node.args[0]) for node in ast.walk(tree) if isinstance(node, ast.Call) and _asks_for_a_name(node)}
    dotted = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            bad += [
                f"imports * from {node.module}"
                for one in node.names
                if isinstance(node, ast.ImportFrom) and one.name == "*"
            ]
        if isinstance(node, ast.Import):
            bad += [
                f"{one.name} as {one.asname}" for one in node.names if one.asname and one.name.split(".")[0] in NAMED
            ]
        if isinstance(node, ast.Name) and node.id in NAMED and id(node) not in dotted | asked:
            bad.append(f"{node.id} as a value")
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in NAMED:
            bad += (
                [f"{node.value.id}.{node.attr}"]
                if node.attr.startswith("__") or (node.attr in LOADING and name not in MAY_LOAD)
                else []
            )
        if isinstance(node, ast.Name) and node.id in ("__builtins__", "__loader__", "__spec__", "globals", "vars"):
            bad.append(node.id)
    return bad


def _asks_for_a_name(call: ast.Call) -> bool:
    """Whether this is `getattr(os, "O_BINARY", 0)` or `hasattr`, with a name that can be read and starts nothing."""
    if not (isinstance(call.func, ast.Name) and call.func.id in ("getattr", "hasattr") and len(call.args) > 1):
        return False
    told = call.args[1].value if isinstance(call.args[1], ast.Constant) else None
    return isinstance(told, str) and not told.startswith((*STARTING, *LOADING, "__"))


def _find_imports(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "no import by a relative name"
            assert node.module
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def _may_import(name: str, one: str) -> bool:
    top = one.split(".")[0]
    if top == "thruline":
        return _may_import_ours(name, one)
    if top not in sys.stdlib_module_names | LATER:
        return name.startswith(LIBRARIES.get(top, "\0"))
    if any(one == pure or one.startswith(f"{pure}.") for pure in PURE) or (top == "urllib" and one == "urllib"):
        return True
    if top in SPEAKING:
        return top in MAY_SPEAK.get(name, ())
    if top == "subprocess":
        return name in MAY_RUN
    if top == "runpy":
        return name in MAY_BECOME
    if top == "importlib":
        return one.startswith("importlib.resources") or one == "importlib"
    return not (top == "os" and one.removeprefix("os.").startswith(STARTING)) or name in MAY_BECOME


def _may_import_ours(name: str, one: str) -> bool:
    engines = set(MODULES.values())
    if any(one == engine or one.startswith(f"{engine}.") for engine in engines):
        return any(name.startswith(engine.removeprefix("thruline.").replace(".", "/")) for engine in engines)
    if one.startswith("thruline.engines.gate"):
        return name in ASKERS
    if one.startswith("thruline.engines.drive"):
        return name == "operations/loops/running.py"
    return not one.startswith("thruline.child") or name in RUNNERS


def sources() -> dict[str, str]:
    return {path.relative_to(SOURCE).as_posix(): path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}


def test_no_module_can_do_what_it_is_not_listed_for() -> None:
    assert {name: bad for name, text in sources().items() if (bad := judge(name, text))} == {}


@pytest.mark.parametrize(
    "text",
    [
        "import httpx2",
        "import httpx",
        "import anthropic",
        "import litellm",
        "from urllib.request import urlopen",
        "import urllib.request",
        "import asyncio",
        "import asyncio.subprocess",
        "import multiprocessing",
        "import subprocess",
        "import os\nos.system('client -p hello')",
        "import os\nos.popen('client')",
        "import os\nos.execvp('client', [])",
        "import os\nos.posix_spawn('/client', [], {})",
        "import os\nos.spawnlp(0, 'client')",
        "from os import system",
        "from os import posix_spawnp as start",
        "import importlib\nimportlib.import_module('thruline.engines.api')",
        "__import__('socket')",
        "exec('import socket')",
        "from thruline.engines.gate import Gate",
        "from thruline.engines import gate",
        "import thruline.engines.command",
        "from thruline.engines.api import open_asker",
        "from thruline.engines.drive import open_driver",
        "from thruline.child import run_child",
        "import webbrowser",
        "import pty",
        "import os as o\no.system('client -p x')",
        "from os import *\nsystem('x')",
        "import os\ngetattr(os, 'system')('x')",
        "import os\nvars(os)['system']('x')",
        "import os\no = os\no.system('x')",
        "import os\nos.__dict__['system']('x')",
        "import sys\nsys.modules['os'].system('x')",
        "import ctypes\nctypes.CDLL(None).system(b'x')",
        "import pkgutil\npkgutil.resolve_name('os:system')('x')",
        "import importlib.util\nimportlib.util.spec_from_file_location('x', '/x')",
        "from importlib import util",
        "from importlib.machinery import SourceFileLoader",
        "__builtins__['__import__']('socket')",
        "import builtins\nbuiltins.exec('x')",
        "from operator import attrgetter\nimport os\nattrgetter('system')(os)('x')",
        "import subprocess as quiet",
        "import pickle",
        "().__class__.__base__.__subclasses__()",
    ],
)
def test_a_module_that_tries_is_found(text: str) -> None:
    assert judge("operations/planted.py", text) != []


def test_the_lists_name_nobody_who_is_gone() -> None:
    names = set(sources())
    assert {*MAY_SPEAK, *MAY_LOAD, *MAY_RUN, *MAY_BECOME, *RUNNERS, *ASKERS} <= names
    imports = {name: _find_imports(ast.parse(text)) for name, text in sources().items()}
    assert {name for name, found in imports.items() if "thruline.child" in found} == set(RUNNERS)
    assert {name for name, found in imports.items() if "thruline.engines.gate" in found} == ASKERS


def test_only_the_gate_opens_an_engine_and_only_after_the_meter() -> None:
    opened = [name for name, text in sources().items() if "import_module(MODULES" in text]
    assert opened == ["engines/gate.py"]
    text = sources()["engines/gate.py"]
    assert "def open_asker" not in text, "whoever imports the gate cannot go round it"
    assert text.index("check_enabled()") < text.index("self._meter.reserve(") < text.index("asker.ask(")


def test_a_client_s_one_shot_is_reached_by_the_command_engine_alone() -> None:
    for name, text in sources().items():
        if name != "engines/command.py" and not name.startswith("harnesses/"):
            assert "oneshot" not in text, name


def test_only_a_run_of_a_loop_drives_a_client_and_it_passes_the_meter() -> None:
    text = sources()["engines/drive.py"]
    assert text.index("meter.check_enabled()") < text.index("meter.reserve(") < text.index("run_child(\n")
    for name, other in sources().items():
        if name != "engines/drive.py" and not name.startswith("harnesses/"):
            assert '.drive"' not in other, name
