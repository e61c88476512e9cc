"""Where real transcripts are."""

import os
from pathlib import Path

import pytest


@pytest.fixture
def shared() -> Path:
    """Real transcripts beside the project; without them the test is skipped, in CI it fails."""
    folder = Path(__file__).parents[2].parent / "shared"
    if not (folder / "corpus").is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{folder} is missing")
        pytest.skip("needs ../shared")
    return folder
