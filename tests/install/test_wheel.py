"""What people install: the wheel holds the package and nothing else, and works from any folder."""

import json
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

import thruline
from tests.install.conftest import REPOSITORY, Installed
from thruline.cli.table import COMMANDS
from thruline.harnesses.telling import find_tellable
from thruline.layout import HookPaths, build_project_key

SOURCE = REPOSITORY / "src" / "thruline"


def test_the_wheel_holds_every_file_of_the_package(wheel_names: list[str]):
    files = {str(path.relative_to(SOURCE.parent)) for path in SOURCE.rglob("*") if path.is_file()}
    ours = {name for name in files if "__pycache__" not in name and not name.endswith((".pyc", ".swp"))}
    assert "thruline/py.typed" in ours
    missing = ours - set(wheel_names)
    assert {name for name in missing if (SOURCE.parent / name).exists()} == set()


def test_the_wheel_holds_nothing_but_the_package(wheel_names: list[str]):
    tops = {name.partition("/")[0] for name in wheel_names}
    assert tops == {"thruline", f"thruline-{thruline.__version__}.dist-info"}
    assert [name for name in wheel_names if re.search(r"(^|/)(tests?|bench|tools|__pycache__)/", name)] == []


def test_the_wheel_names_its_licence_and_its_one_command(wheel: Path, wheel_names: list[str]):
    assert wheel.name == f"thruline-{thruline.__version__}-py3-none-any.whl"
    info = f"thruline-{thruline.__version__}.dist-info"
    assert f"{info}/licenses/LICENSE" in wheel_names
    with zipfile.ZipFile(wheel) as archive:
        entry = archive.read(f"{info}/entry_points.txt").decode()
    assert entry.split("\n", 1)[1].strip() == "thruline = thruline.cli.entry:start"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "a folder with spaces"
    made.mkdir()
    return made


def test_an_installed_thruline_tells_its_version(installed: Installed, folder: Path):
    done = installed.run("--version", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"thruline {thruline.__version__}\n", "")


def test_an_installed_thruline_lists_its_commands(installed: Installed, folder: Path):
    done = installed.run("--help", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert [name for name in COMMANDS if f"\n  {name} " not in done.stdout] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_be_imported_where_only_the_wheel_is(installed: Installed, folder: Path, name: str):
    done = installed.run(name, "--help", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Example:" in done.stdout


def test_an_installed_thruline_examines_its_machine(installed: Installed, folder: Path):
    done = installed.run("doctor", "--json", cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    assert isinstance(json.loads(done.stdout), dict | list)
    assert list(folder.iterdir()) == []


def test_a_hook_of_an_installed_thruline_answers_and_is_silent_once_it_is_gone(installed: Installed, folder: Path):
    code = "import sys; from thruline.operations.hook_entry import write_entry; write_entry(sys.argv[1])"
    state = folder / "state"
    subprocess.run([installed.python, "-c", code, state], check=True, env=installed.env, cwd=folder)
    here = HookPaths(str(state), build_project_key("", str(folder.resolve())))
    harness = find_tellable()[0].name
    ready = Path(here.build_start(harness))
    ready.parent.mkdir(parents=True)
    envelope = {"schema": 1, "id": "1", "kind": "start", "from": "other", "pid": 0, "text": "Told."}
    ready.write_text(json.dumps(envelope))
    command = [state / "hook" / "python", "-I", "-S", state / "hook" / "entry.py", harness, "session_start"]
    payload = json.dumps({"session_id": "session-1", "cwd": str(folder), "source": "startup"}).encode()

    def call() -> tuple[int, bool, bytes]:
        done = subprocess.run(command, input=payload, capture_output=True, env={})
        return done.returncode, b"Told." in done.stdout, done.stderr

    assert call() == (0, True, b"")
    environment = installed.python.parent.parent
    aside = environment.with_name("gone")
    environment.rename(aside)
    try:
        assert call() == (0, False, b"")
    finally:
        aside.rename(environment)
    assert call() == (0, True, b"")
