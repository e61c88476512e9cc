"""What our modules import: asked of a running hook, and read in the source."""

import ast
import subprocess
from pathlib import Path

import thruline
from tests.hooks.conftest import Hook

SOURCE = Path(thruline.__file__).parent

# The stub leaves by os._exit, so its last two steps are taken here and the modules listed after them.
PROBE = """
import sys
bare = set(sys.modules)
sys.path.append(sys.argv.pop(1))
from thruline.hooks.door import main
main(sys.argv.pop(1))
added = sorted(set(sys.modules) - bare)
files = sorted(str(getattr(sys.modules[name], "__file__", "")) for name in added if not name.startswith("thruline"))
import os
os.write(2, repr((added, files)).encode())
"""


def find_added(hook: Hook, harness: str, event: str, payload: bytes) -> tuple[list[str], list[str], bytes]:
    """The modules that one event adds to a bare interpreter, the files of those that are not ours, and the answer."""
    command = [hook.command[0], "-I", "-S", "-c", PROBE, str(SOURCE.parent), str(hook.state), harness, event]
    done = subprocess.run(command, input=payload, capture_output=True, check=True)
    added, files = ast.literal_eval(done.stderr.decode())
    return added, files, done.stdout


def drop_types(tree: ast.Module) -> ast.Module:
    """The module without what only a type checker reads."""
    tree.body = [
        node
        for node in tree.body
        if not (isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING")
    ]
    return tree


def find_imports(path: Path) -> set[str]:
    """The modules that a file of ours imports, wherever it does."""
    found = set()
    for node in ast.walk(drop_types(ast.parse(path.read_text()))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module or "")
    return found


def find_file(module: str) -> Path:
    """Where a module of ours lies."""
    path = SOURCE.parent / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
