"""A project with a session, and what hooks leave in the spool: used by the tests of the worker."""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.sample import SAMPLE
from thruline.disk.atomic import Lock
from thruline.errors import LockTimeout
from thruline.harnesses.installed import find_homes
from thruline.harnesses.registry import HARNESSES
from thruline.layout import HookPaths, ProjectPaths, build_project_key, find_project, find_state_dir
from thruline.operations.work.run import Worked, work
from thruline.operations.work.state import WorkState, read_state

HARNESS = HARNESSES[0].name
OTHER = HARNESSES[1].name
FIRST = "5e0c7f4a-31b2-4c6d-9a58-7d1f0e2b9c34"
SECOND = "77777777-31b2-4c6d-9a58-7d1f0e2b9c34"
THIRD = "88888888-31b2-4c6d-9a58-7d1f0e2b9c34"
CORRECTION = "No, don't add a pause."
PATIENCE = 120.0
NOBODY = 2**22 + 1  # more than any system's highest process


class Shop:
    """One project below `folder`, its client's transcripts below `home`."""

    def __init__(self, folder: Path, home: Path, *, marked: bool = False) -> None:
        self.root = Path(os.path.realpath(folder)) / "shop"
        self.root.mkdir(parents=True, exist_ok=True)
        self.home = home
        if marked:
            marker = self.root / ".agent" / "context" / "root.json"
            marker.parent.mkdir(parents=True, exist_ok=True)
            marker.write_text('{"schema": 1, "project_id": "shop", "created_at": "", "name": "shop"}')
        self.hooks = HookPaths(find_state_dir(), build_project_key("", str(self.root)))
        self.count = 0
        self.clock = time.time() - 1000

    @property
    def project(self) -> ProjectPaths:
        return find_project(str(self.root))

    def put(self, session: str = FIRST, *, size: int = 0) -> Path:
        """The sample as that session's transcript, or its first `size` bytes."""
        folder = Path(find_homes(HARNESSES[0], {}, str(self.home))[0]) / "projects" / "-shop"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{session}.jsonl"
        data = SAMPLE.read_bytes().replace(FIRST.encode(), session.encode())
        path.write_bytes(data[:size] if size else data)
        return path

    def spool(self, event: str, session: str = FIRST, **fields: Any) -> str:
        """Leaves an event as a hook would; returns its name."""
        self.count += 1
        self.clock += 1
        folder = Path(find_homes(HARNESSES[0], {}, str(self.home))[0]) / "projects" / "-shop"
        row = {"schema": 1, "at": self.clock, "harness": HARNESS, "event": event, "session": session}
        row |= {"cwd": str(self.root), "transcript": str(folder / f"{session}.jsonl"), "root": str(self.root), **fields}
        name = f"{int(self.clock * 1e9):020d}-{os.getpid()}.json"
        Path(self.hooks.spool).mkdir(parents=True, exist_ok=True)
        draft = Path(self.hooks.spool, "." + name)
        draft.write_text(json.dumps(row) + "\n")
        draft.rename(Path(self.hooks.spool, name))
        return name

    def work(self) -> Worked:
        """Runs the worker."""
        return work(str(self.root))

    def run_session(self, session: str = FIRST, **fields: Any) -> None:
        """A session from its start to its end, worked off."""
        self.put(session)
        self.spool("session_start", session, source="startup", **fields)
        self.spool("turn_end", session, **fields)
        self.work()
        self.spool("session_end", session, reason="other")
        self.work()

    @property
    def state(self) -> WorkState:
        return read_state(os.path.join(self.hooks.work, "state.json"))

    def resume(self, harness: str = HARNESS) -> dict[str, Any] | None:
        """The envelope for whoever starts next."""
        return read_envelope(self.hooks.build_resume(harness))

    def start(self, harness: str = HARNESS) -> dict[str, Any] | None:
        """The envelope of the start's line."""
        return read_envelope(self.hooks.build_start(harness))

    def late(self, session: str) -> dict[str, Any] | None:
        """The envelope for a session that runs."""
        return read_envelope(self.hooks.build_late(HARNESS, session))

    def tell(self, path: str, session: str, event: str = "session_start") -> str:
        """What a hook does with a ready text: claims it, and logs that it was told. Its id."""
        envelope = read_envelope(path)
        assert envelope is not None
        os.unlink(path)
        log = Path(self.hooks.injected)
        log.parent.mkdir(parents=True, exist_ok=True)
        row = {"at": time.time(), "harness": HARNESS, "session": session, "event": event, "source": "startup"}
        row |= {key: envelope[key] for key in ("id", "kind", "from", "text")}
        with log.open("a") as file:
            file.write(json.dumps({**row, "characters": len(envelope["text"])}) + "\n")
        return str(envelope["id"])

    def handoffs(self, below: str = "") -> list[str]:
        """Names of the handoffs that wait, or of those in a folder beside them."""
        folder = Path(self.project.handoffs, below)
        return sorted(path.name for path in folder.glob("*.md")) if folder.is_dir() else []

    def rows(self, name: str) -> list[dict[str, Any]]:
        """The rows of one of the project's indexes."""
        path = Path(self.project.indexes, name)
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def git(self, *arguments: str) -> None:
        """Runs git in the project."""
        who = ["-c", "user.name=dev", "-c", "user.email=dev"]
        subprocess.run(["git", *who, *arguments], cwd=self.root, check=True, capture_output=True)


def read_envelope(path: str) -> dict[str, Any] | None:
    """A ready text; None where there is none."""
    return json.loads(Path(path).read_text()) if os.path.exists(path) else None


def wait_for_worker(hooks: HookPaths) -> None:
    """Returns when the worker that a hook started has ended and nothing is left to do."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if os.path.exists(hooks.work_lock) and not os.listdir(hooks.spool):
            try:
                with Lock(hooks.work_lock, 0.0):
                    return
            except LockTimeout:
                pass
        time.sleep(0.02)
    raise AssertionError(f"the worker did not end; left: {os.listdir(hooks.spool)}")
