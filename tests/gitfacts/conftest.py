"""Real repositories, made with the real git."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

IDENTITY = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_AUTHOR_DATE": "2026-11-01T12:00:00+01:00",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_COMMITTER_DATE": "2026-11-01T12:00:00+01:00",
}


class Repository:
    """A repository in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def __fspath__(self) -> str:
        return str(self.folder)

    def git(self, *arguments: Any, cwd: Path | None = None, check: bool = True) -> str:
        """Runs git itself, not through thruline."""
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *map(os.fspath, arguments)],
            cwd=cwd or self.folder,
            env={**os.environ, **IDENTITY},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=20,
        )
        assert not check or done.returncode == 0, done.stderr
        return done.stdout.strip()

    def write(self, name: str | bytes, text: str = "text\n") -> None:
        path = os.path.join(os.fsencode(self.folder), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)

    def commit(self, message: str = "work") -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "-m", message)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository without a commit."""
    return Repository(tmp_path / "work")
