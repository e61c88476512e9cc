"""The stub and its link: what a client's settings call, the same before and after every upgrade."""

import ast
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import thruline
from tests.hooks.conftest import WIRED, Hook
from tests.tracer import find_obstacle, trace
from thruline.hooks.handlers import HANDLERS
from thruline.operations.hook_entry import find_interpreter, render_stub, write_entry, write_link

NAMES = ['it\'s "quoted"', "back\\slash", "new\nline", "ünïcode", os.fsdecode(b"b\xff"), "{0}"]


def test_the_two_files_are_where_settings_look_for_them(tmp_path: Path):
    entry = write_entry(str(tmp_path / "state"))
    assert entry.python == str(tmp_path / "state" / "hook" / "python")
    assert entry.script == str(tmp_path / "state" / "hook" / "entry.py")
    assert os.listdir(tmp_path / "state") == ["hook"]
    assert sorted(os.listdir(tmp_path / "state" / "hook")) == ["entry.py", "hot", "python"]
    assert (tmp_path / "state" / "hook").stat().st_mode & 0o777 == 0o700


def test_writing_twice_changes_nothing(tmp_path: Path):
    first = write_entry(str(tmp_path))
    before = (Path(first.script).read_bytes(), os.readlink(first.python))
    again = write_entry(str(tmp_path))
    assert (again.script, again.python) == (first.script, first.python)
    assert (Path(first.script).read_bytes(), os.readlink(first.python)) == before


def test_a_relative_state_folder_is_written_as_an_absolute_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    entry = write_entry("state")
    assert entry.script == str(tmp_path / "state" / "hook" / "entry.py")
    assert repr(str(tmp_path / "state")) in Path(entry.script).read_text()


def test_the_stub_stays_short():
    assert len(render_stub("/state").splitlines()) <= 19


@pytest.mark.parametrize(
    "name", ['it\'s "quoted"', "back\\slash", "new\nline", "ünïcode", os.fsdecode(b"b\xff"), "{0}"]
)
def test_any_folder_name_is_quoted_right(tmp_path: Path, name: str):
    entry = write_entry(str(tmp_path / name))
    subprocess.run([entry.python, "-I", "-S", entry.script, "client", "prompt"], input=b"garbage", check=True)
    assert (tmp_path / name / "logs" / "hook-errors.jsonl").exists()


@pytest.mark.parametrize("name", NAMES)
def test_any_package_folder_is_quoted_right(monkeypatch: pytest.MonkeyPatch, name: str):
    monkeypatch.setattr(thruline, "__file__", f"/{name}/thruline/__init__.py")
    constants = {node.value for node in ast.walk(ast.parse(render_stub("/state"))) if isinstance(node, ast.Constant)}
    assert {f"/{name}", "/state", sys.executable} <= constants


def test_the_link_names_the_interpreter_under_the_environment(tmp_path: Path):
    entry = write_entry(str(tmp_path))
    target = os.readlink(entry.python)
    assert target == find_interpreter()
    assert not target.startswith(sys.prefix + os.sep) or sys.prefix == sys.base_prefix
    version = [entry.python, "-I", "-S", "-c", "import sys; print(*sys.version_info[:3])"]
    assert subprocess.check_output(version, text=True).split() == [str(part) for part in sys.version_info[:3]]


def test_a_link_is_replaced_in_one_step(tmp_path: Path):
    link = tmp_path / "python"
    write_link(str(link), "/one")
    write_link(str(link), "/two")
    assert os.readlink(link) == "/two"
    assert os.listdir(tmp_path) == ["python"]


def test_a_link_that_cannot_be_written_leaves_the_old_one(tmp_path: Path):
    (tmp_path / "python").mkdir()
    (tmp_path / "python" / "kept").write_text("")
    with pytest.raises(OSError, match="python"):
        write_link(str(tmp_path / "python"), "/one")
    assert os.listdir(tmp_path) == ["python"]


def run_stub(entry: object, event: str = "prompt") -> "subprocess.CompletedProcess[bytes]":
    command = [entry.python, "-I", "-S", entry.script, "client", event]  # type: ignore[attr-defined]
    return subprocess.run(command, input=b"garbage", capture_output=True, check=False)


