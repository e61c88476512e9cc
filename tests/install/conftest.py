"""One wheel per run, built from this tree, and the ways people install one."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


@dataclass(frozen=True)
class Installed:
    """An installed command, its environment's interpreter, and the variables it needs."""

    command: Path
    python: Path
    env: dict[str, str]

    def run(self, *arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
        """Runs `thruline` in `cwd`."""
        return subprocess.run([self.command, *arguments], cwd=cwd, env=self.env, capture_output=True, text=True)


def run_installer(command: list[str], env: dict[str, str]) -> None:
    """Runs one step of an installation. It needs the package index: without one, a skip here and a failure in CI."""
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=600)
    if done.returncode == 0:
        return
    told = f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}"
    words = ("connect", "dns", "resolve host", "network", "timed out", "temporary failure", "unreachable")
    if not os.environ.get("CI") and any(word in told.lower() for word in words):
        pytest.skip("no package index here: " + told[-300:])
    pytest.fail(told, pytrace=False)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that `make wheel` builds."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(folder), str(REPOSITORY)]
    subprocess.run(build, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="session")
def wheel_names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def build_env(home: Path, **more: str) -> dict[str, str]:
    """The caller's variables without ours, in a home of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("THRULINE_", "XDG_", "VIRTUAL_"))}
    return {**kept, "HOME": str(home), "USERPROFILE": str(home), **more}


def install_with_uv_tool(wheel: Path, folder: Path) -> Installed:
    env = build_env(folder, UV_TOOL_DIR=str(folder / "tools"), UV_TOOL_BIN_DIR=str(folder / "bin"))
    env["PATH"] = f"{folder / 'bin'}{os.pathsep}{env['PATH']}"
    run_installer([sys.executable, "-m", "uv", "tool", "install", "--python", sys.executable, str(wheel)], env)
    return Installed(folder / "bin" / "thruline", folder / "tools" / "thruline" / "bin" / "python", env)


def install_with_pip(wheel: Path, folder: Path) -> Installed:
    # What pipx does: an environment of its own, then pip.
    env = build_env(folder)
    subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True, env=env)
    python = folder / "env" / "bin" / "python"
    run_installer([str(python), "-m", "pip", "install", "--quiet", str(wheel)], env)
    return Installed(folder / "env" / "bin" / "thruline", python, env)


WAYS: dict[str, Callable[[Path, Path], Installed]] = {"uv tool": install_with_uv_tool, "pip": install_with_pip}


@pytest.fixture(scope="session", params=WAYS)
def installed(request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return WAYS[request.param](wheel, tmp_path_factory.mktemp("home of " + request.param))
