"""The project that most tests of the worker use."""

from pathlib import Path

import pytest

from tests.work.shop import Shop


@pytest.fixture
def shop(tmp_path: Path, home: Path) -> Shop:
    """A project without a marker and without git."""
    return Shop(tmp_path, home)


@pytest.fixture
def marked(tmp_path: Path, home: Path) -> Shop:
    """A project with a marker."""
    return Shop(tmp_path, home, marked=True)
