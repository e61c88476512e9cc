"""A home with one session."""

from pathlib import Path

import pytest

from tests.cli.kept import put_session


@pytest.fixture
def kept(home: Path) -> Path:
    return put_session(home)
