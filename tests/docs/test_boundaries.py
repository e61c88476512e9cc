"""What thruline will not do, held by the source itself."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import thruline
from bench.monster import write_monster
from tests.docs.reading import read_transcript
from tests.tracer import trace

SOURCE = Path(thruline.__file__).parent
# The files of a harness that may write: into the client's settings and into folders of ours, never into a transcript.
WRITERS = {"install.py", "launch.py", "oneshot.py"}
READERS = sorted(
    path
    for path in [*SOURCE.glob("harnesses/**/*.py"), *SOURCE.glob("session/**/*.py"), *SOURCE.glob("spine/**/*.py")]
    if path.name not in WRITERS
)
CHANGING = {"chmod", "link", "mkdir", "makedirs", "remove", "removedirs", "rename", "renames", "replace", "rmdir",
            "symlink", "truncate", "unlink", "utime", "write"}  # fmt: skip
SCREENS = {"curses", "kivy", "prompt_toolkit", "PyQt5", "PyQt6", "PySide6", "textual", "tkinter", "urwid", "wx"}


def find_changes(text: str) -> Iterator[str]:
    """Each call in `text` that could change a file, and each import that could do it for them."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom | ast.Import):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            yield from (name for name in names if name.split(".")[0] in ("shutil", "tempfile", "mmap", "subprocess"))
            yield from (name for name in names if name.startswith("thruline.disk"))
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        if isinstance(function, ast.Name) and function.id == "open" and find_mode(node) not in ("r", "rb"):
            yield f"line {node.lineno}: open"
        if isinstance(function, ast.Attribute):
            owner = function.value.id if isinstance(function.value, ast.Name) else ""
            if owner == "os" and (function.attr in CHANGING or (function.attr == "open" and not is_read_only(node))):
                yield f"line {node.lineno}: os.{function.attr}"
            if function.attr in ("write_text", "write_bytes", "touch", "writelines", "ftruncate"):
                yield f"line {node.lineno}: {function.attr}"


def find_mode(call: ast.Call) -> str:
    given = [keyword.value for keyword in call.keywords if keyword.arg == "mode"] or call.args[1:2]
    return str(given[0].value) if given and isinstance(given[0], ast.Constant) else "?" if given else "r"


def is_read_only(call: ast.Call) -> bool:
    flags = {node.attr for node in ast.walk(call) if isinstance(node, ast.Attribute)}
    return "O_RDONLY" in flags and not flags & {"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"}


@pytest.mark.feature("F003-24", via="unit")
def test_what_reads_transcripts_has_no_way_to_change_a_file() -> None:
    assert READERS
    found = {str(path.relative_to(SOURCE)): list(find_changes(path.read_text(encoding="utf-8"))) for path in READERS}
    assert {name: changes for name, changes in found.items() if changes} == {}


@pytest.mark.parametrize(
    "code",
    [
        "open(p, 'w')",
        "open(p, mode='r+b')",
        "open(p, how)",
        "os.replace(a, b)",
        "os.open(p, os.O_RDONLY | os.O_CREAT)",
        "os.open(p, flags)",
        "path.write_text('x')",
        "import shutil",
        "from thruline.disk.atomic import write_bytes",
    ],
)
def test_a_change_would_be_found(code: str) -> None:
    assert list(find_changes(code))


@pytest.mark.parametrize("code", ["open(p)", "open(p, 'rb')", "os.open(p, os.O_RDONLY)", "'a'.replace('a', 'b')"])
def test_reading_is_no_change(code: str) -> None:
    assert not list(find_changes(code))


@pytest.mark.feature("F003-24", via="unit")
def test_reading_a_transcript_changes_nothing_in_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "0b7e5c1a-6a34-4b0e-9d0f-1c2d3e4f5a6b.jsonl"
    write_monster(path, 0.3)
    seen = trace(read_transcript, str(path))
    assert seen.error is None
    assert seen.value > 10
    assert [call for call in seen.named("open", "openat") if call.path == str(path)]
    assert seen.changes(below=str(tmp_path)) == []


@pytest.mark.feature("F003-24", via="unit")
def test_there_is_no_screen_of_our_own() -> None:
    imported = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add((node.module or "").split(".")[0])
    assert "click" in imported
    assert not imported & SCREENS
