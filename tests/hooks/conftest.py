"""A real stub, run by a real interpreter, in a state folder of its own."""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from thruline.harnesses.registry import HARNESSES
from thruline.layout import HookPaths, UserPaths, build_project_key
from thruline.operations.hook_entry import write_entry

SESSION = "0a1b2c3d-1111-2222-3333-444455556666"
OTHER = "99999999-1111-2222-3333-444455556666"
WIRED = [each.name for each in HARNESSES if find_spec(each.package) and find_spec(each.package + ".wire")]
HARNESS = WIRED[0]

# Stands where the environment's interpreter stands in the stub, and tells what it was started with.
WORKER = """\
#!{python} -IS
import os, sys
folder = os.path.dirname(os.path.abspath(sys.argv[0]))
held = [os.readlink("/proc/self/fd/" + name) for name in "012"]
told = repr((sys.argv[1:], os.environ.get("THRULINE_HOME"), os.getsid(0) == os.getpid(), held))
with open(os.path.join(folder, ".draft-%d" % os.getpid()), "w") as file:
    file.write(told)
os.rename(file.name, os.path.join(folder, "started-%d" % os.getpid()))
"""


@dataclass(frozen=True)
class Hook:
    """What `install` writes into a client's settings, ready to run; the worker only notes that it was started."""

    state: Path
    project: Path

    @property
    def paths(self) -> UserPaths:
        return UserPaths(str(self.state), "")

    @property
    def here(self) -> HookPaths:
        return HookPaths(str(self.state), build_project_key("", os.path.realpath(self.project)))

    @property
    def command(self) -> list[str]:
        return [self.paths.hook_python, "-I", "-S", self.paths.hook_entry]

    def run(self, *arguments: str, payload: bytes = b"", **options: object) -> subprocess.CompletedProcess[bytes]:
        """Runs one hook to its end."""
        if "stdin" not in options:
            options["input"] = payload
        return subprocess.run([*self.command, *arguments], capture_output=True, timeout=20, **options)  # type: ignore[call-overload]

    def build(self, session: str = SESSION, **fields: object) -> bytes:
        """A payload with what every client sends."""
        payload = {"session_id": session, "cwd": str(self.project), "source": "startup", "agent_type": "worker"}
        return json.dumps({**payload, **fields}).encode()

    def ask(self, event: str, session: str = SESSION, *, harness: str = HARNESS, **fields: object) -> str:
        """What the model would be told at `event`; fails where anything but an answer comes out."""
        done = self.run(harness, event, payload=self.build(session, **fields))
        assert (done.returncode, done.stderr) == (0, b"")
        if not done.stdout or event == "before_compact":
            return done.stdout.decode()
        return str(json.loads(done.stdout).get("hookSpecificOutput", {}).get("additionalContext", ""))

    def write_ready(self, path: str, text: str, **fields: object) -> Path:
        """Leaves an envelope at `path`, as the worker does."""
        envelope = {"schema": 1, "id": f"id of {text[:20]}", "kind": "resume", "from": OTHER, "pid": 0, "text": text}
        os.makedirs(os.path.dirname(path), exist_ok=True)
        Path(path).write_text(json.dumps({**envelope, **fields}))
        return Path(path)

    def read_spool(self) -> list[dict[str, Any]]:
        folder = Path(self.here.spool)
        return [json.loads(path.read_bytes()) for path in sorted(folder.iterdir())] if folder.exists() else []

    def read_told(self) -> list[dict[str, Any]]:
        path = Path(self.here.injected)
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def read_troubles(self) -> list[str]:
        log = Path(self.paths.hook_errors)
        return log.read_text().splitlines() if log.exists() else []

    def find_starts(self, at_least: int = 0) -> list[str]:
        """What the worker was started with, each time; waits until it was that often."""
        patience = time.monotonic() + 20
        while True:
            notes = sorted(self.state.parent.joinpath("worker").glob("started-*"))
            if len(notes) >= at_least or time.monotonic() > patience:
                return [note.read_text() for note in notes]
            time.sleep(0.02)

    def find_files(self) -> set[str]:
        return {
            os.path.relpath(os.path.join(folder, name), self.state)
            for folder, _, names in os.walk(self.state)
            for name in names
        }


@pytest.fixture
def hook(tmp_path: Path) -> Hook:
    state, project, worker = tmp_path / "state of mine", tmp_path / "project", tmp_path / "worker" / "python"
    project.mkdir()
    worker.parent.mkdir()
    worker.write_text(WORKER.format(python=os.path.realpath(sys.executable)))
    worker.chmod(0o700)
    write_entry(str(state))
    made = Hook(state, project)
    stub = Path(made.paths.hook_entry)
    text = stub.read_text()
    assert repr(sys.executable) in text
    stub.write_text(text.replace(repr(sys.executable), repr(str(worker))))
    return made


@pytest.fixture
def gone() -> int:
    """The number of a process that is over."""
    over = subprocess.Popen(["true"])
    over.wait()
    return over.pid
