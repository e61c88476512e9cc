"""Every test runs in a home of its own: nothing of this machine's user is read or written."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from thruline.harnesses.registry import HARNESSES

# No unit test is timed: a busy machine must not fail one.
settings.register_profile("thruline", deadline=None)
settings.load_profile("thruline")

# Where this machine's user, or a client that runs the tests, keeps things and which session it is in.
ELSEWHERE = {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "SUDO_UID"}
ELSEWHERE |= {name for each in HARNESSES for name in (each.home_variable, each.session_variable)}

# In the background of a script, or under nohup, they are ignored, also by every program that a test starts and ends.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

pytest_plugins = ["tests.plugins.ledger"]


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty HOME with no variable that points elsewhere."""
    folder = tmp_path_factory.mktemp("home")
    for name in [*os.environ]:
        if name in ELSEWHERE or name.startswith("THRULINE_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    return folder
