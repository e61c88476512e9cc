"""Projects as they are found on a disk: with a marker, with a repository."""

import subprocess
from pathlib import Path


def make_marker(folder: Path) -> Path:
    marker = folder / ".agent" / "context" / "root.json"
    marker.parent.mkdir(parents=True)
    marker.write_text("{}")
    return folder


def make_repository(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q")
    (folder / "a.txt").write_text("a")
    git(folder, "add", "a.txt")
    git(folder, "commit", "-qm", "a")
    return folder


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)
