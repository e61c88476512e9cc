"""A home with clients in it."""

from pathlib import Path

import pytest


@pytest.fixture
def clients(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with both clients in it, and a project to stand in."""
    for name in (".claude", ".codex", "project"):
        (home / name).mkdir()
    monkeypatch.chdir(home / "project")
    return home
