"""Where real transcripts are, and both ways to decode one."""

import os
from pathlib import Path

import pytest

import thruline.harnesses.codex.reader as reader_module


@pytest.fixture
def shared() -> Path:
    """Real transcripts beside the project; without them the test is skipped, in CI it fails."""
    folder = Path(__file__).parents[3].parent / "shared"
    if not (folder / "corpus").is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{folder} is missing")
        pytest.skip("needs ../shared")
    return folder


@pytest.fixture(params=["fast", "slow"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both decoders: the typed one of large files, the plain one of small ones."""
    monkeypatch.setattr(reader_module, "FAST_FROM_BYTES", -1 if request.param == "fast" else 1 << 60)
