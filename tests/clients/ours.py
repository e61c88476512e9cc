"""Us in a client's world: our command, our hooks as `install` leaves them, and the log that must stay empty."""

import os
import subprocess
import sys
from pathlib import Path

import thruline
from tests.clients.world import World
from thruline.layout import HookPaths, UserPaths, build_project_key

PROGRAM = str(Path(sys.executable).parent / "thruline")


def run_thruline(world: World, *words: str, package: str = "") -> str:
    """Our command in the client's world, from the package folder given."""
    folder = package or str(Path(thruline.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "thruline.cli.entry", *words],
        cwd=world.project,
        env={**world.environment(), "PYTHONPATH": folder, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def find_hooks(world: World) -> HookPaths:
    """Where hooks and worker meet for the world's project."""
    return HookPaths(str(world.state), build_project_key("", os.path.realpath(world.project)))


def register_hooks(world: World) -> HookPaths:
    """Installs us as a person would; where hooks and worker of the project meet."""
    run_thruline(world, "install", "--harness", world.harness, "--yes")
    return find_hooks(world)


def assert_no_trouble(world: World) -> None:
    """No hook had anything to complain about."""
    log = Path(UserPaths(str(world.state), "").hook_errors)
    assert not log.exists(), log.read_text(encoding="utf-8")