def find_opened(entry: object, ending: str) -> list[str]:
    """The sources and bytecode of ours that a hook opened."""
    command = [entry.python, "-I", "-S", entry.script, "client", "prompt"]  # type: ignore[attr-defined]
    seen = trace(["sh", "-c", f"echo garbage | {shlex.join(command)}"])
    return [
        call.path for call in seen if call.name.startswith("open") and call.result >= 0 and call.path.endswith(ending)
    ]


@pytest.mark.skipif(bool(find_obstacle()), reason="system calls cannot be traced here")
def test_the_hot_path_is_one_file_of_bytecode(tmp_path: Path):
    entry = write_entry(str(tmp_path))
    ours = [path for path in find_opened(entry, ".pyc") if "thruline" in path]
    assert [path for path in ours if "/hooks/" in path and "trouble" not in path] == []
    os.remove(tmp_path / "hook" / "hot")
    assert any("/hooks/" in path for path in find_opened(entry, ".pyc"))


@pytest.mark.skipif(bool(find_obstacle()), reason="system calls cannot be traced here")
@pytest.mark.parametrize("harness", WIRED)
def test_no_event_opens_a_file_of_the_package(hook: Hook, harness: str):
    ours = str(Path(thruline.__file__).parent)
    payload = hook.project / "payload"
    payload.write_bytes(hook.build(tool_name="Bash", tool_input={"command": "make"}))
    for event in HANDLERS:
        command = shlex.join([*hook.command, harness, event])
        seen = trace(["sh", "-c", f"{command} < {shlex.quote(str(payload))}"])
        opened = [call.path for call in seen if call.name.startswith("open") and call.result >= 0]
        assert any(path == hook.paths.hook_hot for path in opened), event
        assert [path for path in opened if path.startswith(ours)] == [], event
    assert hook.read_troubles() == []


@pytest.mark.parametrize("data", [None, b"", b"garbage", b"N", b"\xe3" * 4096, b"(\x03\x00\x00\x00NNN"])
def test_a_hot_file_that_is_missing_or_broken_is_passed_over(tmp_path: Path, data: bytes | None):
    entry = write_entry(str(tmp_path))
    hot = tmp_path / "hook" / "hot"
    hot.unlink()
    if data is not None:
        hot.write_bytes(data)
    done = run_stub(entry)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (tmp_path / "logs" / "hook-errors.jsonl").exists()


def test_a_hot_file_of_other_sources_is_not_used(tmp_path: Path):
    package = tmp_path / "package"
    shutil.copytree(Path(thruline.__file__).parent, package / "thruline", ignore=shutil.ignore_patterns("__pycache__"))
    door = package / "thruline" / "hooks" / "door.py"
    write = "import sys; sys.path.insert(0, sys.argv[1]); from thruline.operations.hook_entry import write_entry; "
    write += "write_entry(sys.argv[2])"
    run = [sys.executable, "-c", write, str(package), str(tmp_path / "state")]
    subprocess.run(run, check=True)
    stub = tmp_path / "state" / "hook" / "entry.py"
    before = stub.read_text()
    door.write_text(door.read_text() + "\n# changed\n")
    subprocess.run(run, check=True)
    assert stub.read_text() != before, "another stamp"
    stub.write_text(before)  # as if its writer had been killed between the two files
    done = subprocess.run(
        [tmp_path / "state" / "hook" / "python", "-I", "-S", stub, "client", "prompt"], input=b"x", check=False
    )
    assert done.returncode == 0
    assert (tmp_path / "state" / "logs" / "hook-errors.jsonl").exists()


def test_with_the_package_gone_a_hook_is_silent_whatever_lies_beside_it(tmp_path: Path):
    package = tmp_path / "package"
    shutil.copytree(Path(thruline.__file__).parent, package / "thruline", ignore=shutil.ignore_patterns("__pycache__"))
    write = "import sys; sys.path.insert(0, sys.argv[1]); from thruline.operations.hook_entry import write_entry; "
    write += "write_entry(sys.argv[2])"
    subprocess.run([sys.executable, "-c", write, str(package), str(tmp_path / "state")], check=True)
    shutil.rmtree(package)
    stub = tmp_path / "state" / "hook" / "entry.py"
    python = tmp_path / "state" / "hook" / "python"
    done = subprocess.run([python, "-I", "-S", stub, "client", "prompt"], input=b"x", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not (tmp_path / "state" / "logs").exists()
