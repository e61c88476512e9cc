"""A session where its client keeps it."""

import shutil
from pathlib import Path

import pytest

from tests.sample import SAMPLE, SESSION


@pytest.fixture
def kept(home: Path) -> Path:
    """The sample where its client would keep it."""
    folder = home / ".claude" / "projects" / "-home-dev-orders-export"
    folder.mkdir(parents=True)
    return Path(shutil.copy(SAMPLE, folder / f"{SESSION}.jsonl"))
