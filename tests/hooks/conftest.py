"""A real stub, run by a real interpreter, in a state folder of its own."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from thruline.layout import UserPaths
from thruline.operations.hook_entry import write_entry

SESSION = "0a1b2c3d-1111-2222-3333-444455556666"


@dataclass(frozen=True)
class Hook:
    """What `install` writes into a client's settings, ready to run."""

    state: Path

    @property
    def paths(self) -> UserPaths:
        return UserPaths(str(self.state), "")

    @property
    def command(self) -> list[str]:
        return [self.paths.hook_python, "-I", "-S", self.paths.hook_entry]

    def run(self, *arguments: str, payload: bytes = b"", **options: object) -> subprocess.CompletedProcess[bytes]:
        """Runs one hook to its end."""
        if "stdin" not in options:
            options["input"] = payload
        return subprocess.run([*self.command, *arguments], capture_output=True, timeout=20, **options)  # type: ignore[call-overload]

    def write_ready(self, harness: str, session: str, text: bytes) -> None:
        folder = self.state / "ready" / harness
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{session}.json").write_bytes(text)

    def read_troubles(self) -> list[str]:
        log = Path(self.paths.hook_errors)
        return log.read_text().splitlines() if log.exists() else []

    def find_files(self) -> set[str]:
        return {
            os.path.relpath(os.path.join(folder, name), self.state)
            for folder, _, names in os.walk(self.state)
            for name in names
        }


@pytest.fixture
def hook(tmp_path: Path) -> Hook:
    state = tmp_path / "state of mine"
    write_entry(str(state))
    return Hook(state)
