"""Every test runs in a home of its own: nothing of this machine's user is read or written."""

from pathlib import Path

import pytest
from hypothesis import settings

# No unit test is timed: a busy machine must not fail one.
settings.register_profile("thruline", deadline=None)
settings.load_profile("thruline")

pytest_plugins = ["tests.plugins.ledger"]


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty HOME with no variable that points elsewhere."""
    folder = tmp_path_factory.mktemp("home")
    for name in (
        "THRULINE_HOME",
        "XDG_STATE_HOME",
        "XDG_CONFIG_HOME",
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "THRULINE_OFF",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    return folder
