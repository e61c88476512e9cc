"""A session where its client keeps it."""

from pathlib import Path

import pytest

from tests.sample import put_sample


@pytest.fixture
def kept(home: Path) -> Path:
    """The sample where its client would keep it."""
    return put_sample(home)
