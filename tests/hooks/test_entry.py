"""The stub and its link: what a client's settings call, the same before and after every upgrade."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import thruline
from thruline.operations.hook_entry import find_interpreter, render_stub, write_entry, write_link

NAMES = ['it\'s "quoted"', "back\\slash", "new\nline", "ünïcode", os.fsdecode(b"b\xff"), "{0}"]


def test_the_two_files_are_where_settings_look_for_them(tmp_path: Path):
    entry = write_entry(str(tmp_path / "state"))
    assert entry.python == str(tmp_path / "state" / "hook" / "python")
    assert entry.script == str(tmp_path / "state" / "hook" / "entry.py")
    assert os.listdir(tmp_path / "state") == ["hook"]
    assert sorted(os.listdir(tmp_path / "state" / "hook")) == ["entry.py", "python"]
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
    assert len(render_stub("/state").splitlines()) <= 13


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
