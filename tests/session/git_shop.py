"""A small repository of git in which a session's steps are done for real, to see what they do."""

import os
import subprocess
from pathlib import Path

_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.com",
}


def run_shell(folder: Path, command: str) -> int:
    """Runs a command line there, and tells how it ended."""
    environment = {**os.environ, **_ENVIRONMENT}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, check=False, timeout=60
    )
    return done.returncode


def make_shop(folder: Path, *files: str) -> Path:
    """A repository with one commit of these files, each with one line."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("old\n")
    assert run_shell(folder, "git init -q -b main && git add -A && git commit -q -m begin") == 0
    return folder
