"""A database with two sessions in it."""

from pathlib import Path

import pytest

from tests.harnesses.opencode.stores import (
    CART,
    REVIEW,
    make_database,
)


@pytest.fixture
def database(home: Path) -> Path:
    return make_database(home / ".local" / "share" / "opencode" / "opencode.db", CART, REVIEW)
